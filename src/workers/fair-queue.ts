/** What the queue must know of a task: for whom and on what it works (`client:203.0.113.7`, `repo:12`). */
export interface Shared {
  readonly shares: readonly string[];
}

/**
 * Tasks that wait for a thread, first come first served, except that no client and no repository has more than its
 * share of the threads at a time: there is always one that the others can have.
 */
export class FairQueue<Task extends Shared> {
  private waiting: Task[] = [];
  private readonly running = new Map<string, number>();

  /** @param maxPerShare tasks of one client or one repository that may run at a time */
  constructor(private readonly maxPerShare: number) {}

  get length(): number {
    return this.waiting.length;
  }

  push(task: Task): void {
    this.waiting.push(task);
  }

  /** Whether a task is there that may run now. */
  hasNext(): boolean {
    return this.waiting.some((task) => this.mayRun(task));
  }

  /** Takes out the first task that may run; it counts as running until `done`. */
  next(): Task | undefined {
    const at = this.waiting.findIndex((task) => this.mayRun(task));
    const task = at < 0 ? undefined : this.waiting.splice(at, 1)[0];
    for (const share of task?.shares ?? []) this.running.set(share, (this.running.get(share) ?? 0) + 1);
    return task;
  }

  /** A task that `next` gave out has ended. */
  done(task: Task): void {
    for (const share of task.shares) {
      const left = (this.running.get(share) ?? 1) - 1;
      if (left > 0) this.running.set(share, left);
      else this.running.delete(share);
    }
  }

  /** Takes out a task that no one wants any more. @returns whether it was waiting */
  remove(task: Task): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((other) => other !== task);
    return this.waiting.length < before;
  }

  /** Takes out all. */
  clear(): Task[] {
    return this.waiting.splice(0);
  }

  private mayRun(task: Task): boolean {
    return task.shares.every((share) => (this.running.get(share) ?? 0) < this.maxPerShare);
  }
}
