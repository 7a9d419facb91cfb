import type { Access } from "../http/route.ts";
import { readsCode } from "../repos/access.ts";

/** Who may use forks: one declaration each, for both REST and pages. */

/** Forking: anyone who may read the code. The service checks where the fork may go. */
export const forksRepo: Access = { ...readsCode, who: "user" };
/** Syncing a fork with its base. */
export const syncsFork: Access = {
  who: "user",
  subject: { kind: "repository", unit: "code", level: "write", state: "unarchived" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
