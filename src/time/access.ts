import type { Access } from "../http/route.ts";

/** Who may use the routes of tracked times; routes of items use `changesItems`, and this for reading. */

const onRepo = (scopes: Access["scopes"]): Access => ({
  who: "user",
  subject: { kind: "repository", level: "read" },
  scopes,
  publicOnly: "filtered",
});

export const readsItemTimes = onRepo(["issue"]);
export const readsRepoTimes = onRepo(["repository"]);
export const readsOwnTimes: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };
