import { PriorityQueue } from "../../priority-queue.ts";
import { descentKey } from "../paint.ts";
import { COUNTED, EXPLORED, PARSED, UNINTERESTING, type WalkState } from "./state.ts";
import type { ReadyCommits } from "./topo.ts";

/** How far a corrected date can exceed a commit's own and still be distinguished: what a double's fraction can hold. */
const LARGEST_LIFT = 2 ** 20;

/** The part of the walk that examines commits. */
export interface TopoSteps {
  /** Called once for each commit, in order of generations: exclusion and simplification. */
  explore(position: number): void;
  /** Whether only first parents are followed. */
  readonly firstParent: boolean;
}

/**
 * Shows no commit before its children without walking the whole history first: generation numbers limit how far down a
 * commit's children can be. Three waves descend: one explores, one counts children, one shows.
 */
export class TopoWalk {
  private readonly explored = new PriorityQueue<number>();
  private readonly counted = new PriorityQueue<number>();
  /** Number of children still to be shown, plus one. */
  private readonly open = new Map<number, number>();
  private floor = Number.POSITIVE_INFINITY;

  constructor(
    private readonly state: WalkState,
    private readonly steps: TopoSteps,
    private readonly ready: ReadyCommits,
    starts: readonly number[],
  ) {
    for (const position of starts) {
      this.enter(this.explored, position, EXPLORED);
      this.enter(this.counted, position, COUNTED);
      this.floor = Math.min(this.floor, this.depthOf(position));
      this.open.set(position, 1);
    }
    this.countDownTo(this.floor);
    for (const position of starts) if (this.open.get(position) === 1) ready.put(position);
    ready.reverse();
  }

  next(): number | undefined {
    const position = this.ready.take();
    if (position !== undefined) this.open.delete(position);
    return position;
  }

  /** Continues with the parents of a commit that `next` returned. */
  expand(position: number): void {
    // With first parents only, git continues with the next parent if the first is excluded.
    for (const parent of this.state.parentsOf(position)) {
      if (this.state.has(parent, UNINTERESTING)) continue;
      const depth = this.depthOf(parent);
      if (depth < this.floor) {
        this.floor = depth;
        this.countDownTo(depth);
      }
      const count = (this.open.get(parent) ?? 0) - 1;
      this.open.set(parent, count);
      if (count === 1) this.ready.put(parent);
      if (this.steps.firstParent) return;
    }
  }

  private enter(queue: PriorityQueue<number>, position: number, mark: number): void {
    if ((this.state.flags.add(position, mark) & mark) === 0) queue.push(position, this.orderOf(position));
  }

  private exploreDownTo(floor: number): void {
    while (Math.ceil(this.explored.topKey) >= floor) {
      const position = this.explored.pop();
      if (position === undefined) return;
      this.steps.explore(position);
      for (const parent of this.state.parentsOf(position)) this.enter(this.explored, parent, EXPLORED);
    }
  }

  private countDownTo(floor: number): void {
    while (Math.ceil(this.counted.topKey) >= floor) {
      const position = this.counted.pop();
      if (position === undefined) return;
      this.exploreDownTo(this.depthOf(position));
      for (const parent of this.state.parentsOf(position)) {
        this.state.flags.add(parent, PARSED);
        const count = this.open.get(parent) ?? 0;
        this.open.set(parent, count === 0 ? 2 : count + 1);
        this.enter(this.counted, parent, COUNTED);
        if (this.steps.firstParent) break;
      }
    }
  }

  /**
   * Sorts by generation; on ties the newer comes first, by subtracting less than one. git does not know the generation
   * of a commit it has not read yet, such as a merged side when following first parents, and takes it at once.
   */
  private orderOf(position: number): number {
    if (!this.state.has(position, PARSED)) return Number.POSITIVE_INFINITY;
    const depth = this.depthOf(position);
    const lift = Math.max(0, depth - this.state.commits.timeOf(position));
    return depth - Math.min(lift, LARGEST_LIFT) / (2 * LARGEST_LIFT);
  }

  private depthOf(position: number): number {
    return descentKey(this.state.commits, position);
  }
}
