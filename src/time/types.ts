/** Time that someone spent on an item. */
export interface TrackedTime {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  /** Undefined when the account is gone. */
  readonly userId: number | undefined;
  readonly seconds: number;
  /** When it was spent, in milliseconds. */
  readonly createdAt: number;
  /** Its entry in the timeline still shows it. */
  readonly deletedAt: number | undefined;
}

/** What someone works on right now; an account has at most one. */
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

/** What an organization's working time is summed by. */
export const worktimeParts = ["repos", "milestones", "members"] as const;
export type WorktimePart = (typeof worktimeParts)[number];

export interface WorktimeRow {
  /** null where it is summed by members. */
  readonly repoId: number | null;
  /** null: of items without one, where it is summed by milestones. */
  readonly milestone: string | null;
  /** null: an account that is gone, or not summed by members. */
  readonly userId: number | null;
  readonly seconds: number;
}
