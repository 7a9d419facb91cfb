import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import type { Log } from "../kernel/log.ts";
import { ActiveRun } from "./active-run.ts";
import * as store from "./store.ts";
import { JobAborted, type JobChange, type JobRun, type JobState } from "./types.ts";

/** The maximum number of jobs of all kinds at the same time. Heavy work must also wait for a worker thread. */
const MAX_RUNNING = 16;
/** How long an aborted job is given to end. Workers are terminated before that (workers/pool.ts). */
const ABORT_GRACE_MS = 10_000;
/** The maximum length of a timer: the command line enqueues jobs from another process, and clocks are set. */
const MAX_SLEEP_MS = 60_000;
const UNWRITABLE_WAIT_MS = 5_000;

/** For kinds that do not declare their own. */
export const DEFAULT_RULES = {
  concurrency: 1,
  timeLimitMs: 3_600_000,
  maxTries: 8,
  backoff: { firstMs: 2_000, maxMs: 3_600_000 },
};

/** A definition whose payload type is hidden. */
export interface Handler {
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly maxTries: number;
  readonly backoff: { readonly firstMs: number; readonly maxMs: number };
  exclusionKeyOf(payload: unknown): string | null;
  /** @throws PayloadRefused at once, and what the handler throws */
  run(payload: string, run: JobRun): Promise<void> | void;
}

/** A stored payload that its kind cannot parse: retrying will not help. */
export class PayloadRefused extends Error {
  override name = "PayloadRefused";
}

/**
 * Takes due jobs and runs them under the rules of their kind. The data folder's lock makes this the only process that
 * does: a row in state `running` that is not in `running` here was interrupted, whatever the clock says.
 */
