import type { Oid } from "../git/objects/types.ts";
import type { SeenIssue } from "../issues/types.ts";

/**
 * What becomes of the two branches when they are merged (contract pulls.md 1.1): `empty`: nothing changes, or they never
 * met; `ancestor`: the base has it all; `error`: it could not be found out, a branch is gone.
 */
export type PullStatus = "checking" | "mergeable" | "conflict" | "empty" | "ancestor" | "error";

/** How far a pull request goes from its base, and whether it can be merged: follows from two commits. */
export interface PullCheck {
  readonly status: PullStatus;
  /** Where the diff begins; undefined: the two branches have no common history. */
  readonly mergeBase: Oid | undefined;
  readonly ahead: number;
  readonly behind: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
  /** The first paths that a person would have to decide. */
  readonly conflicts: readonly string[];
  /** The first changed paths that the base's rule protects. */
  readonly protectedFiles: readonly string[];
}

/** What a pull request is besides an issue. */
export interface Pull extends PullCheck {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly number: number;
  readonly baseBranch: string;
  /** undefined: it is gone. */
  readonly headRepoId: number | undefined;
  /** Of one made by a push to `refs/for/`: what it is known by. */
  readonly headBranch: string;
  /** It was made by a push to `refs/for/` and has no branch. */
  readonly isAgit: boolean;
  /** Where `refs/pull/<number>/head` is. */
  readonly headOid: Oid;
  /** The commits that `PullCheck` was found out of; empty: never. */
  readonly checkedBase: Oid;
  readonly checkedHead: Oid;
  /** The head that the timeline tells of. */
  readonly announcedHead: Oid;
  readonly allowsMaintainerEdit: boolean;
  readonly isOpen: boolean;
  /** undefined: it is not merged. */
  readonly mergedAt: number | undefined;
  readonly mergedById: number | undefined;
  /** The base's tip that the merge made; empty: none. */
  readonly mergeCommit: Oid;
  readonly isMergedByHand: boolean;
}

/** A pull request as one principal sees it. */
export interface SeenPull extends SeenIssue {
  readonly pull: Pull;
}

/** The ref that keeps what a pull request brings. */
export function pullRef({ number }: Pick<Pull, "number">): string {
  return `refs/pull/${number}/head`;
}

export const isMerged = ({ mergedAt }: Pick<Pull, "mergedAt">): boolean => mergedAt !== undefined;
