import type { Level, Unit } from "../access/levels.ts";
import type { SeenRepo } from "../repos/types.ts";

/** An issue or a pull request: pull requests are issues with branches (`src/pulls`). */
export interface Issue {
  readonly id: number;
  readonly repoId: number;
  /** Counts from 1 in its repository, for issues and pull requests together; never used again. */
  readonly number: number;
  readonly isPull: boolean;
  /** Undefined when the account is gone. */
  readonly posterId: number | undefined;
  /** Who wrote it on the forge it was moved from, with their number there; empty: it was written here. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly title: string;
  readonly body: string;
  /** Rises with every change of the body. */
  readonly contentVersion: number;
  /** The branch or tag it is about, in full; empty: none. */
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
  /** Boxes of task lists in the body, and how many of them are ticked. */
  readonly tasks: number;
  readonly tasksDone: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An item as one principal sees it. */
export interface SeenIssue {
  readonly seen: SeenRepo;
  readonly issue: Issue;
  /** On the unit of the item. */
  readonly level: Level;
}

/** What of a repository one must be allowed to use for the item. */
export function unitOf({ isPull }: Pick<Issue, "isPull">): Unit {
  return isPull ? "pulls" : "issues";
}

/** What belongs to an item besides its own row. */
export interface IssueParts {
  /** Sorted by name. */
  readonly labelIds: readonly number[];
  /** The first first. */
  readonly assigneeIds: readonly number[];
}
