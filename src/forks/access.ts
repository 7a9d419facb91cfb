import type { Access } from "../http/route.ts";
import { readsCode } from "../repos/access.ts";

/** Who may use forks: one declaration for each, for REST and pages alike. */

/** Forking: whoever may read the code. Where the fork goes is decided by the service. */
export const forksRepo: Access = { ...readsCode, who: "user" };
/** Bringing a fork up to date with what it was forked from. */
export const syncsFork: Access = {
  who: "user",
  subject: { kind: "repository", unit: "code", level: "write", state: "unarchived" },
  scopes: ["repository"],
  publicOnly: "filtered",
};
