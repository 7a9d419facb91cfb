import type { Commits } from "../graph/commits.ts";
import { Marks } from "../graph/marks.ts";
import { CommitQueue } from "../graph/queue.ts";
import type { Oid } from "../objects/types.ts";
import { Painter } from "./paint.ts";
import { PathState } from "./path-state.ts";

export interface Range {
  /** Commits whose ancestors are wanted, themselves included. */
  readonly tips: readonly Oid[];
  /** Commits whose ancestors are not, themselves included. */
  readonly not?: readonly Oid[];
  /** Follow first parents only. */
  readonly firstParent?: boolean;
}

export interface LogOptions extends Range {
  /** "date" (the default) shows the newest first, as `git log` does; "topo" keeps lines of work together. */
  readonly order?: "date" | "topo";
  /** Only commits that changed this file or folder, simplified as `git log -- path` does; no slash at the ends. */
  readonly path?: string;
}

export interface Page {
  readonly oids: Oid[];
  /** Whether there are further ones. */
  readonly more: boolean;
}

const WANTED = 1;
const UNWANTED = 2;
const SEEN = 4;

/**
 * A page of history.
 * @param skip commits to leave out before the page
 * @param limit commits on the page at most
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function log(commits: Commits, options: LogOptions, skip: number, limit: number): Page {
  const oids: Oid[] = [];
  let passed = 0;
  for (const number of walk(commits, options)) {
    if (passed++ < skip) continue;
    if (oids.length === limit) return { oids, more: true };
    oids.push(commits.oidOf(number));
  }
  return { oids, more: false };
}

/**
 * How many commits `walk` would yield. Without a path, 80,000 commits of a commit-graph are counted in milliseconds.
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function countCommits(commits: Commits, options: LogOptions): number {
  let count = 0;
  if (options.path) {
    for (const _ of walk(commits, { ...options, order: "date" })) count++;
    return count;
  }
  if (options.not?.length) {
    const painter = paint(commits, options);
    for (const number of painter.met) if (painter.marks.get(number) === WANTED) count++;
    return count;
  }
  const marks = new Marks(commits.size);
  const waiting: number[] = [];
  const add = (number: number) => {
    if (number >= 0 && marks.add(number, SEEN) === 0) waiting.push(number);
  };
  for (const tip of options.tips) add(commits.numberOf(tip));
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    count++;
    add(commits.firstParentOf(number));
    if (options.firstParent) continue;
    const second = commits.secondParentOf(number);
    if (second === -2) for (const parent of commits.parentsOf(number)) add(parent);
    else add(second);
  }
  return count;
}

/**
 * The commits of a range, by number, in order.
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function walk(commits: Commits, options: LogOptions): Generator<number> {
  const unwanted = options.not?.length ? paint(commits, options).marks : undefined;
  const range = new DateWalk(commits, options, unwanted);
  return options.order === "topo" ? topological(range) : range.walk();
}

/** Marks the ancestors of `not`, as far down as wanted commits go. */
function paint(commits: Commits, { tips, not, firstParent }: Range): Painter {
  const painter = new Painter(commits, UNWANTED, firstParent ? WANTED : 0);
  for (const oid of not ?? []) painter.add(commits.numberOf(oid), UNWANTED);
  for (const oid of tips) painter.add(commits.numberOf(oid), WANTED);
  painter.run();
  return painter;
}

interface Step {
  readonly number: number;
  /** Whether the commit belongs to the simplified history. */
  readonly shown: boolean;
  /** Where that history goes on. */
  readonly parents: readonly number[];
}

class DateWalk {
  private readonly path: PathState | undefined;
  private readonly firstParent: boolean;
  /** Commits named in `not`: they count as part of the history when a merge is judged. */
  private readonly bottoms: ReadonlySet<number>;

  constructor(
    private readonly commits: Commits,
    private readonly options: LogOptions,
    private readonly unwanted: Marks | undefined,
  ) {
    this.path = options.path ? new PathState(commits, options.path) : undefined;
    this.firstParent = options.firstParent ?? false;
    this.bottoms = new Set((options.not ?? []).map((oid) => commits.numberOf(oid)));
  }

  *walk(): Generator<number> {
    for (const step of this.steps()) if (step.shown) yield step.number;
  }

  /** Every commit the walk meets, shown or not. */
  *steps(): Generator<Step> {
    const { commits } = this;
    const queue = new CommitQueue();
    const seen = new Marks(commits.size);
    const add = (number: number) => {
      if (this.isUnwanted(number) || seen.add(number, SEEN) !== 0) return;
      queue.push(number, commits.timeOf(number));
    };
    for (const tip of this.options.tips) add(commits.numberOf(tip));
    for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
      const step = this.judge(number);
      for (const parent of step.parents) add(parent);
      yield step;
    }
  }

  /** Whether the commit belongs to the simplified history, and where that goes on. */
  private judge(number: number): Step {
    const parents = this.parentsOf(number);
    const path = this.path;
    if (!path) return { number, shown: true, parents };
    if (parents.length === 0) return { number, shown: path.at(number) !== undefined, parents };
    let relevantParents = 0;
    let relevantChange = false;
    let irrelevantChange = false;
    for (let i = 0; i < parents.length; i++) {
      const parent = parents[i]!;
      const relevant = !this.isUnwanted(parent) || this.bottoms.has(parent);
      if (relevant) relevantParents++;
      const same = (i === 0 && !path.mayChange(number)) || path.same(number, parent);
      // The path came from this parent as it is: the others had nothing to do with it. If that parent is excluded,
      // the others are followed all the same, lest the whole history be lost.
      if (same && relevant) return { number, shown: false, parents: [parent] };
      if (same) continue;
      if (relevant) relevantChange = true;
      else irrelevantChange = true;
    }
    return { number, shown: relevantParents > 0 ? relevantChange : irrelevantChange, parents };
  }

  private parentsOf(number: number): readonly number[] {
    if (!this.firstParent) return this.commits.parentsOf(number);
    const first = this.commits.firstParentOf(number);
    return first < 0 ? [] : [first];
  }

  private isUnwanted(number: number): boolean {
    return this.unwanted !== undefined && (this.unwanted.get(number) & UNWANTED) !== 0;
  }
}

/**
 * Shows no commit before all its children, and follows a line of work to its fork before the next one. The whole range
 * is walked before the first commit comes.
 */
function* topological(range: DateWalk): Generator<number> {
  const children = new Map<number, number>();
  const order: number[] = [];
  const waitingFor = (number: number) => children.get(number) ?? 0;
  const judged = new Map<number, Step>();
  for (const step of range.steps()) {
    order.push(step.number);
    judged.set(step.number, step);
    for (const parent of step.parents) children.set(parent, waitingFor(parent) + 1);
  }
  const ready = order.filter((number) => waitingFor(number) === 0).reverse();
  for (let number = ready.pop(); number !== undefined; number = ready.pop()) {
    const step = judged.get(number)!;
    for (const parent of step.parents) {
      const left = waitingFor(parent) - 1;
      children.set(parent, left);
      if (left === 0 && judged.has(parent)) ready.push(parent);
    }
    if (step.shown) yield number;
  }
}
