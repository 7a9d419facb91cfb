import type { Cacheable, CacheableKind } from "./thread-cache.ts";

/**
 * What a job sees of the outside. A job is a module that exports `run(input, context)`; its input and its
 * result are plain data. It runs in a worker thread and may block it for as long as it needs.
 */
export interface JobContext {
  /**
   * Aborted when no one waits for the result any more: the client went away, the time limit passed, the server stops.
   * Synchronous loops poll it (`throwIfAborted`, `aborted`) and hear of it at once. Who has not ended two seconds later
   * loses the thread in the middle of what it does.
   */
  readonly signal: AbortSignal;

  /** Bytes the caller streams in, in order; the caller is held back while more than a few chunks wait here. */
  readonly input: AsyncIterable<Uint8Array>;

  /** Streams bytes out, handing the buffer over. Resolves once the caller may take more. */
  emit(chunk: Uint8Array<ArrayBuffer>): Promise<void>;

  /**
   * Waits until no other thread has objects of many megabytes in memory; from then until the job ends, none has. Not
   * to be asked for by one that still waits for its client.
   */
  takeLargeObjects(this: void): void;

  /** Names a place between two durable steps, where the crash tests may kill the process (kernel/crash.ts). */
  crash(this: void, name: string): void;

  /** What a job of this thread left open under that name, or opened now; the thread closes it when others push it out. */
  cached<T extends Cacheable>(this: void, kind: CacheableKind<T>, name: string): T;

  /** Tells the caller something small, without waiting (progress text, counters). */
  tell(note: string): void;
}
