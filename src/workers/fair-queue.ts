/**
 * What the queue must know about a task: the client and the repository it counts towards (`client:203.0.113.7`,
 * `repo:12`).
 */
export interface Shared {
  readonly shares: readonly string[];
}

/** How many tasks of each share are running. */
export type SharesAtWork = ReadonlyMap<string, number>;

/**
 * Tasks that wait for a thread. No client and no repository gets more than its share of the threads at a time, so that
 * one always remains for the others. Among the tasks that may run, those whose shares have the fewest running come
 * first, then the oldest, so that one client's long queue does not delay another's.
 */
export class FairQueue<Task extends Shared> {
  private waiting: Task[] = [];

  /** @param maxPerShare tasks of one client or one repository that may run at a time */
  constructor(private readonly maxPerShare: number) {}

  get length(): number {
    return this.waiting.length;
  }

  push(task: Task): void {
    this.waiting.push(task);
  }

  /** Removes and returns the next task that may run and that the caller accepts. */
  next(atWork: SharesAtWork, accepts: (task: Task) => boolean = () => true): Task | undefined {
    let place = -1;
    let fewest = this.maxPerShare;
    for (const [at, task] of this.waiting.entries()) {
      const own = most(task, atWork);
      if (own >= fewest || !accepts(task)) continue;
      place = at;
      fewest = own;
      if (own === 0) break;
    }
    return place < 0 ? undefined : this.waiting.splice(place, 1)[0];
  }

  /** Removes a task that is no longer needed. @returns whether it was waiting */
  remove(task: Task): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((other) => other !== task);
    return this.waiting.length < before;
  }

  /** Removes and returns all tasks. */
  clear(): Task[] {
    return this.waiting.splice(0);
  }
}

/** The largest number of running tasks among its shares. */
function most({ shares }: Shared, atWork: SharesAtWork): number {
  let count = 0;
  for (const share of shares) count = Math.max(count, atWork.get(share) ?? 0);
  return count;
}
