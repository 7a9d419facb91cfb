import type { WebArea } from "../area.ts";

export const viewersArea: WebArea = {
  name: "viewers",
  routes: async () => (await import("./routes.ts")).viewerPages,
};
