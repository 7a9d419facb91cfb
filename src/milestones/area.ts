import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { milestoneErrorWords } from "./error-words.ts";
import type { MilestoneService } from "./service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly milestones: MilestoneService;
  }
}

/** Milestones: goals that issues and pull requests contribute to. */
export const milestonesArea: Area = {
  name: "milestones",
  errorWords: milestoneErrorWords,
  routes: async () => (await import("./api.ts")).milestoneRoutes,
  open: ({ clock, db, outbox }) => ({
    services: {
      milestones: onDemand(
        () => new (require("./service.ts") as typeof import("./service.ts")).MilestoneService(db, outbox, clock),
      ),
    },
  }),
};
