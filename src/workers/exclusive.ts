/**
 * A lock in shared memory, for work that takes so much memory that only one thread may do it at a time. If a thread is
 * terminated in the middle, its owner frees the lock with `release`.
 */
export class Exclusive {
  private static readonly FREE = 0;
  private static readonly LOOK_MS = 50;

  /** @param word shared by all threads @param thread this thread's number, not 0 */
  constructor(
    private readonly word: Int32Array,
    private readonly thread: number,
  ) {}

  /**
   * Blocks until no other thread holds the lock. Does nothing if this thread already holds it. @throws the signal's
   * reason
   */
  take(signal: AbortSignal): void {
    for (;;) {
      signal.throwIfAborted();
      const holder = Atomics.compareExchange(this.word, 0, Exclusive.FREE, this.thread);
      if (holder === Exclusive.FREE || holder === this.thread) return;
      Atomics.wait(this.word, 0, holder, Exclusive.LOOK_MS);
    }
  }

  /** Frees the lock; does nothing if the thread does not hold it. */
  release(): void {
    if (Atomics.compareExchange(this.word, 0, this.thread, Exclusive.FREE) === this.thread)
      Atomics.notify(this.word, 0);
  }
}
