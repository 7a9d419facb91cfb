import type { Area } from "../area.ts";
import { IntegrityService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly integrity: IntegrityService;
  }
}

/** Scrubs: verification of stored data. */
export const integrityArea: Area = {
  name: "integrity",
  open: ({ clock, config, db, jobs, log, pool, schedules }, { blobs, folders, refs, storage }) => ({
    services: {
      integrity: new IntegrityService(db, folders, refs, storage, blobs, pool, jobs, schedules, clock, log, {
        schedule: scheduleOf(config["scrub.schedule"]),
        coreShare: config["scrub.core_percent"] / 100,
      }),
    },
  }),
};

function scheduleOf(text: string): "weekly" | "monthly" | "never" {
  return text === "weekly" || text === "never" ? text : "monthly";
}
