/** Orders of lists, in the words of the pages (contract issues.md 27). */
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

/** A condition that another area contributed, and its number: a board, an account. */
export interface ContributedFilter {
  readonly name: string;
  readonly value: number;
  readonly isNegated?: boolean;
}

/** Which items a list has; what is absent says nothing. */
export interface ItemFilter {
  readonly state: "open" | "closed" | "all";
  /** One kind only. */
  readonly isPull?: boolean | undefined;
  readonly ownerId?: number | undefined;
  readonly teamId?: number | undefined;
  /** In a repository that this account owns or was given. */
  readonly aroundId?: number | undefined;
  readonly posterId?: number | undefined;
  readonly assignee?: number | "none" | "any" | undefined;
  readonly mentionedId?: number | undefined;
  /** Who hears of it because they take part in it, or said so. */
  readonly subscriberId?: number | undefined;
  /** It has a label of each of these groups of ids. */
  readonly labels?: readonly (readonly number[])[] | undefined;
  readonly withoutLabels?: readonly number[] | undefined;
  readonly hasNoLabel?: boolean | undefined;
  /** It has a label of one of these names. */
  readonly labelNames?: readonly string[] | undefined;
  /** It is of one of these milestones. */
  readonly milestoneIds?: readonly number[] | undefined;
  readonly hasNoMilestone?: boolean | undefined;
  /** Its milestone has one of these titles, folded. */
  readonly milestoneTitles?: readonly string[] | undefined;
  /** Of the last change, both included, compared in whole seconds as the API shows them. */
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
  /** What one text of it must contain, each. */
  readonly words?: readonly string[] | undefined;
  /** Also the item of this number, whatever it says. */
  readonly number?: number | undefined;
  readonly contributed?: readonly ContributedFilter[] | undefined;
  readonly order?: ItemOrder | undefined;
  /** Sorted by what labels of this scope say, in the order of the scope. */
  readonly scope?: string | undefined;
}
