import type { Core } from "../../core.ts";
import * as jobStore from "../runs/jobs-store.ts";
import { Status } from "../runs/statuses.ts";
import type { RunMachine } from "../runs/turn.ts";
import type { TaskService } from "./service.ts";
import * as store from "./store.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    "actions.stop-overdue": Record<string, never>;
    "actions.cancel-abandoned": Record<string, never>;
  }
}

export interface ReapingTimes {
  readonly zombieMs: number;
  readonly endlessMs: number;
  readonly abandonedMs: number;
}

/** Of one transaction. */
const BATCH = 100;
const GRACE_MS = 60_000;

/** Ends tasks that nobody hears of, and jobs that nobody takes (contract actions.md 1.3, 1.4). */
export class Reaping {
  constructor(
    private readonly core: Pick<Core, "clock" | "db" | "jobs" | "schedules">,
    private readonly machine: RunMachine,
    private readonly tasks: TaskService,
    private readonly times: ReapingTimes,
  ) {
    const { jobs, schedules } = core;
    jobs.handle("actions.stop-overdue", { parse: () => ({}), run: () => this.stopOverdue(), maxTries: 1 });
    jobs.handle("actions.cancel-abandoned", { parse: () => ({}), run: () => this.cancelAbandoned(), maxTries: 1 });
    schedules.add({ name: "stop_zombie_tasks", cron: "*/5 * * * *", kind: "actions.stop-overdue", payload: {} });
    schedules.add({ name: "stop_endless_tasks", cron: "*/30 * * * *", kind: "actions.stop-overdue", payload: {} });
    schedules.add({
      name: "cancel_abandoned_jobs",
      cron: "0 */6 * * *",
      kind: "actions.cancel-abandoned",
      payload: {},
    });
  }

  /** When the server starts: runners could not call while it was down, and get a minute before their tasks are ended. */
  start(): void {
    const { clock, db, jobs } = this.core;
    if (!store.hasOpenTasks(db)) return;
    db.transaction(() => {
      store.countAsHeard(db, clock() - this.times.zombieMs + GRACE_MS);
      const delayMs = GRACE_MS + 1000;
      jobs.enqueue("actions.stop-overdue", {}, { uniqueKey: "actions.stop-overdue", delayMs });
    });
  }

  stopOverdue(): void {
    const { clock, db } = this.core;
    const now = clock();
    const { endlessMs, zombieMs } = this.times;
    for (;;) {
      const overdue = store.overdueTasks(db, now - zombieMs, now - endlessMs, BATCH);
      for (const task of overdue) this.tasks.stop(task, Status.failure);
      if (overdue.length < BATCH) return;
    }
  }

  cancelAbandoned(): void {
    const { clock, db } = this.core;
    const before = clock() - this.times.abandonedMs;
    for (;;) {
      const abandoned = jobStore.abandonedJobs(db, before, BATCH);
      for (const { id, runId } of abandoned) this.machine.turn((turn) => turn.cancelOne(id, runId));
      if (abandoned.length < BATCH) return;
    }
  }
}
