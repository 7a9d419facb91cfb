import type { Oid } from "../git/objects/types.ts";

export const statusStates = ["pending", "success", "error", "failure", "warning", "skipped"] as const;
export type StatusState = (typeof statusStates)[number];

/** A check's status on a commit. */
export interface CommitStatus {
  readonly commit: Oid;
  /** Counts from 1 for each commit of a repository. */
  readonly number: number;
  readonly state: StatusState;
  /** Identifies the check; the newest status of a context counts. */
  readonly context: string;
  readonly description: string;
  readonly targetUrl: string;
  /** undefined: the account is gone. */
  readonly creatorId: number | undefined;
  readonly createdAt: number;
}

export const statusOrders = ["oldest", "recentupdate", "leastupdate", "leastindex", "highestindex"] as const;
export type StatusOrder = (typeof statusOrders)[number];

/** A summary of a commit's newest statuses. */
export interface StatusSummary {
  readonly state: "pending" | "success" | "failure";
  /** Contexts that succeeded or were skipped, out of all. */
  readonly passed: number;
  readonly total: number;
}

/** The combined state of the newest statuses of all contexts (contract git-content.md 7.4). */
export function combinedState(states: readonly StatusState[]): "pending" | "success" | "failure" {
  if (states.some((state) => state === "error" || state === "failure" || state === "warning")) return "failure";
  const isGood = states.length > 0 && states.every((state) => state === "success" || state === "skipped");
  return isGood ? "success" : "pending";
}
