import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { PriorityQueue } from "../priority-queue.ts";

/** Commits to send, by position. */
export interface CommitRange {
  /** Newest first. */
  readonly commits: readonly number[];
  /** Commits the client has at the edge of the range; their trees are compared with the new ones. */
  readonly boundary: readonly number[];
}

const WANTED = 1;
const HAD = 2;
const DONE = 4;

/**
 * Commits reachable from `wants` but not from `haves`, and the boundary between them, as in `git rev-list --boundary`.
 * If commit times run backwards, the range may include a commit the client has, but never lacks one it needs.
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
      // Found to be had while still in the queue.
      wantedInQueue--;
    } else if ((before & DONE) !== 0 && flag === HAD) {
      // Already visited as wanted: its ancestors are had as well.
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
 * As `commitsBetween`, for a client whose history is shallow or is to become so: follows `wants` up to the commits in
 * `newCut` and `haves` up to those in `oldCut`. Exact, as it walks both sides completely.
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
    // The boundary goes both ways: the client lacks the history below a commit at which it is cut off.
    if (sides.newCut.has(commit)) continue;
    for (const parent of commits.parentsOf(commit)) {
      if (!isHad && had.has(parent)) boundary.add(parent);
      if (isHad && wanted.has(parent) && !had.has(parent)) boundary.add(commit);
    }
  }
  range.sort((a, b) => commits.timeOf(b) - commits.timeOf(a));
  return { commits: range, boundary: [...boundary] };
}

/** Adds every commit reachable from `starts` to `seen`. */
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

/** History below the client's commits may end early: a commit no longer reachable from a ref may lack its parents. */
function parentsIfPresent(commits: Commits, commit: number): readonly number[] {
  try {
    return commits.parentsOf(commit);
  } catch (error) {
    if (error instanceof CorruptObject) return [];
    throw error;
  }
}
