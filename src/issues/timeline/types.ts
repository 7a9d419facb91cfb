/** What happens to items, in the API's words (contract issues.md 11.3). */
export const timelineKinds = [
  "comment",
  "reopen",
  "close",
  "issue_ref",
  "commit_ref",
  "comment_ref",
  "pull_ref",
  "label",
  "milestone",
  "assignees",
  "change_title",
  "delete_branch",
  "start_tracking",
  "stop_tracking",
  "add_time_manual",
  "cancel_tracking",
  "added_deadline",
  "modified_deadline",
  "removed_deadline",
  "add_dependency",
  "remove_dependency",
  "code",
  "review",
  "lock",
  "unlock",
  "change_target_branch",
  "delete_time_manual",
  "review_request",
  "merge_pull",
  "pull_push",
  "project",
  "project_board",
  "dismiss_review",
  "change_issue_ref",
  "pull_scheduled_merge",
  "pull_cancel_scheduled_merge",
  // The merge queue, an addition of ours.
  "pull_queued",
  "pull_unqueued",
  "pin",
  "unpin",
  "change_time_estimate",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** What a reference does when what contains it is merged; `neutered`: it was taken back. */
export type RefAction = "none" | "closes" | "reopens" | "neutered";

/** Something that happened to an item; which fields say something follows from the kind. */
export interface TimelineEntry {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly kind: TimelineKind;
  /** Who did it; undefined when the account is gone. */
  readonly userId: number | undefined;
  /** Who wrote it on the forge it was moved from, with their number there; empty: it was written here. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  /** A comment's text; of other kinds what the contract says. */
  readonly body: string;
  readonly contentVersion: number;
  readonly labelId: number | undefined;
  readonly oldMilestoneId: number | undefined;
  readonly milestoneId: number | undefined;
  readonly oldProjectId: number;
  readonly projectId: number;
  readonly assigneeId: number | undefined;
  readonly teamId: number | undefined;
  /** Something was taken away: an assignee, a request for a review. */
  readonly isRemoval: boolean;
  /** Titles, branches. */
  readonly oldText: string;
  readonly newText: string;
  /** The item that refers to this one, or depends on it. */
  readonly otherIssueId: number | undefined;
  /** The comment that refers to this item. */
  readonly otherEntryId: number | undefined;
  readonly refAction: RefAction;
  readonly commitId: string;
  readonly trackedTimeId: number | undefined;
  /** The review of a pull request that it tells of, or that a comment on code belongs to. */
  readonly reviewId: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** By the last change, in milliseconds; both ends belong to it. */
export interface TimeSpan {
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** Kinds whose body someone wrote, and may change. */
export const writtenKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>([
  "comment",
  "code",
  "review",
  "dismiss_review",
]);

/** Kinds that an item counts as comments. */
export const countedKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>(["comment", "review"]);

/** What an area says of something that happened; the rest is empty. */
export type NewEntry = Pick<TimelineEntry, "kind"> &
  Partial<Omit<TimelineEntry, "id" | "issueId" | "repoId" | "kind" | "userId" | "contentVersion">>;
