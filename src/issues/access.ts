import type { Access } from "../http/route.ts";

/**
 * Who may come in at the routes of items. Whether they may read this kind of item, and what they may do with it, is
 * decided by `IssueService`: it depends on the item.
 */

const onItems = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const readsItems = onItems("anyone");
/** Changes of an item, refused in archived repositories. */
export const changesItems = onItems("user", "unarchived");
/** One's own affairs with an item, which are no change of it. */
export const watchesItems = onItems("user");
/** Everywhere: what is in the list is decided for each item. */
export const searchesItems: Access = { who: "anyone", scopes: ["issue"], publicOnly: "filtered" };
