/**
 * A word in shared memory that one thread has at a time: for work that takes so much memory that only one may be at it.
 * A thread that is ended in the middle of it gives it back by `release`.
 */
export class Exclusive {
  private static readonly FREE = 0;
  private static readonly LOOK_MS = 50;

  /** @param word shared by all threads @param thread this one's number, not 0 */
  constructor(
    private readonly word: Int32Array,
    private readonly thread: number,
  ) {}

  /** Blocks until no other thread has it. Having it already is fine. @throws what the signal says */
  take(signal: AbortSignal): void {
    for (;;) {
      signal.throwIfAborted();
      const holder = Atomics.compareExchange(this.word, 0, Exclusive.FREE, this.thread);
      if (holder === Exclusive.FREE || holder === this.thread) return;
      Atomics.wait(this.word, 0, holder, Exclusive.LOOK_MS);
    }
  }

  /** Gives it back; nothing happens when the thread does not have it. */
  release(): void {
    if (Atomics.compareExchange(this.word, 0, this.thread, Exclusive.FREE) === this.thread)
      Atomics.notify(this.word, 0);
  }
}
