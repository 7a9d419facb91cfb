import type { Access } from "../../src/http/route.ts";

/** Pages of items: the services decide whether the item may be read and what may be done with it. */
const onItems = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const showsItems = onItems("anyone");
/** Actions about the user themselves, such as watching an item. */
export const usesItems = onItems("user");
export const changesItems = onItems("user", "unarchived");
