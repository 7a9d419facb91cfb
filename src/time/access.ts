import type { Access } from "../http/route.ts";

/** Who may come in at the routes of tracked times; those of items are `changesItems` and this for reading. */

const onRepo = (scopes: Access["scopes"]): Access => ({
  who: "user",
  subject: { kind: "repository", level: "read" },
  scopes,
  publicOnly: "filtered",
});

export const readsItemTimes = onRepo(["issue"]);
export const readsRepoTimes = onRepo(["repository"]);
export const readsOwnTimes: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };
