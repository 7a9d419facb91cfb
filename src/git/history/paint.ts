import type { Commits } from "../graph/commits.ts";
import { Flags } from "../graph/flags.ts";
import { PriorityQueue } from "../priority-queue.ts";

/**
 * Puts commits of unknown generation above all others: they are outside the graph, so never ancestors of one inside.
 */
const UNKNOWN = 2 ** 40;

/**
 * A key that sorts descendants before ancestors: exactly where generations are known, otherwise by committer time
 * (where a wrong clock can mislead it, as it can mislead git without a graph).
 */
export function descentKey(commits: Commits, position: number): number {
  const generation = commits.generationOf(position);
  return generation === Number.POSITIVE_INFINITY ? UNKNOWN + commits.timeOf(position) : generation;
}

/**
 * Spreads colours from commits to all their ancestors, newest first, until every commit in the queue has all the
 * colours of `done`. A commit that gains a colour is examined again.
 */
export class Painter {
  readonly flags: Flags;
  /** Every commit that has a colour, once, in the order first coloured. */
  readonly met: number[] = [];
  private readonly queue = new PriorityQueue<number>();
  private readonly queued: Flags;
  /** Commits in the queue that lack a colour of `done`. */
  private open = 0;

  constructor(
    private readonly commits: Commits,
    private readonly done: number,
    /** Colours that spread to first parents only. */
    private readonly firstOnly = 0,
  ) {
    this.flags = new Flags(commits.size);
    this.queued = new Flags(commits.size);
  }

  add(position: number, colours: number): void {
    const before = this.flags.add(position, colours);
    if ((before | colours) === before) return;
    if (before === 0) this.met.push(position);
    const wasOpen = (before & this.done) !== this.done;
    const isOpen = ((before | colours) & this.done) !== this.done;
    if (this.queued.get(position)) {
      if (wasOpen && !isOpen) this.open--;
      return;
    }
    this.queued.add(position, 1);
    if (isOpen) this.open++;
    this.queue.push(position, descentKey(this.commits, position));
  }

  /** @param extra called for each commit examined: returns additional colours for its parents */
  run(extra?: (position: number, colours: number) => number): void {
    while (this.open > 0) {
      const position = this.queue.pop()!;
      this.queued.clear(position);
      const colours = this.flags.get(position);
      if ((colours & this.done) !== this.done) this.open--;
      const pass = extra ? colours | extra(position, colours) : colours;
      const first = this.commits.firstParentOf(position);
      if (first < 0) continue;
      this.add(first, pass);
      const others = pass & ~this.firstOnly;
      const second = others === 0 ? -1 : this.commits.secondParentOf(position);
      if (second >= 0) this.add(second, others);
      else if (second === -2) for (const parent of this.commits.parentsOf(position)) this.add(parent, others);
    }
  }
}
