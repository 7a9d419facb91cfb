import type { JobRow } from "./store.ts";
import { type AbortCause, JobAborted, type JobRun } from "./types.ts";

/** Progress is recorded and sent at most this often. */
const PROGRESS_MS = 1_000;

/** A running job: its signal, its time limit and its reported progress. */
export class ActiveRun implements JobRun {
  readonly id: number;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Why it was aborted. */
  abortedBy: AbortCause | undefined;
  /** Its outcome no longer matters. */
  isAbandoned = false;
  /** Resolves once its outcome has been recorded, or it was abandoned. */
  settled: Promise<void> = Promise.resolve();
  text = "";
  percent: number | undefined;

  private readonly controller = new AbortController();
  private readonly stalled = Promise.withResolvers<never>();
  private readonly limit: ReturnType<typeof setTimeout>;
  private grace: ReturnType<typeof setTimeout> | undefined;
  private reporting: ReturnType<typeof setTimeout> | undefined;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly job: JobRow,
    timeLimitMs: number,
    private readonly graceMs: number,
    private readonly report: (run: ActiveRun) => void,
  ) {
    this.id = job.id;
    this.attempt = job.attempts;
    this.signal = this.controller.signal;
    this.stalled.promise.catch(() => {});
    this.limit = setTimeout(() => this.abort("timed out"), timeLimitMs);
    this.limit.unref?.();
  }

  progress(text: string, percent?: number): void {
    this.text = text;
    this.percent = percent === undefined ? undefined : Math.min(100, Math.max(0, Math.round(percent)));
    const wait = this.reportedAt + PROGRESS_MS - performance.now();
    if (wait <= 0) this.reportNow();
    else {
      this.reporting ??= setTimeout(() => this.reportNow(), wait);
      this.reporting.unref?.();
    }
  }

  /** Aborts the job. If it has not ended after the grace time, it is abandoned. */
  abort(cause: AbortCause): void {
    if (this.abortedBy !== undefined) return;
    this.abortedBy = cause;
    const reason = new JobAborted(cause);
    this.grace = setTimeout(() => this.stalled.reject(reason), this.graceMs);
    this.grace.unref?.();
    this.controller.abort(reason);
  }

  /** The handler's result, or `JobAborted` if it was aborted and did not end in time. */
  waitFor(work: Promise<void> | void): Promise<void> {
    return Promise.race([work, this.stalled.promise]);
  }

  /** Called when the job has ended: clears its timers. */
  end(): void {
    clearTimeout(this.limit);
    clearTimeout(this.grace);
    clearTimeout(this.reporting);
  }

  private reportNow(): void {
    clearTimeout(this.reporting);
    this.reporting = undefined;
    this.reportedAt = performance.now();
    this.report(this);
  }
}
