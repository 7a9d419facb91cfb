import type { WebArea } from "../area.ts";

export const siteArea: WebArea = {
  name: "site",
  routes: async () => (await import("./routes.ts")).sitePages,
};
