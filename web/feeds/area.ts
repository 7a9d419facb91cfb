import type { WebArea } from "../area.ts";

export const feedsArea: WebArea = {
  name: "feeds",
  routes: async () => (await import("./routes.tsx")).feedPages,
};
