import type { MergeSettings } from "../../repos/settings/defaults.ts";

/** How a pull request becomes part of its base, in the API's words (contract pulls.md 9). */
export const mergeStyles = [
  "merge",
  "rebase",
  "rebase-merge",
  "squash",
  "fast-forward-only",
  "manually-merged",
] as const;
export type MergeStyle = (typeof mergeStyles)[number];

/** Which of a repository's settings allows a style. */
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
  /** First paragraph of the message; empty: the usual one. */
  readonly title: string;
  readonly message: string;
  /** For `manually-merged`: the commit of the base that is the merge. */
  readonly commitId: string;
  /** Where the head is believed to be; empty: wherever it is. */
  readonly headCommitId: string;
  /** Although conditions of the branch's rule are not met, where the one who asks may. */
  readonly isForced: boolean;
  /** As soon as nothing stands in its way. */
  readonly isScheduled: boolean;
  /** What was scheduled before is not any more; without it a second schedule is refused. */
  readonly replacesSchedule?: boolean;
  /** It was scheduled, and what it waited for has come. */
  readonly hasWaited?: boolean;
  /** undefined: as the repository has it. */
  readonly deletesBranch: boolean | undefined;
}

/** What has become of a request. */
export type MergeResult = "merged" | "scheduled";
