import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { PriorityQueue } from "../priority-queue.ts";

/** Commits to send, by their numbers. */
export interface CommitRange {
  /** Newest first. */
  readonly commits: readonly number[];
  /** Commits the client has that touch the range: their trees are what the new ones are compared with. */
  readonly boundary: readonly number[];
}

const WANTED = 1;
const HAD = 2;
const DONE = 4;

/**
 * Commits reachable from `wants` and not from `haves`, and the edge between them, as `git rev-list --boundary` finds it.
 * Where commit times run backwards a commit that the client has may be among them: sent once more, never left out.
 */
export function commitsBetween(commits: Commits, wants: readonly number[], haves: readonly number[]): CommitRange {
  const flags = new Map<number, number>();
  const queue = new PriorityQueue<number>();
  let wantedInQueue = 0;
  const mark = (commit: number, flag: number) => {
    const before = flags.get(commit) ?? 0;
    if ((before & flag) === flag) return;
    flags.set(commit, before | flag);
    if (before === 0) {
      queue.push(commit, commits.timeOf(commit));
      if (flag === WANTED) wantedInQueue++;
    } else if (before === WANTED) {
      // Found out to be had while it waits.
      wantedInQueue--;
    } else if ((before & DONE) !== 0 && flag === HAD) {
      // It was passed as wanted: what comes after it is had as well.
      queue.push(commit, commits.timeOf(commit));
      flags.set(commit, (before | flag) & ~DONE);
    }
  };
  for (const have of haves) mark(have, HAD);
  for (const want of wants) mark(want, WANTED);

  const found: number[] = [];
  while (wantedInQueue > 0) {
    const commit = queue.pop();
    if (commit === undefined) break;
    const flag = flags.get(commit)!;
    flags.set(commit, flag | DONE);
    if ((flag & HAD) !== 0) {
      for (const parent of parentsIfPresent(commits, commit)) mark(parent, HAD);
      continue;
    }
    wantedInQueue--;
    found.push(commit);
    for (const parent of commits.parentsOf(commit)) mark(parent, WANTED);
  }
  const isHad = (commit: number) => ((flags.get(commit) ?? 0) & HAD) !== 0;
  const range = found.filter((commit) => !isHad(commit));
  const boundary = new Set<number>();
  for (const commit of range) for (const parent of commits.parentsOf(commit)) if (isHad(parent)) boundary.add(parent);
  return { commits: range, boundary: [...boundary] };
}

/**
 * The same for a client whose history is cut, or is to be: `wants` are followed until the commits in `newCut`,
 * `haves` until those in `oldCut`. Exact; it walks all of both sides.
 */
export function commitsBetweenCuts(
  commits: Commits,
  sides: {
    readonly wants: readonly number[];
    readonly haves: readonly number[];
    readonly newCut: ReadonlySet<number>;
    readonly oldCut: ReadonlySet<number>;
  },
): CommitRange {
  const had = new Set<number>();
  walk(sides.haves, had, (commit) => (sides.oldCut.has(commit) ? [] : parentsIfPresent(commits, commit)));
  const wanted = new Set<number>();
  walk(sides.wants, wanted, (commit) => (sides.newCut.has(commit) ? [] : commits.parentsOf(commit)));
  const range: number[] = [];
  const boundary = new Set<number>();
  for (const commit of wanted) {
    const isHad = had.has(commit);
    if (!isHad) range.push(commit);
    // The edge runs both ways: below a commit that the client cut off begins what it lacks.
    if (sides.newCut.has(commit)) continue;
    for (const parent of commits.parentsOf(commit)) {
      if (!isHad && had.has(parent)) boundary.add(parent);
      if (isHad && wanted.has(parent) && !had.has(parent)) boundary.add(commit);
    }
  }
  range.sort((a, b) => commits.timeOf(b) - commits.timeOf(a));
  return { commits: range, boundary: [...boundary] };
}

/** Every commit reachable from `starts` into `seen`. */
export function walk(
  starts: Iterable<number>,
  seen: Set<number>,
  parentsOf: (commit: number) => readonly number[],
): void {
  const stack = [...starts].filter((commit) => !seen.has(commit));
  for (const commit of stack) seen.add(commit);
  for (let commit = stack.pop(); commit !== undefined; commit = stack.pop()) {
    for (const parent of parentsOf(commit)) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      stack.push(parent);
    }
  }
}

/** Below what a client has, history may end early: an object that no ref leads to any more may lack its parents. */
function parentsIfPresent(commits: Commits, commit: number): readonly number[] {
  try {
    return commits.parentsOf(commit);
  } catch (error) {
    if (error instanceof CorruptObject) return [];
    throw error;
  }
}
