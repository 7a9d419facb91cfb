import type { Area } from "../area.ts";
import { statusErrorWords } from "./error-words.ts";
import { StatusService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly statuses: StatusService;
  }
}

/** Commit statuses: what checks say of commits. */
export const statusesArea: Area = {
  name: "statuses",
  errorWords: statusErrorWords,
  routes: async () => (await import("./api.ts")).statusRoutes,
  open: ({ clock, db, outbox }, { revisions }) => ({
    services: { statuses: new StatusService(db, outbox, clock, revisions) },
  }),
};
