import type { Commits } from "../../graph/commits.ts";
import { Flags } from "../../graph/flags.ts";
import { PriorityQueue } from "../../priority-queue.ts";

/** Flags of a commit during a walk. */
export const SEEN = 1;
/** Reachable from an excluded commit. */
export const UNINTERESTING = 2;
/** Does not change the requested paths itself. */
export const SAME = 4;
/** Its parents were examined. */
export const ADDED = 8;
export const SHOWN = 16;
/** Given as excluded. */
export const BOTTOM = 32;
export const LEFT = 64;
/** Its parents are known: flags spread only through such commits, as in git, which has not read the others yet. */
export const PARSED = 128;
export const CHILD_SHOWN = 256;
export const BOUNDARY = 512;
export const EXPLORED = 1024;
export const COUNTED = 2048;
const QUEUED = 4096;
/** Its history continues with the first parent alone. */
const FIRST_ALONE = 8192;

/** The flags and simplified parents of one walk, and its queue by date. */
export class WalkState {
  readonly flags: Flags;
  private readonly queue = new PriorityQueue<number>();
  /** Commits in the queue that are not uninteresting. */
  private interesting = 0;
  /** Parents of commits whose history was simplified. */
  private readonly simplified = new Map<number, readonly number[]>();

  constructor(readonly commits: Commits) {
    this.flags = new Flags(commits.size);
  }

  has(position: number, mask: number): boolean {
    return (this.flags.get(position) & mask) !== 0;
  }

  /** Whether the commit is part of the wanted history, or was given as excluded. */
  isRelevant(position: number): boolean {
    return (this.flags.get(position) & (UNINTERESTING | BOTTOM)) !== UNINTERESTING;
  }

  parentsOf(position: number): readonly number[] {
    const own = this.simplified.get(position);
    if (own) return own;
    return this.has(position, FIRST_ALONE) ? [this.commits.firstParentOf(position)] : this.commits.parentsOf(position);
  }

  /** -1 if there is none. */
  firstParentOf(position: number): number {
    const own = this.simplified.size > 0 ? this.simplified.get(position) : undefined;
    return own ? (own[0] ?? -1) : this.commits.firstParentOf(position);
  }

  hasMoreParents(position: number): boolean {
    const own = this.simplified.size > 0 ? this.simplified.get(position) : undefined;
    if (own) return own.length > 1;
    return this.commits.secondParentOf(position) !== -1 && !this.has(position, FIRST_ALONE);
  }

  /** For a commit with parents. A flag instead of a list, as it applies to nearly all merges of a walk by path. */
  followFirst(position: number): void {
    this.flags.add(position, FIRST_ALONE);
  }

  setParents(position: number, parents: readonly number[]): void {
    this.simplified.set(position, parents);
  }

  enqueue(position: number): void {
    const flags = this.flags.add(position, QUEUED);
    if ((flags & UNINTERESTING) === 0) this.interesting++;
    this.queue.push(position, this.commits.timeOf(position));
  }

  dequeue(): number | undefined {
    const position = this.queue.pop();
    if (position === undefined) return undefined;
    this.flags.clear(position, QUEUED);
    if (!this.has(position, UNINTERESTING)) this.interesting--;
    return position;
  }

  get queueSize(): number {
    return this.queue.size;
  }

  /** The date of the next commit. */
  get nextTime(): number {
    return this.queue.topKey;
  }

  get hasInteresting(): boolean {
    return this.interesting > 0;
  }

  markUninteresting(position: number): boolean {
    const before = this.flags.add(position, UNINTERESTING);
    if ((before & UNINTERESTING) !== 0) return false;
    if ((before & QUEUED) !== 0) this.interesting--;
    return true;
  }

  /** Marks the parents as uninteresting, and all their ancestors known so far. */
  markParentsUninteresting(position: number): void {
    const waiting = [...this.parentsOf(position)];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.markUninteresting(at) && this.has(at, PARSED)) waiting.push(...this.parentsOf(at));
    }
  }
}
