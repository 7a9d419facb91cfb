import type { WebArea } from "../area.ts";

export const mergingArea: WebArea = {
  name: "merging",
  routes: async () => (await import("./routes.tsx")).mergingPages,
};
