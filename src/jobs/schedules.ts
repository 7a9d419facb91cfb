import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { ClockWatch } from "../kernel/clock-watch.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { JobQueue } from "./queue.ts";
import { countRun, findSchedule, latestRun, planNext } from "./schedule-store.ts";
import type { JobKind, JobPayloads } from "./types.ts";

/** A recurring job. */
export interface Schedule<K extends JobKind> {
  /** The name under which API clients know it: `git_gc_repos`. */
  readonly name: string;
  /** Five cron fields in the server's local time, or a shorthand such as `@daily`. */
  readonly cron: string;
  readonly kind: K;
  readonly payload: JobPayloads[K];
  /** It runs only when an administrator starts it. */
  readonly isManual?: boolean;
  /** It permanently deletes old data: while the clock may be wrong, it is postponed for a day. */
  readonly removesByAge?: boolean;
}

/** A schedule as shown to administrators. Times are milliseconds since 1970. */
export interface ScheduleInfo {
  readonly name: string;
  readonly cron: string;
  /** Undefined: never. */
  readonly nextRunAt: number | undefined;
  readonly lastRunAt: number | undefined;
  readonly runs: number;
  /** It has nothing to do on this server. */
  readonly isIdle: boolean;
  /** It runs only when an administrator starts it. */
  readonly isManual: boolean;
}

interface Entry {
  readonly name: string;
  readonly cron: string;
  readonly isManual: boolean;
  readonly removesByAge?: boolean;
  /** Absent if there is nothing to do. */
  enqueue?(): void;
}

type NextAfter = (cron: string, after: number) => number | null;

/** The first run waits until the server has answered its first requests, because loading local time takes a while. */
const START_MS = 5_000;
/** A changed clock is noticed within this time. */
const MAX_SLEEP_MS = 60_000;
const DAY_MS = 86_400_000;
/** Some schedules run every few minutes: if none has for this long, the server was down or the clock is wrong. */
const MAX_DOWN_MS = 2 * DAY_MS;

/**
 * Enqueues jobs at scheduled times. The next time is stored in the database: after downtime, a missed job runs once,
 * however often it was missed. If the clock is set forward the job runs once; if it is set back the job does not run
 * again.
 */
export class Schedules {
  private readonly entries = new Map<string, Entry>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextAfter: NextAfter | undefined;
  private stopped = false;

  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly clockWatch: ClockWatch = new ClockWatch(clock),
  ) {}

  add<K extends JobKind>({ name, cron, isManual = false, kind, payload, removesByAge = false }: Schedule<K>): void {
    const enqueue = () => this.jobs.enqueue(kind, payload, { uniqueKey: `schedule:${name}` });
    this.entries.set(name, { name, cron, enqueue, isManual, removesByAge });
  }

  /**
   * Adds a task that clients know by name but that has nothing to do here, unless an area has added one of that name.
   * It is listed, and runs of it are counted.
   */
  addIdle({ name, cron }: Pick<Schedule<JobKind>, "name" | "cron">): void {
    if (!this.entries.has(name)) this.entries.set(name, { name, cron, isManual: false });
  }

  start(): void {
    const last = latestRun(this.db);
    if (last !== undefined && this.clock() - last > MAX_DOWN_MS) this.clockWatch.doubt();
    this.sleep(START_MS);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Enqueues due jobs and computes when each runs next. */
  async runDue(): Promise<void> {
    const nextAfter = await this.loadCron();
    this.clockWatch.look();
    for (const entry of this.entries.values()) {
      try {
        this.runIfDue(entry, nextAfter);
      } catch (error) {
        this.log.warn("a schedule could not be followed", { schedule: entry.name, error });
      }
    }
  }

  /** All schedules, by name. */
  async list(): Promise<ScheduleInfo[]> {
    const nextAfter = await this.loadCron();
    return [...this.entries.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, cron, enqueue, isManual }) => {
        const row = findSchedule(this.db, name);
        const isPlanned = row !== undefined && row.cron === cron && row.nextRunAt !== null;
        return {
          name,
          cron,
          nextRunAt: isManual ? undefined : ((isPlanned ? row.nextRunAt : nextAfter(cron, this.clock())) ?? undefined),
          lastRunAt: row?.lastRunAt ?? undefined,
          runs: row?.runs ?? 0,
          isIdle: enqueue === undefined,
          isManual,
        };
      });
  }

  /** Runs its job now; the next scheduled time is unchanged. @throws NotFound */
  runNow(name: string): void {
    const entry = this.entries.get(name);
    if (!entry) throw new NotFound("schedules.not-found");
    this.db.transaction(() => {
      entry.enqueue?.();
      countRun(this.db, name, entry.cron, this.clock());
    });
  }

  private runIfDue({ name, cron, enqueue, isManual, removesByAge }: Entry, nextAfter: NextAfter): void {
    if (!enqueue || isManual) return;
    const now = this.clock();
    const row = findSchedule(this.db, name);
    const isDue = row !== undefined && row.nextRunAt !== null && row.nextRunAt <= now;
    if (isDue && row.cron === cron && removesByAge && this.clockWatch.isInDoubt) {
      this.log.warn("nothing old is removed, the clock may be wrong", { schedule: name });
      planNext(this.db, name, cron, nextAfter(cron, now));
      return;
    }
    if (isDue && row.cron === cron) {
      this.db.transaction(() => {
        enqueue();
        countRun(this.db, name, cron, now);
        planNext(this.db, name, cron, nextAfter(cron, now));
      });
      return;
    }
    // The clock may have been set back since the last run: a job that ran at three does not run again at the second
    // three o'clock. A last run more than a day ahead was recorded under a wrong clock and is ignored.
    const last = row?.lastRunAt ?? 0;
    const next = nextAfter(cron, last > now && last < now + DAY_MS ? last : now);
    if (row?.cron !== cron || row.nextRunAt !== next) planNext(this.db, name, cron, next);
  }

  private sleep(ms: number): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.runDue().then(
        () => this.sleep(this.untilNext()),
        (error: unknown) => {
          this.log.error("the schedules could not be looked at", { error });
          this.sleep(MAX_SLEEP_MS);
        },
      );
    }, ms);
    this.timer.unref?.();
  }

  private untilNext(): number {
    const now = this.clock();
    const waits = [...this.entries.keys()].map(
      (name) => (findSchedule(this.db, name)?.nextRunAt ?? Number.POSITIVE_INFINITY) - now,
    );
    return Math.min(MAX_SLEEP_MS, Math.max(1_000, Math.min(...waits)));
  }

  private async loadCron(): Promise<NextAfter> {
    if (this.nextAfter) return this.nextAfter;
    const { Cron } = await import("croner");
    this.nextAfter = (cron, after) => new Cron(cron, { paused: true }).nextRun(new Date(after))?.getTime() ?? null;
    return this.nextAfter;
  }
}
