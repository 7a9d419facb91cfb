import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { statusErrorWords } from "./error-words.ts";
import type { StatusService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly statuses: StatusService;
  }
}

/** Commit statuses: results of checks on commits. */
export const statusesArea: Area = {
  name: "statuses",
  errorWords: statusErrorWords,
  routes: async () => (await import("./api.ts")).statusRoutes,
  open: ({ clock, db, outbox }, { revisions }) => ({
    services: {
      statuses: onDemand(
        () =>
          new (require("./service.ts") as typeof import("./service.ts")).StatusService(db, outbox, clock, revisions),
      ),
    },
  }),
};
