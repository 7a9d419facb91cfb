import { isSiteAdmin } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { Announcements } from "./announcements.ts";
import { recordAuditedEvents } from "./audited-events.ts";
import { idleTasks } from "./background/idle-tasks.ts";
import type { BackgroundService } from "./background/service.ts";
import type { Diagnosis } from "./diagnosis/service.ts";
import type { AccountInspector } from "./doctor/accounts/service.ts";
import { adminErrorWords } from "./error-words.ts";
import { deleteInactiveAccounts } from "./inactive-accounts.ts";
import type { Monitor } from "./monitor/service.ts";
import type { OverviewService } from "./overview/service.ts";
import type { SelfCheck } from "./self-check/service.ts";
import type { AdminService } from "./service.ts";

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

/** Site administration. */
export const adminArea: Area = {
  name: "admin",
  routes: async () => (await import("./api.ts")).adminRoutes,
  errorWords: adminErrorWords,
  open: (
    { caches, clock, config, db, jobs, live, mail, outbox, pool, requests, schedules },
    { accountPasswords, audit, backup, confirmation, identity, integrity, organizations, repoRemoval, repos, teams },
  ) => {
    recordAuditedEvents({ outbox, audit, identity, repos, teams });
    live.declareTopic("jobs", isSiteAdmin);
    jobs.onChange((change) => live.publish("jobs", { event: "job.changed", data: JSON.stringify(change) }));
    for (const task of idleTasks) schedules.addIdle(task);
    const background = onDemand(
      () =>
        new (require("./background/service.ts") as typeof import("./background/service.ts")).BackgroundService(
          outbox,
          jobs,
          schedules,
          audit,
        ),
    );
    const overview = onDemand(
      () =>
        new (require("./overview/service.ts") as typeof import("./overview/service.ts")).OverviewService(
          { config, db, identity, jobs, organizations, outbox, repos },
          clock,
        ),
    );
    const admin = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).AdminService({
          accountPasswords,
          db,
          identity,
          jobs,
          organizations,
          repoRemoval,
          repos,
        }),
    );
    jobs.handle("account.delete", {
      parse: (payload) => (require("./service.ts") as typeof import("./service.ts")).parseDeletion(payload),
      run: (payload) => admin.resumeDeletion(payload),
    });
    deleteInactiveAccounts({ clock, jobs, schedules }, { admin, confirmation });
    const selfCheck = onDemand(
      () =>
        new (require("./self-check/service.ts") as typeof import("./self-check/service.ts")).SelfCheck(
          config,
          overview,
          backup,
          integrity,
          () => mail.isConfigured,
        ),
    );
    const monitor = onDemand(
      () =>
        new (require("./monitor/service.ts") as typeof import("./monitor/service.ts")).Monitor(requests, pool, caches),
    );
    const diagnosis = onDemand(
      () =>
        new (require("./diagnosis/service.ts") as typeof import("./diagnosis/service.ts")).Diagnosis({
          background,
          clock,
          monitor,
          overview,
          selfCheck,
        }),
    );
    return {
      services: {
        admin,
        announcements: onDemand(
          () =>
            new (require("./announcements.ts") as typeof import("./announcements.ts")).Announcements({
              db,
              identity,
              mail,
            }),
        ),
        background,
        diagnosis,
        monitor,
        overview,
        selfCheck,
        accountInspector: onDemand(
          () =>
            new (
              require("./doctor/accounts/service.ts") as typeof import("./doctor/accounts/service.ts")
            ).AccountInspector(db),
        ),
      },
    };
  },
};
