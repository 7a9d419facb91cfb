import { Overloaded } from "./errors.ts";

/**
 * At most so many at a time for each key; the others wait in line, and the line has an end: who comes when it is full
 * is told so at once, because a queue that only grows helps no one.
 */
export class Semaphore<Key extends string | number = number> {
  private readonly running = new Map<Key, number>();
  private readonly waiting = new Map<Key, (() => void)[]>();

  /** @param maxWaiting in line for one key */
  constructor(
    private readonly atATime: number,
    private readonly maxWaiting = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * Waits for a place. @returns what gives it back, to be called once
   * @throws AbortError when the signal fires while waiting; Overloaded `server.busy` when the line is full
   */
  async enter(key: Key, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if ((this.running.get(key) ?? 0) >= this.atATime) await this.queue(key, signal);
    else this.running.set(key, (this.running.get(key) ?? 0) + 1);
    return () => this.leave(key);
  }

  /** Whether anybody has a place. */
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

  /** Hands the place to the next in line, or frees it. */
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
