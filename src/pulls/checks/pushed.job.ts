import { cachedRepository } from "../../git/cached-repository.ts";
import { changedFiles } from "../../git/diff/changes.ts";
import type { Commits } from "../../git/graph/commits.ts";
import { isAncestor, mergeBases } from "../../git/history/ancestry.ts";
import { log } from "../../git/history/log.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import type { JobContext } from "../../workers/job.ts";

export interface PushedInput {
  readonly repoDir: string;
  /** The head as it was; undefined: the pull request is new. */
  readonly oldHead: Oid | undefined;
  readonly newHead: Oid;
  /** The base's tip. */
  readonly base: Oid;
}

export interface PushedFacts {
  /** The new head does not have all that the old one had. */
  readonly isForced: boolean;
  /** What the pull request brings by now, the oldest first, the newest thousand of them. */
  readonly commits: readonly Oid[];
  /** Where the diff begins by now; undefined: the two have no common history. */
  readonly mergeBase: Oid | undefined;
  /** A file is neither what it was before nor what it is in the base: reviews of the old head are stale. */
  readonly changesContent: boolean;
}

/** Commits that an entry of the timeline names (contract pulls.md 14). */
const MAX_COMMITS = 1000;
const MAX_FILES = 100_000;

/** What a push made of a pull request. */
export function run({ repoDir, oldHead, newHead, base }: PushedInput, context: JobContext): PushedFacts {
  const repository = cachedRepository(context, repoDir);
  const commits = repository.commits();
  const mergeBase = mergeBases(commits, base, newHead)[0];
  const { oids } = log(commits, { tips: [newHead], not: [base] }, 0, MAX_COMMITS);
  return {
    isForced: oldHead !== undefined && !isAncestor(commits, oldHead, newHead),
    commits: [...oids].reverse(),
    mergeBase,
    changesContent: oldHead !== undefined && changes(repository.store, commits, oldHead, newHead, mergeBase),
  };
}

function changes(store: ObjectStore, commits: Commits, oldHead: Oid, newHead: Oid, mergeBase?: Oid): boolean {
  const treeOf = (oid: Oid) => commits.treeOf(commits.positionOf(oid));
  const paths = (from: Oid, to: Oid) =>
    changedFiles(store, treeOf(from), treeOf(to), { renames: false, maxFiles: MAX_FILES }).files.map(
      ({ newPath }) => newPath,
    );
  const moved = paths(oldHead, newHead);
  if (mergeBase === undefined) return moved.length > 0;
  const own = new Set(paths(mergeBase, newHead));
  return moved.some((path) => own.has(path));
}
