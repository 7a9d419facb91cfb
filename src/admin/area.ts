import { isSiteAdmin } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { Announcements } from "./announcements.ts";
import { recordAuditedEvents } from "./audited-events.ts";
import { idleTasks } from "./background/idle-tasks.ts";
import { BackgroundService } from "./background/service.ts";
import { Diagnosis } from "./diagnosis/service.ts";
import { AccountInspector } from "./doctor/accounts/service.ts";
import { adminErrorWords } from "./error-words.ts";
import { Monitor } from "./monitor/service.ts";
import { OverviewService } from "./overview/service.ts";
import { SelfCheck } from "./self-check/service.ts";
import { AdminService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly admin: AdminService;
    readonly announcements: Announcements;
    readonly background: BackgroundService;
    readonly diagnosis: Diagnosis;
    readonly monitor: Monitor;
    readonly overview: OverviewService;
    readonly selfCheck: SelfCheck;
    readonly accountInspector: AccountInspector;
  }
}

/** What site administrators do. */
export const adminArea: Area = {
  name: "admin",
  routes: async () => (await import("./api.ts")).adminRoutes,
  errorWords: adminErrorWords,
  open: (
    { caches, clock, config, db, jobs, live, mail, outbox, pool, requests, schedules },
    { accountPasswords, audit, identity, organizations, repoRemoval, repos, teams },
  ) => {
    recordAuditedEvents({ outbox, audit, identity, repos, teams });
    live.declareTopic("jobs", isSiteAdmin);
    jobs.onChange((change) => live.publish("jobs", { event: "job.changed", data: JSON.stringify(change) }));
    for (const task of idleTasks) schedules.addIdle(task);
    const background = new BackgroundService(outbox, jobs, schedules, audit);
    const overview = new OverviewService({ config, db, identity, jobs, organizations, outbox, repos }, clock);
    const admin = new AdminService({ accountPasswords, db, identity, organizations, repoRemoval, repos });
    const selfCheck = new SelfCheck(config, overview, () => mail.isConfigured);
    const monitor = new Monitor(requests, pool, caches);
    const diagnosis = new Diagnosis({ background, clock, monitor, overview, selfCheck });
    return {
      services: {
        admin,
        announcements: new Announcements({ db, identity, mail }),
        background,
        diagnosis,
        monitor,
        overview,
        selfCheck,
        accountInspector: new AccountInspector(db),
      },
    };
  },
};
