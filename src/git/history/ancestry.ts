import type { Commits } from "../graph/commits.ts";
import { Flags } from "../graph/flags.ts";
import type { Oid } from "../objects/types.ts";
import { Painter } from "./paint.ts";

const LEFT = 1;
const RIGHT = 2;
const STALE = 4;

/**
 * The best common ancestors of two commits, newest first: those that are not ancestors of another common ancestor. None
 * for unrelated histories, several for criss-cross merges; as `git merge-base --all`.
 * @throws CorruptObject when a commit on the way is missing
 */
export function mergeBases(commits: Commits, left: Oid, right: Oid): Oid[] {
  return mergeBasesOfMany(commits, left, [right]);
}

/**
 * The best common ancestors of a commit and a hypothetical merge of others: `git merge-base --all one other…`.
 * @param met called with every commit examined
 */
export function mergeBasesOfMany(
  commits: Commits,
  one: Oid,
  others: readonly Oid[],
  met?: (position: number) => void,
): Oid[] {
  const a = commits.positionOf(one);
  const rights = others.map((oid) => commits.positionOf(oid));
  if (rights.includes(a)) return [one];
  const painter = new Painter(commits, STALE);
  painter.add(a, LEFT);
  for (const right of rights) painter.add(right, RIGHT);
  const candidates = new Set<number>();
  painter.run((position, colours) => {
    if ((colours & (LEFT | RIGHT)) !== (LEFT | RIGHT)) return 0;
    if ((colours & STALE) === 0) candidates.add(position);
    return STALE;
  });
  if (met) for (const position of painter.met) met(position);
  const best = [...candidates].filter((position) => (painter.flags.get(position) & STALE) === 0);
  return newestFirst(commits, withoutWrongClocks(commits, best));
}

/** The best common ancestors of all the commits: `git merge-base --octopus --all`. */
export function octopusBases(commits: Commits, oids: readonly Oid[]): Oid[] {
  let bases = oids.slice(0, 1);
  for (const oid of oids.slice(1)) bases = bases.flatMap((base) => mergeBases(commits, oid, base));
  return independent(commits, bases);
}

/** The commits that are not ancestors of any other of them, in their order: `git merge-base --independent`. */
export function independent(commits: Commits, oids: readonly Oid[]): Oid[] {
  const numbers = [...new Set(oids)].map((oid) => commits.positionOf(oid));
  return withoutAncestors(commits, numbers).map((position) => commits.oidOf(position));
}

function newestFirst(commits: Commits, numbers: readonly number[]): Oid[] {
  return [...numbers].sort((x, y) => commits.timeOf(y) - commits.timeOf(x)).map((position) => commits.oidOf(position));
}

/** Wrong clocks outside the graph can leave a candidate that is an ancestor of another. */
function withoutWrongClocks(commits: Commits, candidates: readonly number[]): readonly number[] {
  const inexact = candidates.some((position) => commits.generationOf(position) === Number.POSITIVE_INFINITY);
  return inexact ? withoutAncestors(commits, candidates) : candidates;
}

function withoutAncestors(commits: Commits, numbers: readonly number[]): number[] {
  if (numbers.length < 2) return [...numbers];
  return numbers.filter((a) => {
    const reach = new Reach(commits, a);
    return !numbers.some((b) => a !== b && reach.from(b));
  });
}

export interface AheadBehind {
  /** Number of commits only the left one reaches. */
  readonly ahead: number;
  /** Number of commits only the right one reaches. */
  readonly behind: number;
}

/**
 * How far two commits have diverged; `git rev-list --count --left-right left...right`.
 * @throws CorruptObject when a commit on the way is missing
 */
export function aheadBehind(commits: Commits, left: Oid, right: Oid): AheadBehind {
  const painter = new Painter(commits, LEFT | RIGHT);
  painter.add(commits.positionOf(left), LEFT);
  painter.add(commits.positionOf(right), RIGHT);
  painter.run();
  let ahead = 0;
  let behind = 0;
  for (const position of painter.met) {
    const colours = painter.flags.get(position);
    if (colours === LEFT) ahead++;
    else if (colours === RIGHT) behind++;
  }
  return { ahead, behind };
}

/**
 * Whether `ancestor` is reachable from `descendant`; a commit reaches itself. `git merge-base --is-ancestor`.
 * @throws CorruptObject when a commit on the way is missing
 */
export function isAncestor(commits: Commits, ancestor: Oid, descendant: Oid): boolean {
  return descends(commits, commits.positionOf(descendant), commits.positionOf(ancestor));
}

function descends(commits: Commits, descendant: number, ancestor: number): boolean {
  return new Reach(commits, ancestor).from(descendant);
}

/** Something that points to a commit, such as a branch. */
export interface Tip {
  readonly name: string;
  readonly oid: Oid;
}

/**
 * The tips from which a commit is reachable, in the order given; `git branch --contains`. Tips that are not commits
 * (including unpeeled tags of commits) are skipped.
 * @throws CorruptObject when a commit on the way is missing
 */
export function tipsContaining<T extends Tip>(commits: Commits, commit: Oid, tips: readonly T[]): T[] {
  const reach = new Reach(commits, commits.positionOf(commit));
  return tips.filter((tip) => {
    if (commits.store.header(tip.oid)?.type !== "commit") return false;
    return reach.from(commits.positionOf(tip.oid));
  });
}

const YES = 1;
const NO = 2;

/** Tests whether commits reach one given commit, walking each commit at most once over all tests. */
class Reach {
  private readonly flags: Flags;
  private readonly floor: number;

  constructor(
    private readonly commits: Commits,
    readonly target: number,
  ) {
    this.flags = new Flags(commits.size);
    this.flags.add(target, YES);
    this.floor = commits.generationOf(target);
  }

  from(start: number): boolean {
    const path = [start];
    const nextParent = [0];
    while (path.length > 0) {
      const top = path.length - 1;
      const position = path[top]!;
      if (this.flags.get(position) === 0 && this.commits.generationOf(position) < this.floor)
        this.flags.add(position, NO);
      const cached = this.flags.get(position);
      if (cached === YES) {
        for (const passed of path) this.flags.add(passed, YES);
        return true;
      }
      const parent = cached === NO ? -1 : this.parent(position, nextParent[top]!);
      if (parent < 0) {
        this.flags.add(position, NO);
        path.pop();
        nextParent.pop();
      } else {
        nextParent[top]!++;
        if (this.flags.get(parent) !== NO) {
          path.push(parent);
          nextParent.push(0);
        }
      }
    }
    return this.flags.get(start) === YES;
  }

  /** The parent at that index, or -1 if there are no more. */
  private parent(position: number, index: number): number {
    if (index === 0) return this.commits.firstParentOf(position);
    const second = this.commits.secondParentOf(position);
    if (second !== -2) return index === 1 ? second : -1;
    return this.commits.parentsOf(position)[index] ?? -1;
  }
}
