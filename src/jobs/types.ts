/**
 * Kinds of jobs and their payloads. The area that owns a kind declares it, so that this file need not change when an
 * area is added:
 *
 *     declare module "../jobs/types.ts" {
 *       interface JobPayloads {
 *         "mirror.update": { repoId: number };
 *       }
 *     }
 *
 * Payloads are stored as JSON, and shown to administrators: ids and plain data, never a secret.
 */
// biome-ignore lint/suspicious/noEmptyInterface: areas add their kinds to it
export interface JobPayloads {}

export type JobKind = keyof JobPayloads;

/** What a running job knows about its run, and how it reports progress. */
export interface JobRun {
  readonly id: number;
  /** 1 on the first try. */
  readonly attempt: number;
  /**
   * Aborted at the time limit, when an administrator cancels the job and when the server stops; its reason is a
   * `JobAborted`. Pass it on to workers and requests. A job that has not ended 10 seconds later is abandoned.
   */
  readonly signal: AbortSignal;
  /** Reports progress. Stored with the job and sent to pages about once a second. @param percent 0 to 100 */
  progress(text: string, percent?: number): void;
}

/** How jobs of a kind are run. */
export interface JobDefinition<K extends JobKind> {
  /** Does the work. Must be safe to run again: a crash after the work but before it is recorded repeats it. */
  run(payload: JobPayloads[K], run: JobRun): Promise<void> | void;
  /**
   * Parses a stored payload, possibly written by an older version. @throws for any other shape: the job then fails for
   * good
   */
  parse(payload: unknown): JobPayloads[K];
  /** How many may run at the same time; 1 by default. */
  readonly concurrency?: number;
  /** The time limit of one try; an hour by default. */
  readonly timeLimitMs?: number;
  /** The total number of tries, counted when a job is taken; 8 by default. */
  readonly maxTries?: number;
  /**
   * The delay after the first failure, doubled after each further one up to the maximum; 2 seconds and an hour by
   * default.
   */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number };
  /** Of all jobs with the same key, of whatever kind, only one runs at a time. */
  exclusionKey?(payload: JobPayloads[K]): string;
}

export type AbortCause = "timed out" | "cancelled" | "stopping";

/** Why a job's signal was aborted. */
export class JobAborted extends Error {
  override name = "JobAborted";
  constructor(readonly reason: AbortCause) {
    super(
      reason === "stopping" ? "the server is stopping" : `the job ${reason === "cancelled" ? "was " : ""}${reason}`,
    );
  }
}

export type JobState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** A job as shown to administrators. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: number;
  readonly kind: string;
  /** As JSON. */
  readonly payload: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly progress: string;
  readonly percent: number | null;
  readonly runAt: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** A change in a job, for live pages. */
export interface JobChange {
  readonly id: number;
  readonly kind: string;
  readonly state: JobState;
  readonly progress: string;
  readonly percent: number | undefined;
}
