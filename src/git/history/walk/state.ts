import type { Commits } from "../../graph/commits.ts";
import { Marks } from "../../graph/marks.ts";
import { CommitQueue } from "../../graph/queue.ts";

/** What is known of a commit during a walk. */
export const SEEN = 1;
/** Reachable from a commit that is left out. */
export const UNINTERESTING = 2;
/** Has no change of the wanted paths of its own. */
export const SAME = 4;
/** Its parents were looked at. */
export const ADDED = 8;
export const SHOWN = 16;
/** Named to be left out. */
export const BOTTOM = 32;
export const LEFT = 64;
/** Its parents are known: marks spread no further than that, as in git, which has read no other commits yet. */
export const PARSED = 128;
export const CHILD_SHOWN = 256;
export const BOUNDARY = 512;
export const EXPLORED = 1024;
export const COUNTED = 2048;
const QUEUED = 4096;

/** Marks and simplified parents of one walk, and its queue by date. */
export class WalkState {
  readonly marks: Marks;
  private readonly queue = new CommitQueue();
  /** Commits in the queue that are not uninteresting. */
  private interesting = 0;
  /** Parents of commits whose history was simplified. */
  private readonly simplified = new Map<number, readonly number[]>();

  constructor(readonly commits: Commits) {
    this.marks = new Marks(commits.size);
  }

  has(number: number, mask: number): boolean {
    return (this.marks.get(number) & mask) !== 0;
  }

  /** Whether the commit is part of the wanted history, or named as its end. */
  isRelevant(number: number): boolean {
    return (this.marks.get(number) & (UNINTERESTING | BOTTOM)) !== UNINTERESTING;
  }

  parentsOf(number: number): readonly number[] {
    return this.simplified.get(number) ?? this.commits.parentsOf(number);
  }

  /** -1 without one. */
  firstParentOf(number: number): number {
    const own = this.simplified.size > 0 ? this.simplified.get(number) : undefined;
    return own ? (own[0] ?? -1) : this.commits.firstParentOf(number);
  }

  hasMoreParents(number: number): boolean {
    const own = this.simplified.size > 0 ? this.simplified.get(number) : undefined;
    return own ? own.length > 1 : this.commits.secondParentOf(number) !== -1;
  }

  setParents(number: number, parents: readonly number[]): void {
    this.simplified.set(number, parents);
  }

  enqueue(number: number): void {
    const marks = this.marks.add(number, QUEUED);
    if ((marks & UNINTERESTING) === 0) this.interesting++;
    this.queue.push(number, this.commits.timeOf(number));
  }

  dequeue(): number | undefined {
    const number = this.queue.pop();
    if (number === undefined) return undefined;
    this.marks.clear(number, QUEUED);
    if (!this.has(number, UNINTERESTING)) this.interesting--;
    return number;
  }

  get queueSize(): number {
    return this.queue.size;
  }

  /** The date of what comes next. */
  get nextTime(): number {
    return this.queue.topKey;
  }

  get hasInteresting(): boolean {
    return this.interesting > 0;
  }

  markUninteresting(number: number): boolean {
    const before = this.marks.add(number, UNINTERESTING);
    if ((before & UNINTERESTING) !== 0) return false;
    if ((before & QUEUED) !== 0) this.interesting--;
    return true;
  }

  /** Marks the parents, and everything above them that is known. */
  markParentsUninteresting(number: number): void {
    const waiting = [...this.parentsOf(number)];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.markUninteresting(at) && this.has(at, PARSED)) waiting.push(...this.parentsOf(at));
    }
  }
}
