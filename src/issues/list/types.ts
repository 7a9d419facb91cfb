/** Sort orders of lists, named as on the pages (contract issues.md 27). */
export const itemOrders = [
  "latest",
  "oldest",
  "recentupdate",
  "leastupdate",
  "mostcomment",
  "leastcomment",
  "nearduedate",
  "farduedate",
  "recentclose",
  "priority",
] as const;
export type ItemOrder = (typeof itemOrders)[number];

export function isItemOrder(word: string): word is ItemOrder {
  return (itemOrders as readonly string[]).includes(word);
}

/** A condition contributed by another area, and its number, such as the id of a board or account. */
export interface ContributedFilter {
  readonly name: string;
  readonly value: number;
  readonly isNegated?: boolean;
}

/** Which items a list contains; absent criteria match everything. */
export interface ItemFilter {
  readonly state: "open" | "closed" | "all";
  /** Only one kind. */
  readonly isPull?: boolean | undefined;
  readonly ownerId?: number | undefined;
  readonly teamId?: number | undefined;
  /** In a repository that this account owns or has been given access to. */
  readonly aroundId?: number | undefined;
  readonly posterId?: number | undefined;
  readonly assignee?: number | "none" | "any" | undefined;
  readonly mentionedId?: number | undefined;
  /** An account that is notified about it as a participant or by choice. */
  readonly subscriberId?: number | undefined;
  /** It has at least one label from each of these groups of ids. */
  readonly labels?: readonly (readonly number[])[] | undefined;
  readonly withoutLabels?: readonly number[] | undefined;
  readonly hasNoLabel?: boolean | undefined;
  /** It has a label with one of these names. */
  readonly labelNames?: readonly string[] | undefined;
  /** It is in one of these milestones. */
  readonly milestoneIds?: readonly number[] | undefined;
  readonly hasNoMilestone?: boolean | undefined;
  /** Its milestone has one of these titles, case-folded. */
  readonly milestoneTitles?: readonly string[] | undefined;
  /** Time of the last change, inclusive, compared in whole seconds as the API shows them. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly createdSince?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly closedSince?: number | undefined;
  readonly closedBefore?: number | undefined;
  readonly isLocked?: boolean | undefined;
  readonly isOverdue?: boolean | undefined;
  readonly minComments?: number | undefined;
  readonly maxComments?: number | undefined;
  /** Words that must all occur in one of its texts. */
  readonly words?: readonly string[] | undefined;
  /** Also include the item with this number, whatever its text. */
  readonly number?: number | undefined;
  readonly contributed?: readonly ContributedFilter[] | undefined;
  readonly order?: ItemOrder | undefined;
  /** Sort by the labels of this scope, in the scope's order. */
  readonly scope?: string | undefined;
}
