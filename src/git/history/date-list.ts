import type { Commits } from "../graph/commits.ts";

/** Commits to be visited, newest first; of equally old ones the one that came first. For walks whose order git's output tells. */
export class DateList {
  /** Oldest first, so that its end is cheap to take. */
  private readonly waiting: number[] = [];

  constructor(private readonly commits: Commits) {}

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  add(number: number): void {
    const { waiting, commits } = this;
    const time = commits.timeOf(number);
    let low = 0;
    let high = waiting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (commits.timeOf(waiting[middle]!) >= time) high = middle;
      else low = middle + 1;
    }
    waiting.splice(low, 0, number);
  }

  take(): number | undefined {
    return this.waiting.pop();
  }

  every(test: (number: number) => boolean): boolean {
    return this.waiting.every(test);
  }
}
