import { param, type Route, signedIn } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";
import { namedUser } from "../identity/named-user.ts";
import type { Services } from "../services.ts";
import { blockRoutesOf } from "./routes-of.ts";

/** Accounts blocked by the caller. */
export function blockRoutes(services: Services): Route[] {
  const { blocks, identity } = services;
  return blockRoutesOf(services, {
    base: "/api/v1/user",
    access: ownAccount,
    tag: "user",
    operations: {
      block: { id: "userBlockUser", summary: "Block a user" },
      list: { id: "userListBlocks", summary: "List the users the authenticated user blocks" },
      check: { id: "userCheckUserBlock", summary: "Check whether the authenticated user blocks a user" },
      unblock: { id: "userUnblockUser", summary: "Unblock a user" },
      putBlock: { id: "userPutBlock", summary: "Block a user" },
      putUnblock: { id: "userPutUnblock", summary: "Unblock a user" },
      listBlocked: { id: "userListBlockedUsers", summary: "List the blocks of the authenticated user" },
    },
    notAllowed: "it is the caller, or an organization",
    noteFor: "A note on the reason, for the caller.",
    of: signedIn,
    toBlock: (call) => namedUser(call, identity),
    // Blocked accounts can be named even if they have become hidden.
    named: (call) => {
      const user = identity.byLogin(param(call, "username"));
      return user && blocks.isBlocked(signedIn(call), user) ? user : namedUser(call, identity);
    },
  });
}
