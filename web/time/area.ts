import type { WebArea } from "../area.ts";

export const timeArea: WebArea = {
  name: "time",
  routes: async () => (await import("./routes.ts")).timePages,
};
