import type { Oid } from "../../git/objects/types.ts";
import type { MergeStyle } from "../merge/types.ts";

/** A pull request that waits for its turn to be merged. */
export interface QueueEntry {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  /** The base it waits for. */
  readonly branch: string;
  /** Who merges. */
  readonly userId: number;
  readonly style: MergeStyle;
  readonly title: string;
  readonly message: string;
  /** undefined: as the repository has it. */
  readonly deletesBranch: boolean | undefined;
  /** The head that was added: another one is another question. */
  readonly headOid: Oid;
  /** What the base would be with it; undefined: not made yet. */
  readonly candidate: Candidate | undefined;
  readonly createdAt: number;
}

/** A commit that checks report on, and that becomes the base's tip if they are good. */
export interface Candidate {
  readonly oid: Oid;
  /** What it was made onto: the base's tip, or the candidate of the entry before. */
  readonly onto: Oid;
  readonly madeAt: number;
}

/** How far an entry is: its candidate is to be made, is being checked, or waits for those before it. */
export type QueueState = "waiting" | "testing" | "ready" | "failed";

/** Why an entry left the queue without being merged; in the timeline. */
export const departures = ["removed", "pushed", "closed", "conflict", "checks", "timeout", "refused"] as const;
export type Departure = (typeof departures)[number];

/** The ref that makes a candidate one that checks can fetch and report on. */
export function candidateRef(number: number): string {
  return `${CANDIDATE_REFS}${number}`;
}

export const CANDIDATE_REFS = "refs/merge-queue/";
