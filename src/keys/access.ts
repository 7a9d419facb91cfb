import type { Access } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";

/**
 * Access declarations for keys over REST: the caller's own, those of others, those of a repository (repos/access.ts).
 */

export const ownKeys = ownAccount;

/** Keys of other accounts, for signed-in users who may see the account. */
export const keysOfOthers: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };
