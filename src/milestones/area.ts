import type { Area } from "../area.ts";
import { MilestoneService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly milestones: MilestoneService;
  }
}

/** Milestones: goals that issues and pull requests lead to. */
export const milestonesArea: Area = {
  name: "milestones",
  open: ({ db }) => ({ services: { milestones: new MilestoneService(db) } }),
};
