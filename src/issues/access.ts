import type { Access } from "../http/route.ts";

/**
 * Who may use item routes. Whether callers may read this kind of item, and what they may do with it, depends on the
 * item and is decided by `IssueService`.
 */

const onItems = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const readsItems = onItems("anyone");
/** Changes to an item, refused in archived repositories. */
export const changesItems = onItems("user", "unarchived");
/** The caller's own relation to an item, such as watching it; does not change the item. */
export const watchesItems = onItems("user");
/** Across all repositories: each item in the list is checked individually. */
export const searchesItems: Access = { who: "anyone", scopes: ["issue"], publicOnly: "filtered" };
