import type { WebArea } from "../area.ts";

export const labelsArea: WebArea = {
  name: "labels",
  routes: async () => (await import("./routes.tsx")).labelPages,
};
