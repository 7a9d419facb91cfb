import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { Conflict, NotFound } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { DEFAULT_RULES, type Handler, JobRunner, PayloadRefused } from "./runner.ts";
import * as store from "./store.ts";
import type { JobChange, JobDefinition, JobInfo, JobKind, JobPayloads, JobState } from "./types.ts";

/**
 * A durable queue: jobs are rows, enqueued inside transactions, run under the rules of their kind and retried with
 * growing delays (`JobRunner`).
 */
export class JobQueue {
  private readonly handlers = new Map<string, Handler>();
  private readonly listeners: ((change: JobChange) => void)[] = [];
  private readonly runner: JobRunner;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly clock: Clock,
    crash: CrashPoint = () => {},
    options: { readonly abortGraceMs?: number } = {},
  ) {
    const tell = (change: JobChange) => this.tell(change);
    this.runner = new JobRunner(db, log, clock, crash, this.handlers, tell, options.abortGraceMs);
  }

  /** Declares how jobs of a kind are run. */
  handle<K extends JobKind>(kind: K, definition: JobDefinition<K>): void {
    const parse = (text: string) => {
      try {
        return definition.parse(JSON.parse(text));
      } catch (error) {
        throw new PayloadRefused(error instanceof Error ? error.message : String(error));
      }
    };
    this.handlers.set(kind, {
      concurrency: definition.concurrency ?? DEFAULT_RULES.concurrency,
      timeLimitMs: definition.timeLimitMs ?? DEFAULT_RULES.timeLimitMs,
      maxTries: definition.maxTries ?? DEFAULT_RULES.maxTries,
      backoff: definition.backoff ?? DEFAULT_RULES.backoff,
      exclusionKeyOf: (payload) => definition.exclusionKey?.(definition.parse(payload)) ?? null,
      run: (payload, run) => definition.run(parse(payload), run),
    });
  }

  /** Called whenever a job is taken, makes progress or ends; nothing is retried (live pages). */
  onChange(listener: (change: JobChange) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Adds a job to the running transaction.
   * @param options.uniqueKey at most one job with this key waits at a time
   */
  enqueue<K extends JobKind>(
    kind: K,
    payload: JobPayloads[K],
    options: { readonly uniqueKey?: string; readonly delayMs?: number } = {},
  ): void {
    const now = this.clock();
    const delayMs = options.delayMs ?? 0;
    store.insertJob(this.db, {
      kind,
      payload: JSON.stringify(payload),
      uniqueKey: options.uniqueKey ?? null,
      exclusionKey: this.handlers.get(kind)?.exclusionKeyOf(payload) ?? null,
      runAt: now + delayMs,
      now,
    });
    this.db.onCommit(() => this.wake(delayMs));
  }

  /** Whether a job with that key is waiting. */
  isWaiting(uniqueKey: string): boolean {
    return store.isWaiting(this.db, uniqueKey);
  }

  start(): void {
    this.runner.start();
  }

  /** Requeues jobs that are recorded as running but are not: the process died, or their end could not be recorded. */
  requeueInterrupted(): void {
    this.runner.requeueInterrupted();
  }

  /**
   * Takes no more jobs, waits up to half of `withinMs` for the running ones, then aborts the rest and waits for the
   * other half. Jobs that are still not done wait for the next start; being stopped costs them no try.
   */
  stop(withinMs: number): Promise<void> {
    return this.runner.stop(withinMs);
  }

  /** Runs due jobs until none are left; for tests and the command line. */
  drain(): Promise<void> {
    return this.runner.drain();
  }

  /** Checks for due jobs after `delayMs`, or sooner if that was requested before. */
  wake(delayMs: number): void {
    this.runner.wake(delayMs);
  }

  /** Newest first. */
  list(
    filter: { readonly state?: JobState | undefined },
    paging: { readonly limit: number; readonly offset: number },
  ): { items: JobInfo[]; total: number } {
    const items = store.pageOfJobs(this.db, filter.state, paging.limit, paging.offset);
    return { items, total: store.countJobs(this.db, filter.state) };
  }

  find(id: number): JobInfo | undefined {
    return store.jobById(this.db, id);
  }

  /**
   * Cancels a job: a waiting one will not run; a running one is aborted, and becomes `cancelled` once it has ended.
   * @throws NotFound; Conflict if it has already ended
   */
  cancel(id: number): void {
    if (!this.runner.cancel(id) && !store.cancelWaiting(this.db, id, this.clock())) {
      if (!this.find(id)) throw new NotFound("jobs.not-found");
      throw new Conflict("jobs.already-ended");
    }
  }

  /**
   * Queues a failed or cancelled job again, with all its tries.
   * @throws NotFound; Conflict if it did not fail, or one of its kind and key is already waiting
   */
  retry(id: number): void {
    if (!store.reviveJob(this.db, id, this.clock())) {
      if (!this.find(id)) throw new NotFound("jobs.not-found");
      throw new Conflict("jobs.not-failed");
    }
    this.wake(0);
  }

  /** Deletes a failed or cancelled job. @throws NotFound; Conflict if it is neither */
  discard(id: number): void {
    if (store.deleteUnsuccessfulJob(this.db, id)) return;
    if (!this.find(id)) throw new NotFound("jobs.not-found");
    throw new Conflict("jobs.not-failed");
  }

  /** Deletes up to `limit` jobs that ended in one of these states before that time. @returns how many */
  prune(states: readonly ("done" | "failed" | "cancelled")[], before: number, limit: number): number {
    return store.deleteEndedJobs(this.db, states, before, limit);
  }

  private tell(change: JobChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.log.error("a listener failed on a job", { job: change.id, error });
      }
    }
  }
}
