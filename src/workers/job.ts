import type { Cacheable, CacheableKind } from "./thread-cache.ts";

/**
 * A job's interface to the outside. A job is a module that exports `run(input, context)`; its input and its result are
 * plain data. It runs in a worker thread and may block it for as long as it needs.
 */
export interface JobContext {
  /**
   * Aborted when nobody waits for the result any more: the client disconnected, the time limit passed, the server
   * stops. Synchronous loops that poll it (`throwIfAborted`, `aborted`) notice at once. If the job has not ended two
   * seconds later, its thread is terminated.
   */
  readonly signal: AbortSignal;

  /** The bytes that the caller streams in, in order; the caller is held back while more than a few chunks wait here. */
  readonly input: AsyncIterable<Uint8Array>;

  /** Streams bytes out, transferring the buffer. Resolves once the caller is ready for more. */
  emit(chunk: Uint8Array<ArrayBuffer>): Promise<void>;

  /**
   * Waits until no other thread has many megabytes of objects in memory; from then until the job ends, no other will. A
   * job that still waits for its client must not call this.
   */
  takeLargeObjects(this: void): void;

  /** Names a point between two durable steps at which the crash tests may kill the process (kernel/crash.ts). */
  crash(this: void, name: string): void;

  /**
   * Returns what an earlier job of this thread left open under that name, or opens it now; the thread closes it when
   * others displace it.
   */
  cached<T extends Cacheable>(this: void, kind: CacheableKind<T>, name: string): T;

  /** Sends the caller something small, without waiting (progress text, counters). */
  tell(note: string): void;
}
