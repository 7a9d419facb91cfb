import type { Access } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";

/** Who may use keys over REST: those of the own account, those of others, those of a repository (repos/access.ts). */

export const ownKeys = ownAccount;

/** Keys of other accounts, for whoever is signed in and sees the account. */
export const keysOfOthers: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };
