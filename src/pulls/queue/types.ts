import type { Oid } from "../../git/objects/types.ts";
import type { MergeStyle } from "../merge/types.ts";

/** A pull request waiting for its turn to be merged. */
export interface QueueEntry {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  /** The base branch. */
  readonly branch: string;
  /** The account that merges. */
  readonly userId: number;
  readonly style: MergeStyle;
  readonly title: string;
  readonly message: string;
  /** undefined: the repository's default. */
  readonly deletesBranch: boolean | undefined;
  /** The head that was added: a different head must be added again. */
  readonly headOid: Oid;
  /** What the base would become with it; undefined until it is built. */
  readonly candidate: Candidate | undefined;
  readonly createdAt: number;
}

/** A commit that checks report on, and that becomes the tip of the base if they pass. */
export interface Candidate {
  readonly oid: Oid;
  /** The commit it was built on: the tip of the base, or the candidate of the previous entry. */
  readonly onto: Oid;
  readonly madeAt: number;
}

/** The progress of an entry: its candidate is not built yet, is being checked, has passed, or has failed its checks. */
export type QueueState = "waiting" | "testing" | "ready" | "failed";

/** Why an entry left the queue without being merged; shown in the timeline. */
export const departures = ["removed", "pushed", "closed", "conflict", "checks", "timeout", "refused"] as const;
export type Departure = (typeof departures)[number];

/** The ref that lets checks fetch a candidate and report on it. */
export function candidateRef(number: number): string {
  return `${CANDIDATE_REFS}${number}`;
}

export const CANDIDATE_REFS = "refs/merge-queue/";
