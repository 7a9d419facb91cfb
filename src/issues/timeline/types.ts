/** Kinds of timeline entries, with the API's names (contract issues.md 11.3). */
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
  // The merge queue, our own addition.
  "pull_queued",
  "pull_unqueued",
  "pin",
  "unpin",
  "change_time_estimate",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** What a reference does when its source is merged; `neutered`: it was withdrawn. */
export type RefAction = "none" | "closes" | "reopens" | "neutered";

/** A timeline entry; which fields are used depends on the kind. */
export interface TimelineEntry {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly kind: TimelineKind;
  /** Who did it; undefined if the account was deleted. */
  readonly userId: number | undefined;
  /** Author on the forge it was imported from, with their id there; empty if it was written here. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  /** A comment's text; for other kinds as the contract defines. */
  readonly body: string;
  readonly contentVersion: number;
  readonly labelId: number | undefined;
  readonly oldMilestoneId: number | undefined;
  readonly milestoneId: number | undefined;
  readonly oldProjectId: number;
  readonly projectId: number;
  readonly assigneeId: number | undefined;
  readonly teamId: number | undefined;
  /** Something was removed: an assignee, a review request. */
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
  /** The review this entry stands for, or that a comment on code belongs to. */
  readonly reviewId: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** By last change, in milliseconds, both ends inclusive. */
export interface TimeSpan {
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** Kinds with a body that someone wrote and may edit. */
export const writtenKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>([
  "comment",
  "code",
  "review",
  "dismiss_review",
]);

/** Kinds counted as comments of an item. */
export const countedKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>(["comment", "review"]);

/** The fields an area sets for a new entry; the rest stay empty. */
export type NewEntry = Pick<TimelineEntry, "kind"> &
  Partial<Omit<TimelineEntry, "id" | "issueId" | "repoId" | "kind" | "userId" | "contentVersion">>;
