import type { ListQuery, Params } from "./store.ts";
import type { ItemOrder } from "./types.ts";

/** Sort orders of lists as SQL, and the indexes that provide them. */

export interface OrderPlan {
  /** SQL expression that rows are sorted by, before the id. */
  readonly key: string;
  readonly direction: "ASC" | "DESC";
  /** The indexes that provide this order, in a repository and across all. */
  readonly inRepo?: string;
  readonly everywhere?: string;
  /** SQL of the source walked in this order, if it is not an index of `issues`. */
  readonly from?: string;
  /** Conditions of index stretches, in list order, where that differs from the index order. */
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
  // Items without a due date come last here, too.
  farduedate: {
    key: "issues.next_due_at",
    direction: "DESC",
    inRepo: "issues_by_next_due_date",
    stretches: [`issues.next_due_at < ${END_OF_TIME}`, `issues.next_due_at = ${END_OF_TIME}`],
  },
  recentclose: { key: "issues.closed_at", direction: "DESC", inRepo: "issues_by_closing" },
  priority: { key: "issues.priority", direction: "DESC", inRepo: "issues_by_priority" },
};

/** A stretch of the list: what to walk, and how. */
export interface Stretch {
  readonly query: ListQuery;
  readonly plan: OrderPlan;
}

export const narrowed = (query: ListQuery, where: readonly string[], params: Params = {}): ListQuery => ({
  ...query,
  extra: [...query.extra, ...where],
  params: { ...query.params, ...params },
});

/** Scalar queries instead of EXISTS, which SQLite may turn into joins that start the walk at the wrong end. */
export const some = (from: string) => `(SELECT 1 FROM ${from} LIMIT 1) IS NOT NULL`;
export const none = (from: string) => `(SELECT 1 FROM ${from} LIMIT 1) IS NULL`;
