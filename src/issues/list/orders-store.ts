import type { ListQuery, Params } from "./store.ts";
import type { ItemOrder } from "./types.ts";

/** Orders of lists as SQL, and the indexes that have them. */

export interface OrderPlan {
  /** SQL by which rows are ordered, besides the id. */
  readonly key: string;
  readonly direction: "ASC" | "DESC";
  /** The indexes that have this order, in a repository and everywhere. */
  readonly inRepo?: string;
  readonly everywhere?: string;
  /** SQL of what is walked in this order, where it is no index of `issues`. */
  readonly from?: string;
  /** Conditions of the stretches of the index that follow each other in the list, where they do not in the index. */
  readonly stretches?: readonly string[];
}

const END_OF_TIME = 9_007_199_254_740_991;

export const plans: Readonly<Record<ItemOrder, OrderPlan>> = {
  latest: {
    key: "issues.created_at",
    direction: "DESC",
    inRepo: "issues_by_creation",
    everywhere: "issues_everywhere",
  },
  oldest: { key: "issues.created_at", direction: "ASC", inRepo: "issues_by_creation", everywhere: "issues_everywhere" },
  recentupdate: {
    key: "issues.updated_at",
    direction: "DESC",
    inRepo: "issues_by_update",
    everywhere: "issues_everywhere_by_update",
  },
  leastupdate: {
    key: "issues.updated_at",
    direction: "ASC",
    inRepo: "issues_by_update",
    everywhere: "issues_everywhere_by_update",
  },
  mostcomment: { key: "issues.comments", direction: "DESC", inRepo: "issues_by_comments" },
  leastcomment: { key: "issues.comments", direction: "ASC", inRepo: "issues_by_comments" },
  nearduedate: { key: "issues.next_due_at", direction: "ASC", inRepo: "issues_by_next_due_date" },
  // Those without a day come last here, too.
  farduedate: {
    key: "issues.next_due_at",
    direction: "DESC",
    inRepo: "issues_by_next_due_date",
    stretches: [`issues.next_due_at < ${END_OF_TIME}`, `issues.next_due_at = ${END_OF_TIME}`],
  },
  recentclose: { key: "issues.closed_at", direction: "DESC", inRepo: "issues_by_closing" },
  priority: { key: "issues.priority", direction: "DESC", inRepo: "issues_by_priority" },
};

/** What is walked after each other, and how. */
export interface Stretch {
  readonly query: ListQuery;
  readonly plan: OrderPlan;
}

export const narrowed = (query: ListQuery, where: readonly string[], params: Params = {}): ListQuery => ({
  ...query,
  extra: [...query.extra, ...where],
  params: { ...query.params, ...params },
});

/** Scalar queries, not EXISTS: those SQLite may turn into joins, and begin a walk at the wrong end. */
export const some = (from: string) => `(SELECT 1 FROM ${from} LIMIT 1) IS NOT NULL`;
export const none = (from: string) => `(SELECT 1 FROM ${from} LIMIT 1) IS NULL`;
