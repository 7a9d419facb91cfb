import type { Access } from "../../src/http/route.ts";

/** Lists of a repository; the service decides which kinds of items are shown. */
export const readsRepoPage: Access = {
  who: "anyone",
  subject: { kind: "repository", level: "read" },
  scopes: [],
  publicOnly: "filtered",
};

const changesItems = (level: "read" | "admin"): Access => ({
  who: "user",
  subject: { kind: "repository", level, state: "unarchived" },
  scopes: [],
  publicOnly: "filtered",
});

/** Changes to several items; the services decide whether each may be changed. */
export const changesItemsPage = changesItems("read");
/** Deleting them, and the order of pinned items. */
export const administersItemsPage = changesItems("admin");

/** Lists of everything that concerns the signed-in user. */
export const ownLists: Access = { who: "user", scopes: [], publicOnly: "refused" };
