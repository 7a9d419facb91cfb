import { PriorityQueue } from "../../priority-queue.ts";
import type { WalkOrder } from "./options.ts";
import type { WalkState } from "./state.ts";

/** Commits whose children have all been shown. */
export class ReadyCommits {
  private readonly stack: number[] = [];
  private readonly queue = new PriorityQueue<number>();

  /** @param keyOf largest key first; if undefined, last in first out */
  constructor(private readonly keyOf: ((position: number) => number) | undefined) {}

  put(position: number): void {
    if (this.keyOf) this.queue.push(position, this.keyOf(position));
    else this.stack.push(position);
  }

  /** Makes the initial commits come out in the order they were put in. */
  reverse(): void {
    this.stack.reverse();
  }

  take(): number | undefined {
    return this.keyOf ? this.queue.pop() : this.stack.pop();
  }
}

/** The ready commits for an order that shows no commit before its children. */
export function readyCommits(state: WalkState, order: WalkOrder, authorTimeOf: (position: number) => number) {
  if (order === "topo-date") return new ReadyCommits((position) => state.commits.timeOf(position));
  return new ReadyCommits(order === "topo-author" ? authorTimeOf : undefined);
}

/** Sorts a list so that no commit comes before its children. */
export function sortTopologically(state: WalkState, list: readonly number[], ready: ReadyCommits): number[] {
  /** Number of children still to be shown, plus one; unset for commits that are not in the list. */
  const open = new Map<number, number>(list.map((position) => [position, 1]));
  for (const position of list)
    for (const parent of state.parentsOf(position)) {
      const count = open.get(parent);
      if (count !== undefined) open.set(parent, count + 1);
    }
  for (const position of list) if (open.get(position) === 1) ready.put(position);
  ready.reverse();
  const sorted: number[] = [];
  for (let position = ready.take(); position !== undefined; position = ready.take()) {
    for (const parent of state.parentsOf(position)) {
      const count = open.get(parent);
      if (count === undefined) continue;
      open.set(parent, count - 1);
      if (count === 2) ready.put(parent);
    }
    open.delete(position);
    sorted.push(position);
  }
  return sorted;
}
