import { Overloaded } from "./errors.ts";

/**
 * A concurrency limit for each key. Callers beyond it wait in a queue of bounded length; when that is full, further
 * callers are refused at once, because a queue that only grows helps nobody.
 */
export class Semaphore<Key extends string | number = number> {
  private readonly running = new Map<Key, number>();
  private readonly waiting = new Map<Key, (() => void)[]>();

  /** @param maxWaiting the maximum queue length for one key */
  constructor(
    private readonly atATime: number,
    private readonly maxWaiting = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * Waits for a slot. @returns a function that releases it, to be called exactly once
   * @throws AbortError if the signal fires while waiting; Overloaded `server.busy` if the queue is full
   */
  async enter(key: Key, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if ((this.running.get(key) ?? 0) >= this.atATime) await this.queue(key, signal);
    else this.running.set(key, (this.running.get(key) ?? 0) + 1);
    return () => this.leave(key);
  }

  /** Whether any slot for that key is in use. */
  isTaken(key: Key): boolean {
    return this.running.has(key);
  }

  private queue(key: Key, signal: AbortSignal): Promise<void> {
    const line = this.waiting.get(key) ?? [];
    if (line.length >= this.maxWaiting) throw new Overloaded("server.busy", 1);
    this.waiting.set(key, line);
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener("abort", leaveLine);
        resolve();
      };
      const leaveLine = () => {
        line.splice(line.indexOf(take), 1);
        if (line.length === 0) this.waiting.delete(key);
        reject(new DOMException("the client went away", "AbortError"));
      };
      line.push(take);
      signal.addEventListener("abort", leaveLine, { once: true });
    });
  }

  /** Hands the slot to the next in the queue, or frees it. */
  private leave(key: Key): void {
    const line = this.waiting.get(key);
    const next = line?.shift();
    if (line?.length === 0) this.waiting.delete(key);
    if (next) {
      next();
      return;
    }
    const left = (this.running.get(key) ?? 1) - 1;
    if (left <= 0) this.running.delete(key);
    else this.running.set(key, left);
  }
}
