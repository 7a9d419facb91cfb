/** At most so many at a time for each number; the others wait in line. */
export class Semaphore {
  private readonly running = new Map<number, number>();
  private readonly waiting = new Map<number, (() => void)[]>();

  constructor(private readonly atATime: number) {}

  /**
   * Waits for a place. @returns what gives it back, to be called once
   * @throws AbortError when the signal fires while waiting
   */
  async enter(id: number, signal: AbortSignal): Promise<() => void> {
    if ((this.running.get(id) ?? 0) >= this.atATime) await this.place(id, signal);
    else this.running.set(id, (this.running.get(id) ?? 0) + 1);
    return () => this.leave(id);
  }

  /** Whether anybody has a place. */
  isTaken(id: number): boolean {
    return this.running.has(id);
  }

  private place(id: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(id) ?? [];
      this.waiting.set(id, line);
      const take = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        line.splice(line.indexOf(take), 1);
        reject(new DOMException("the client went away", "AbortError"));
      };
      line.push(take);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Hands the place to the next in line, or frees it. */
  private leave(id: number): void {
    const line = this.waiting.get(id);
    const next = line?.shift();
    if (line?.length === 0) this.waiting.delete(id);
    if (next) {
      next();
      return;
    }
    const left = (this.running.get(id) ?? 1) - 1;
    if (left <= 0) this.running.delete(id);
    else this.running.set(id, left);
  }
}
