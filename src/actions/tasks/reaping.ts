import type { Core } from "../../core.ts";
import { Status } from "../runs/statuses.ts";
import * as runs from "../runs/store.ts";
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

  /** When the server starts. A runner that was told nothing meanwhile gets its time from now on. */
  start(): void {
    const { jobs, db } = this.core;
    db.transaction(() =>
      jobs.enqueue("actions.stop-overdue", {}, { uniqueKey: "actions.stop-overdue", delayMs: this.times.zombieMs }),
    );
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
      const abandoned = runs.abandonedJobs(db, before, BATCH);
      for (const { id, runId } of abandoned) this.machine.turn((turn) => turn.cancelOne(id, runId));
      if (abandoned.length < BATCH) return;
    }
  }
}
