import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { JobQueue } from "./queue.ts";
import type { Schedules } from "./schedules.ts";
import type { JobRun } from "./types.ts";

declare module "./types.ts" {
  interface JobPayloads {
    "server.prune-history": Record<string, never>;
    /** The same for one of them, which has a task of its own. */
    "server.prune": { readonly task: string };
  }
}

/** Rows that are kept for a time. */
export interface Retained {
  /** As the log names them. */
  readonly name: string;
  /** 0: for ever. */
  readonly days: number;
  /** The task that clients of the API know it by; it is then removed at midnight. */
  readonly task?: string;
  /** Removes rows of before that time (milliseconds since 1970), at most so many. @returns how many */
  prune(before: number, limit: number): number;
}

const DAY_MS = 86_400_000;
/** Rows of one transaction: others have to be answered meanwhile. */
const SLICE = 500;

/** Removes what is old, every night, a little at a time. */
export class Retention {
  private readonly retained: Retained[] = [];

  constructor(
    jobs: JobQueue,
    private readonly schedules: Schedules,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    jobs.handle("server.prune-history", {
      parse: () => ({}),
      run: (_, run) => this.prune(run, undefined),
      maxTries: 3,
    });
    jobs.handle("server.prune", { parse: parseTask, run: ({ task }, run) => this.prune(run, task), maxTries: 3 });
    schedules.add({
      name: "prune_history",
      cron: "30 4 * * *",
      kind: "server.prune-history",
      payload: {},
      removesByAge: true,
    });
  }

  add(retained: Retained): void {
    const { task } = retained;
    const isKnown = this.retained.some((other) => other.task === task);
    this.retained.push(retained);
    if (task !== undefined && !isKnown)
      this.schedules.add({
        name: task,
        cron: "0 0 * * *",
        kind: "server.prune",
        payload: { task },
        removesByAge: true,
      });
  }

  /** @param wanted those of this task; undefined: those that have none */
  private async prune(run: JobRun, wanted: string | undefined): Promise<void> {
    const removed: Record<string, number> = {};
    for (const { name, days, task, prune } of this.retained) {
      if (days === 0 || task !== wanted) continue;
      const before = this.clock() - days * DAY_MS;
      for (let count = SLICE; count === SLICE; ) {
        run.signal.throwIfAborted();
        count = prune(before, SLICE);
        removed[name] = (removed[name] ?? 0) + count;
        run.progress(`${name}: ${removed[name]}`);
        await nextTurn();
      }
    }
    if (Object.values(removed).some((count) => count > 0)) this.log.info("what is old was removed", removed);
  }
}

function parseTask(payload: unknown): { task: string } {
  const { task } = (payload ?? {}) as { task?: unknown };
  if (typeof task !== "string") throw new Error("the job names no task");
  return { task };
}
