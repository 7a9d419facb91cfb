import type { JobName, JobResult } from "./jobs.ts";
import type { Lane } from "./task.ts";
import type { ThreadOptions } from "./threads.ts";

/** How a job is run. */
export interface JobOptions {
  readonly lane?: Lane;
  readonly signal?: AbortSignal;
  readonly onNote?: (note: string) => void;
  /**
   * A job that only computes fails after so long in a thread, or four times as long without one, and its thread is ended
   * at once; maintenance may wait as long as it must. Without it, interactive ones, which someone waits for, are aborted after a minute.
   */
  readonly timeoutMs?: number;
  /**
   * For whom or on what it works, besides the client: no one has all threads (FairQueue). In the interactive lane a
   * `repoDir` of the input counts by itself.
   */
  readonly share?: string;
}

export interface PoolOptions extends ThreadOptions {
  /** Threads at fetches and other long work, and as many at pushes, at the same time. Those that wait for a client do not count. */
  readonly bulk: number;
  /** Threads kept for work someone is waiting for (highlighting, diffs). */
  readonly interactive: number;
  /** Threads for maintenance; one by default. */
  readonly maintenance?: number;
  /** Threads that flush files to the disk; two by default. */
  readonly writes?: number;
  /** A fetch or push fails after being at work for so long, waiting for its client apart; two hours by default. */
  readonly workLimitMs?: number;
  /** A job whose output no one reads for this long is aborted; a minute by default. */
  readonly stallTimeoutMs?: number;
  /** How long a job that is aborted may take to end by itself before its thread is ended; two seconds by default. */
  readonly abortGraceMs?: number;
}

/** A job under way. */
export interface Job<K extends JobName> {
  /** Streams bytes in; resolves once more may be sent. The buffer must not be used afterwards. */
  send(chunk: Uint8Array): Promise<void>;
  /** No more input. */
  end(): void;
  /** The bytes the job emits; must be read (or the job aborted) for it to go on. */
  readonly output: ReadableStream<Uint8Array>;
  /** Fails with an AbortError once an aborted job has really ended: from then on it touches no file. */
  readonly result: Promise<JobResult<K>>;
  /** Tells the job to stop; a thread that does not within the grace time is ended, and what it held is freed. */
  abort(): void;
}
