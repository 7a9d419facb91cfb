import type { Access } from "../../src/http/route.ts";

/** Pages of items: whether the kind of item may be read, and what may be done with it, is decided by the services. */
const onItems = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const showsItems = onItems("anyone");
/** What someone says of themselves: that they watch, where they are. */
export const usesItems = onItems("user");
export const changesItems = onItems("user", "unarchived");
