/** What the queue must know of a task: for whom and on what it works (`client:203.0.113.7`, `repo:12`). */
export interface Shared {
  readonly shares: readonly string[];
}

/** How many tasks of each share are at work now. */
export type SharesAtWork = ReadonlyMap<string, number>;

/**
 * Tasks that wait for a thread. No client and no repository has more than its share of the threads at a time: there is
 * always one that the others can have. Among those that may run, whoever has least at work comes first, and then who
 * came first, so that a long line of one client's does not stand before another's.
 */
export class FairQueue<Task extends Shared> {
  private waiting: Task[] = [];

  /** @param maxPerShare tasks of one client or one repository that may be at work at a time */
  constructor(private readonly maxPerShare: number) {}

  get length(): number {
    return this.waiting.length;
  }

  push(task: Task): void {
    this.waiting.push(task);
  }

  /** Takes out the next task that may run, of those that the caller accepts. */
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
}

/** The most that any of its shares has at work. */
function most({ shares }: Shared, atWork: SharesAtWork): number {
  let count = 0;
  for (const share of shares) count = Math.max(count, atWork.get(share) ?? 0);
  return count;
}
