import type { WebArea } from "../area.ts";

export const badgesArea: WebArea = {
  name: "badges",
  routes: async () => (await import("./routes.ts")).badgePages,
};
