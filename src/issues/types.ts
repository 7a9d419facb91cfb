import type { Level, Unit } from "../access/levels.ts";
import type { SeenRepo } from "../repos/types.ts";

/** An issue or a pull request: pull requests are issues with branches (`src/pulls`). */
export interface Issue {
  readonly id: number;
  readonly repoId: number;
  /** Counted from 1 per repository, shared by issues and pull requests; never reused. */
  readonly number: number;
  readonly isPull: boolean;
  /** Undefined if the account was deleted. */
  readonly posterId: number | undefined;
  /** Author on the forge it was imported from, with their id there; empty if it was written here. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly title: string;
  readonly body: string;
  /** Increases with every change of the body. */
  readonly contentVersion: number;
  /** Full name of the branch or tag it is about; empty: none. */
  readonly ref: string;
  readonly milestoneId: number | undefined;
  readonly isClosed: boolean;
  readonly closedAt: number | undefined;
  readonly isLocked: boolean;
  readonly dueAt: number | undefined;
  /** Seconds; 0: none. */
  readonly timeEstimate: number;
  /** 0: not pinned. */
  readonly pinOrder: number;
  readonly priority: number;
  /** Comments and submitted reviews. */
  readonly comments: number;
  /** Number of task list checkboxes in the body, and how many are checked. */
  readonly tasks: number;
  readonly tasksDone: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An item as one principal sees it. */
export interface SeenIssue {
  readonly seen: SeenRepo;
  readonly issue: Issue;
  /** The principal's level on the item's unit. */
  readonly level: Level;
}

/** The repository unit that governs access to the item. */
export function unitOf({ isPull }: Pick<Issue, "isPull">): Unit {
  return isPull ? "pulls" : "issues";
}

/** Parts of an item stored outside its row. */
export interface IssueParts {
  /** Sorted by name. */
  readonly labelIds: readonly number[];
  /** Sorted by id. */
  readonly assigneeIds: readonly number[];
}
