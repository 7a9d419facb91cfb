import type { MergeSettings } from "../../repos/settings/defaults.ts";

/** The ways to merge a pull request into its base, by their API names (contract pulls.md 9). */
export const mergeStyles = [
  "merge",
  "rebase",
  "rebase-merge",
  "squash",
  "fast-forward-only",
  "manually-merged",
] as const;
export type MergeStyle = (typeof mergeStyles)[number];

/** The repository setting that allows each style. */
export const settingOf: Readonly<Record<MergeStyle, keyof MergeSettings>> = {
  merge: "allowMergeCommits",
  rebase: "allowRebase",
  "rebase-merge": "allowRebaseExplicit",
  squash: "allowSquash",
  "fast-forward-only": "allowFastForwardOnly",
  "manually-merged": "allowManualMerge",
};

export interface MergeRequest {
  readonly style: MergeStyle;
  /** First paragraph of the message; empty: the default. */
  readonly title: string;
  readonly message: string;
  /** For `manually-merged`: the commit in the base that is the merge. */
  readonly commitId: string;
  /** The expected head; empty: any. */
  readonly headCommitId: string;
  /** Override unmet conditions of the branch's rule, if the caller may. */
  readonly isForced: boolean;
  /** Merge as soon as nothing blocks it. */
  readonly isScheduled: boolean;
  /** Replace an earlier schedule; otherwise a second one is refused. */
  readonly replacesSchedule?: boolean;
  /** It was scheduled, and its conditions are now met. */
  readonly hasWaited?: boolean;
  /** undefined: the repository's default. */
  readonly deletesBranch: boolean | undefined;
}

/** The outcome of a request. */
export type MergeResult = "merged" | "scheduled";
