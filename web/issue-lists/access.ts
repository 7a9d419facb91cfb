import type { Access } from "../../src/http/route.ts";

/** Lists of a repository; which kinds of items are shown is decided by the service. */
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

/** Changes of several items; whether each may be changed is decided by the services. */
export const changesItemsPage = changesItems("read");
/** Deleting them, and the order of what is pinned. */
export const administersItemsPage = changesItems("admin");

/** Lists of everything that concerns whoever is signed in. */
export const ownLists: Access = { who: "user", scopes: [], publicOnly: "refused" };
