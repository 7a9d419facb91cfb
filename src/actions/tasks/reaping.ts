import type { Core } from "../../core.ts";
import * as jobStore from "../runs/jobs-store.ts";
import { Status } from "../runs/statuses.ts";
import type { RunMachine } from "../runs/turn.ts";
import type { TaskService } from "./service.ts";
import * as store from "./store.ts";

export interface ReapingTimes {
  readonly zombieMs: number;
  readonly endlessMs: number;
  readonly abandonedMs: number;
}

/** Per transaction. */
const BATCH = 100;

/** Ends tasks with a silent runner or that run too long, and jobs no runner takes (contract actions.md 1.3, 1.4). */
export class Reaping {
  constructor(
    private readonly core: Pick<Core, "clock" | "db">,
    private readonly machine: RunMachine,
    private readonly tasks: TaskService,
    private readonly times: ReapingTimes,
  ) {}

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
