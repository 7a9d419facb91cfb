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
  /** The previous head; undefined for a new pull request. */
  readonly oldHead: Oid | undefined;
  readonly newHead: Oid;
  /** The tip of the base. */
  readonly base: Oid;
}

export interface PushedFacts {
  /** Whether the new head lacks commits of the old one. */
  readonly isForced: boolean;
  /** The current commits of the pull request, oldest first, at most the newest thousand. */
  readonly commits: readonly Oid[];
  /** Where the diff now starts; undefined if the two have no common history. */
  readonly mergeBase: Oid | undefined;
  /** Whether some file matches neither its previous state nor the base: reviews of the old head are stale. */
  readonly changesContent: boolean;
}

/** Commits named by one timeline entry (contract pulls.md 14). */
const MAX_COMMITS = 1000;
const MAX_FILES = 100_000;

/** What a push changed about a pull request. */
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
