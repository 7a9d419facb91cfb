/** Time that someone spent on an item. */
export interface TrackedTime {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  /** Undefined if the account was deleted. */
  readonly userId: number | undefined;
  readonly seconds: number;
  /** When it was spent, in milliseconds. */
  readonly createdAt: number;
  /** When it was deleted; its timeline entry still shows it. */
  readonly deletedAt: number | undefined;
}

/** A running stopwatch; an account has at most one. */
export interface Stopwatch {
  readonly userId: number;
  readonly issueId: number;
  readonly startedAt: number;
}

/** Which tracked times a list shows; bounds are inclusive, in milliseconds. */
export interface TimeFilter {
  readonly userId?: number | undefined;
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** What an organization's working time is grouped by. */
export const worktimeParts = ["repos", "milestones", "members"] as const;
export type WorktimePart = (typeof worktimeParts)[number];

export interface WorktimeRow {
  /** null if grouped by members. */
  readonly repoId: number | null;
  /** If grouped by milestones; null: items without one. */
  readonly milestone: string | null;
  /** null: a deleted account, or not grouped by members. */
  readonly userId: number | null;
  readonly seconds: number;
}