export class JobRunner {
  private readonly running = new Map<number, ActiveRun>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wakesAt = 0;
  private started = false;
  /** Some rows may be in state `running` though their jobs are not: they are requeued before the next job is taken. */
  private mayHaveLost = false;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly crash: CrashPoint,
    private readonly handlers: ReadonlyMap<string, Handler>,
    private readonly onChange: (change: JobChange) => void,
    private readonly abortGraceMs = ABORT_GRACE_MS,
  ) {}

  start(): void {
    this.started = true;
    this.requeueInterrupted();
  }

  /** Requeues jobs that are recorded as running but are not: the process died, or their end could not be recorded. */
  requeueInterrupted(): void {
    this.mayHaveLost = true;
    this.wake(0);
  }

  /**
   * Takes no more jobs, waits up to half of `withinMs` for the running ones, then aborts the rest and waits for the
   * other half. Jobs that are still not done wait for the next start; being stopped costs them no try.
   */
  async stop(withinMs: number): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    await this.settledWithin(withinMs / 2);
    for (const run of this.running.values()) run.abort("stopping");
    await this.settledWithin(withinMs / 2);
    for (const run of this.running.values()) {
      run.isAbandoned = true;
      run.end();
      this.record(run.job, () => this.giveTryBack(run.job));
    }
    this.running.clear();
  }

  /** Runs due jobs until none are left; for tests and the command line. */
  async drain(): Promise<void> {
    for (let job = this.claim(); job; job = this.claim()) await this.begin(job).settled;
  }

  /**
   * Checks for due jobs after `delayMs`, or sooner if that was requested before. The command line enqueues jobs without
   * a notification.
   */
  wake(delayMs: number): void {
    if (!this.started) return;
    const wait = Math.min(Math.max(delayMs, 0), MAX_SLEEP_MS);
    if (this.timer && this.wakesAt <= performance.now() + wait) return;
    clearTimeout(this.timer);
    this.wakesAt = performance.now() + wait;
    this.timer = setTimeout(() => this.tryToFill(), wait);
    this.timer.unref?.();
  }

  /** @returns whether it was running and has been aborted */
  cancel(id: number): boolean {
    const run = this.running.get(id);
    run?.abort("cancelled");
    return run !== undefined;
  }

  /** While the disk is full no job can be taken: they wait until there is space. */
  private tryToFill(): void {
    this.timer = undefined;
    if (!this.started) return;
    try {
      if (this.mayHaveLost) this.requeueAllLost();
      for (let job = this.claim(); job; job = this.claim()) this.begin(job);
      const now = this.clock();
      const next = store.nextRunAt(this.db, now);
      if (next !== undefined) this.wake(next - now);
    } catch (error) {
      this.log.warn("no job could be taken", { error });
      this.wake(UNWRITABLE_WAIT_MS);
    }
  }

  /** Takes the job that has been due longest, among those that may run now. */
  private claim(): store.JobRow | undefined {
    const now = this.clock();
    if (this.running.size >= MAX_RUNNING || !store.hasDueJobs(this.db, now)) return undefined;
    const runs = [...this.running.values()];
    const held = JSON.stringify(runs.flatMap(({ job }) => job.exclusionKey ?? []));
    let first: { readonly id: number; readonly runAt: number } | undefined;
    for (const [kind, { concurrency }] of this.handlers) {
      if (runs.filter(({ job }) => job.kind === kind).length >= concurrency) continue;
      const due = store.firstDue(this.db, kind, now, held);
      if (due && (!first || due.runAt < first.runAt || (due.runAt === first.runAt && due.id < first.id))) first = due;
    }
    return first && store.takeJob(this.db, first.id, now);
  }

  private begin(job: store.JobRow): ActiveRun {
    const handler = this.handlers.get(job.kind);
    const run = new ActiveRun(job, handler?.timeLimitMs ?? DEFAULT_RULES.timeLimitMs, this.abortGraceMs, (active) =>
      this.reportProgress(active),
    );
    this.running.set(job.id, run);
    this.tell(run, "running");
    run.settled = this.execute(run, handler).then((state) => {
      run.end();
      if (this.running.get(job.id) === run) this.running.delete(job.id);
      if (!run.isAbandoned) this.tell(run, state);
      this.wake(0);
    });
    return run;
  }

  /** Runs the job and records how it ended. Does not throw. @returns its new state */
  private async execute(run: ActiveRun, handler: Handler | undefined): Promise<JobState> {
    const { job } = run;
    try {
      this.crash("job.claimed");
      if (!handler) throw new PayloadRefused(`no handler for jobs of kind ${job.kind}`);
      await run.waitFor(handler.run(job.payload, run));
      if (run.isAbandoned) return "waiting";
      this.crash("job.done");
      this.record(job, () => store.endJob(this.db, job.id, "done", null, this.clock()));
      this.crash("job.recorded");
      return "done";
    } catch (error) {
      return run.isAbandoned ? "waiting" : this.recordFailure(run, handler, error);
    }
  }

  private recordFailure(run: ActiveRun, handler: Handler | undefined, error: unknown): JobState {
    const { job, abortedBy } = run;
    const text = abortedBy === undefined ? messageOf(error) : new JobAborted(abortedBy).message;
    const fields = { job: job.id, kind: job.kind, attempt: job.attempts, error };
    const isFinal = error instanceof PayloadRefused || !handler || job.attempts >= handler.maxTries;
    if (abortedBy === "stopping") {
      this.record(job, () => this.giveTryBack(job));
      return "waiting";
    }
    if (abortedBy === "cancelled" || isFinal) {
      const state = abortedBy === "cancelled" ? "cancelled" : "failed";
      if (state === "failed") this.log.error("a job failed for good", fields);
      this.record(job, () => store.endJob(this.db, job.id, state, text, this.clock()));
      return state;
    }
    this.log.warn("a job failed", fields);
    const { firstMs, maxMs } = handler.backoff;
    const waitMs = Math.min(firstMs * 2 ** (job.attempts - 1), maxMs);
    this.record(job, () => store.requeueJob(this.db, job.id, this.clock() + waitMs, text, job.attempts));
    return "waiting";
  }

  /** Stopping the server does not count as a failure of the job. */
  private giveTryBack(job: store.JobRow): void {
    const text = new JobAborted("stopping").message;
    store.requeueJob(this.db, job.id, this.clock(), text, Math.max(0, job.attempts - 1));
  }

  private requeueAllLost(): void {
    store.replanJobsAhead(this.db, this.clock());
    const lost = store.runningJobs(this.db).filter(({ id }) => !this.running.has(id));
    if (lost.length > 0)
      this.db.transaction(() => {
        for (const job of lost) this.requeueLost(job);
      });
    this.mayHaveLost = false;
  }

  private requeueLost(job: store.JobRow): void {
    const text = "the server stopped while it ran";
    const isFinal = job.attempts >= (this.handlers.get(job.kind)?.maxTries ?? DEFAULT_RULES.maxTries);
    if (isFinal) store.endJob(this.db, job.id, "failed", text, this.clock());
    else store.requeueJob(this.db, job.id, this.clock(), text, job.attempts);
  }

  /** Records a job's end. If the disk is full, the job counts as interrupted and runs again. */
  private record(job: store.JobRow, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.mayHaveLost = true;
      this.log.warn("the end of a job could not be recorded", { job: job.id, error });
    }
  }

  private reportProgress(run: ActiveRun): void {
    try {
      store.setProgress(this.db, run.id, run.text, run.percent ?? null);
    } catch (error) {
      this.log.warn("a job's progress could not be recorded", { job: run.id, error });
    }
    this.tell(run, "running");
  }

  private tell(run: ActiveRun, state: JobState): void {
    this.onChange({ id: run.id, kind: run.job.kind, state, progress: run.text, percent: run.percent });
  }

  private async settledWithin(ms: number): Promise<void> {
    if (this.running.size === 0) return;
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([Promise.all([...this.running.values()].map(({ settled }) => settled)), timeout]);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
