import type { Oid } from "../git/objects/types.ts";
import type { SeenIssue } from "../issues/types.ts";

/**
 * The outcome of merging the two branches (contract pulls.md 1.1): `empty`: nothing changes, or their histories are
 * unrelated; `ancestor`: the base contains everything; `error`: it could not be determined, or a branch is gone.
 */
export type PullStatus = "checking" | "mergeable" | "conflict" | "empty" | "ancestor" | "error";

/** How far a pull request is from its base, and whether it can be merged: follows from two commits. */
export interface PullCheck {
  readonly status: PullStatus;
  /** Where the diff starts; undefined if the two branches have no common history. */
  readonly mergeBase: Oid | undefined;
  readonly ahead: number;
  readonly behind: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
  /** The first conflicting paths. */
  readonly conflicts: readonly string[];
  /** The first changed paths that the base's rule protects. */
  readonly protectedFiles: readonly string[];
}

/** The part of a pull request that issues don't have. */
export interface Pull extends PullCheck {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly number: number;
  readonly baseBranch: string;
  /** undefined if it is gone. */
  readonly headRepoId: number | undefined;
  /** For one made by a push to `refs/for/`: its identifying name. */
  readonly headBranch: string;
  /** Whether it was made by a push to `refs/for/` and has no branch. */
  readonly isAgit: boolean;
  /** The target of `refs/pull/<number>/head`. */
  readonly headOid: Oid;
  /** The commits that `PullCheck` was computed from; empty if never. */
  readonly checkedBase: Oid;
  readonly checkedHead: Oid;
  /** The latest head recorded in the timeline. */
  readonly announcedHead: Oid;
  readonly allowsMaintainerEdit: boolean;
  readonly isOpen: boolean;
  /** undefined while it is not merged. */
  readonly mergedAt: number | undefined;
  readonly mergedById: number | undefined;
  /** The base tip created by the merge; empty if none. */
  readonly mergeCommit: Oid;
  readonly isMergedByHand: boolean;
}

/** A pull request as one principal sees it. */
export interface SeenPull extends SeenIssue {
  readonly pull: Pull;
}

/** The ref that keeps a pull request's commits. */
export function pullRef({ number }: Pick<Pull, "number">): string {
  return `refs/pull/${number}/head`;
}

export const isMerged = ({ mergedAt }: Pick<Pull, "mergedAt">): boolean => mergedAt !== undefined;
