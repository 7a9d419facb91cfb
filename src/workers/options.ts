import type { JobName, JobResult } from "./jobs.ts";
import type { Lane } from "./task.ts";
import type { ThreadOptions } from "./threads.ts";

/** How a job is run. */
export interface JobOptions {
  readonly lane?: Lane;
  readonly signal?: AbortSignal;
  readonly onNote?: (note: string) => void;
  /**
   * A job that only computes fails after this long in a thread, or four times as long waiting for one, and its thread
   * is terminated at once; maintenance may wait as long as it must. If undefined, interactive jobs, which someone waits
   * for, are aborted after a minute.
   */
  readonly timeoutMs?: number;
  /**
   * What the job counts towards, besides the client, so that nobody gets all threads (FairQueue). In the interactive
   * lane a `repoDir` in the input counts by itself.
   */
  readonly share?: string;
}

export interface PoolOptions extends ThreadOptions {
  /**
   * Threads for fetches and other long work, and as many for pushes, at the same time. Those waiting for a client do
   * not count.
   */
  readonly bulk: number;
  /** Threads reserved for work that someone waits for (highlighting, diffs). */
  readonly interactive: number;
  /** Threads for maintenance; one by default. */
  readonly maintenance?: number;
  /** Threads that flush files to the disk; two by default. */
  readonly writes?: number;
  /**
   * A fetch or push fails after this long at work, not counting time spent waiting for its client; two hours by
   * default.
   */
  readonly workLimitMs?: number;
  /** A job whose output nobody reads for this long is aborted; a minute by default. */
  readonly stallTimeoutMs?: number;
  /** How long an aborted job may take to end before its thread is terminated; two seconds by default. */
  readonly abortGraceMs?: number;
}

/** A job in progress. */
export interface Job<K extends JobName> {
  /** Streams bytes in; resolves once more may be sent. The buffer must not be used afterwards. */
  send(chunk: Uint8Array): Promise<void>;
  /** Ends the input. */
  end(): void;
  /** The bytes that the job emits; it only makes progress while they are read (or it is aborted). */
  readonly output: ReadableStream<Uint8Array>;
  /** Rejects with an AbortError once an aborted job has really ended: from then on it touches no file. */
  readonly result: Promise<JobResult<K>>;
  /** Tells the job to stop; a thread that does not within the grace time is terminated, and what it held is freed. */
  abort(): void;
}
