import { isSiteAdmin } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { BackgroundService } from "./background/service.ts";
import { adminErrorWords } from "./error-words.ts";
import { AdminService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly admin: AdminService;
    readonly background: BackgroundService;
  }
}

/** What site administrators do. */
export const adminArea: Area = {
  name: "admin",
  routes: async () => (await import("./api.ts")).adminRoutes,
  errorWords: adminErrorWords,
  open: ({ db, jobs, live, outbox, schedules }, { identity, organizations, repos }) => {
    live.declareTopic("jobs", isSiteAdmin);
    jobs.onChange((change) => live.publish("jobs", { event: "job.changed", data: JSON.stringify(change) }));
    const background = new BackgroundService(outbox, jobs, schedules);
    return { services: { admin: new AdminService({ db, identity, organizations, repos }), background } };
  },
};
