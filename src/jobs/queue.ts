import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import type { Log } from "../kernel/log.ts";
import {
  claimJob,
  extendLease,
  failJob,
  finishJob,
  insertJob,
  isWaiting,
  type JobRow,
  nextRunAt,
  releaseExpired,
  retryJob,
} from "./store.ts";

/** Runs one job of its kind. Must be safe to run again: a crash after its work and before its record repeats it. */
export type JobHandler = (payload: unknown, signal: AbortSignal) => Promise<void> | void;

const LEASE_MS = 60_000;
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 3_600_000;
const UNWRITABLE_WAIT_MS = 5_000;

/** A durable queue: jobs are rows, enqueued inside transactions, run under a lease, retried with growing waits. */
export class JobQueue {
  private readonly handlers = new Map<string, JobHandler>();
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wakesAt = 0;
  private started = false;
  /** Jobs that ran and whose end could not be written down: they run again. */
  private readonly unrecorded = new Set<number>();

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly crash: CrashPoint = () => {},
    private readonly concurrency = 2,
  ) {}

  handle(kind: string, handler: JobHandler): void {
    this.handlers.set(kind, handler);
  }

  /** @param uniqueKey two waiting jobs of the same key are one */
  enqueue(kind: string, payload: unknown, options: { uniqueKey?: string; delayMs?: number } = {}): void {
    const now = this.clock();
    insertJob(this.db, kind, JSON.stringify(payload), options.uniqueKey ?? null, now + (options.delayMs ?? 0), now);
    this.db.onCommit(() => this.wake(options.delayMs ?? 0));
  }

  /** Whether a job of that key waits for its time. */
  isWaiting(uniqueKey: string): boolean {
    return isWaiting(this.db, uniqueKey);
  }

  start(): void {
    this.started = true;
    // At start nothing of ours runs: every running row is a dead process's.
    releaseExpired(this.db, Number.MAX_SAFE_INTEGER);
    this.wake(0);
  }

  /** Takes up again what ran but could not be recorded, when its lease is over. */
  reclaimExpiredLeases(): void {
    try {
      releaseExpired(this.db, this.clock());
    } catch (error) {
      this.log.warn("no job could be taken", { error });
    }
    this.wake(0);
  }

  /** Stops taking jobs and waits for the running ones, at most `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    await Promise.race([Promise.allSettled([...this.running]), timeout]);
    this.stopping.abort();
  }

  /** Runs what is due until nothing is; for tests and the terminal. */
  async drain(): Promise<void> {
    for (;;) {
      const job = claimJob(this.db, this.clock(), this.clock() + LEASE_MS);
      if (!job) return;
      await this.run(job);
    }
  }

  /** Looks for due jobs after that time, or sooner if that was said before. The terminal enqueues jobs unheard. */
  wake(delayMs: number): void {
    if (!this.started) return;
    const wait = Math.min(Math.max(delayMs, 0), LEASE_MS);
    if (this.timer && this.wakesAt <= performance.now() + wait) return;
    clearTimeout(this.timer);
    this.wakesAt = performance.now() + wait;
    this.timer = setTimeout(() => this.tryToFill(), wait);
    this.timer.unref?.();
  }

  /** A disk that is full lets no job be claimed: they wait until it has room. */
  private tryToFill(): void {
    try {
      this.fill();
    } catch (error) {
      this.log.warn("no job could be taken", { error });
      this.wake(UNWRITABLE_WAIT_MS);
    }
  }

  private fill(): void {
    this.timer = undefined;
    if (!this.started) return;
    for (const id of this.unrecorded) {
      retryJob(this.db, id, this.clock(), "its end could not be recorded");
      this.unrecorded.delete(id);
    }
    while (this.running.size < this.concurrency) {
      const job = claimJob(this.db, this.clock(), this.clock() + LEASE_MS);
      if (!job) break;
      const run = this.run(job).finally(() => {
        this.running.delete(run);
        this.wake(0);
      });
      this.running.add(run);
    }
    const next = nextRunAt(this.db);
    if (next !== undefined && this.running.size < this.concurrency) this.wake(next - this.clock());
  }

  private async run(job: JobRow): Promise<void> {
    const handler = this.handlers.get(job.kind);
    const renewal = setInterval(() => this.renew(job), LEASE_MS / 3);
    try {
      this.crash("job.claimed");
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      await handler(JSON.parse(job.payload), this.stopping.signal);
      this.crash("job.done");
      finishJob(this.db, job.id);
      this.crash("job.recorded");
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.log.warn("a job failed", { job: job.id, kind: job.kind, attempt: job.attempts, error });
      this.recordFailure(job, text);
    } finally {
      clearInterval(renewal);
    }
  }

  private recordFailure(job: JobRow, text: string): void {
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (job.attempts - 1), MAX_WAIT_MS);
    try {
      if (job.attempts >= MAX_ATTEMPTS) failJob(this.db, job.id, text);
      else retryJob(this.db, job.id, this.clock() + waitMs, text);
    } catch (error) {
      // The disk is full: it is put back as soon as that can be written.
      this.unrecorded.add(job.id);
      this.log.warn("a job's failure could not be recorded", { job: job.id, error });
    }
  }

  private renew(job: JobRow): void {
    try {
      extendLease(this.db, job.id, this.clock() + LEASE_MS);
    } catch (error) {
      this.log.warn("a job's lease could not be renewed", { job: job.id, error });
    }
  }
}
