import type { Core } from "../../core.ts";
import type { Reaping } from "./reaping.ts";
import * as store from "./store.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    "actions.stop-overdue": Record<string, never>;
    "actions.cancel-abandoned": Record<string, never>;
  }
}

const GRACE_MS = 60_000;

/** Schedules ending tasks whose runner is silent or that run too long, and cancelling jobs that no runner takes. */
export function handleReaping({ clockWatch, db, jobs, schedules }: Core, reaping: Reaping): void {
  clockWatch.onSet((byMs) => store.shiftOpenTasks(db, byMs));
  jobs.handle("actions.stop-overdue", {
    parse: () => ({}),
    run: () => {
      if (store.hasOpenTasks(db)) reaping.stopOverdue();
    },
    maxTries: 1,
  });
  jobs.handle("actions.cancel-abandoned", { parse: () => ({}), run: () => reaping.cancelAbandoned(), maxTries: 1 });
  schedules.add({ name: "stop_zombie_tasks", cron: "*/5 * * * *", kind: "actions.stop-overdue", payload: {} });
  schedules.add({ name: "stop_endless_tasks", cron: "*/30 * * * *", kind: "actions.stop-overdue", payload: {} });
  schedules.add({
    name: "cancel_abandoned_jobs",
    cron: "0 */6 * * *",
    kind: "actions.cancel-abandoned",
    payload: {},
    removesByAge: true,
  });
}

/** Runners could not call while the server was down: on start, they get a minute before their tasks are ended. */
export function graceAfterStart({ clock, db, jobs }: Core, zombieMs: number): void {
  if (!store.hasOpenTasks(db)) return;
  db.transaction(() => {
    store.countAsHeard(db, clock() - zombieMs + GRACE_MS);
    const delayMs = GRACE_MS + 1000;
    jobs.enqueue("actions.stop-overdue", {}, { uniqueKey: "actions.stop-overdue", delayMs });
  });
}
