import type { WebArea } from "../area.ts";

export const milestonesArea: WebArea = {
  name: "milestones",
  routes: async () => (await import("./routes.tsx")).milestonePages,
};
