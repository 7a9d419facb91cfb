import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { JobQueue } from "./queue.ts";
import type { Schedules } from "./schedules.ts";
import type { JobRun } from "./types.ts";

declare module "./types.ts" {
  interface JobPayloads {
    "server.prune-history": Record<string, never>;
    /** As above, for the rows that have their own task. */
    "server.prune": { readonly task: string };
  }
}

/** Rows that are deleted once they reach a certain age. */
export interface Retained {
  /** Their name in the log. */
  readonly name: string;
  /** 0: keep for ever. */
  readonly days: number;
  /** The task name under which API clients know it; it then runs at midnight. */
  readonly task?: string;
  /** Deletes up to `limit` rows older than `before` (milliseconds since 1970). @returns how many */
  prune(before: number, limit: number): number;
}

const DAY_MS = 86_400_000;
/** Rows per transaction, so that requests are answered in between. */
const SLICE = 500;

/** Deletes old rows every night, a few at a time. */
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

  /** @param wanted the task whose rows to delete; undefined: those without a task */
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
