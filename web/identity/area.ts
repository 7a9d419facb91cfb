import type { WebArea } from "../area.ts";

export const identityArea: WebArea = {
  name: "identity",
  routes: async () => (await import("./routes.tsx")).identityPages,
};
