import { Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { asks, lists, textParam } from "../http/query.ts";
import { noContent, page } from "../http/respond.ts";
import { type Call, type Method, param, type Route, signedIn } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";
import { namedUser } from "../identity/named-user.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { BlockedUserResource, blockedUserResource } from "./resource.ts";

const base = "/api/v1/user";

/** Whom the account that asks blocks, in both spellings (contract identity.md 11.2). */
export function blockRoutes(services: Services): Route[] {
  const { blocks, identity, links } = services;
  const block = (call: Call, note = "") => {
    blocks.block(call.principal, signedIn(call), namedUser(call, identity), note);
    return noContent();
  };
  /** Whoever is blocked can be named, however hidden they are by now. */
  const blockedOrSeen = (call: Call): User => {
    const user = identity.byLogin(param(call, "username"));
    return user && blocks.isBlocked(signedIn(call), user) ? user : namedUser(call, identity);
  };
  const unblock = (call: Call) => {
    blocks.unblock(call.principal, signedIn(call), blockedOrSeen(call));
    return noContent();
  };
  const change = (
    method: Method,
    path: string,
    id: string,
    summary: string,
    handles: Pick<Route, "handle" | "query">,
  ): Route => ({
    method,
    path: `${base}/${path}/:username`,
    surface: "api",
    access: ownAccount,
    doc: {
      id,
      tag: "user",
      summary,
      answers: {
        204: { description: "Done." },
        400: { description: "It is so already, or the account cannot be blocked: oneself, or an organization." },
        404: { description: "There is no such account, or none the caller may see." },
      },
    },
    ...handles,
  });
  const blocking = asks({ note: textParam("Why, for oneself.") }, (call, { note }) => block(call, note));
  return [
    change("PUT", "blocks", "userBlockUser", "Block a user", blocking),
    {
      method: "GET",
      path: `${base}/blocks`,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "userListBlocks",
        tag: "user",
        summary: "List the users the authenticated user blocks",
        answers: { 200: { description: "The accounts, the first block first.", schema: Type.Array(UserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = blocks.list(signedIn(call), call.paging);
        const users = items.map(({ user }) => user);
        return page(userResources(services, call.principal, users), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: `${base}/blocks/:username`,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "userCheckUserBlock",
        tag: "user",
        summary: "Check whether the authenticated user blocks a user",
        answers: { 204: { description: "The user does." }, 404: { description: "The user does not." } },
      },
      handle: (call) => {
        if (!blocks.isBlocked(signedIn(call), blockedOrSeen(call))) throw new NotFound();
        return noContent();
      },
    },
    change("DELETE", "blocks", "userUnblockUser", "Unblock a user", { handle: unblock }),
    change("PUT", "block", "userPutBlock", "Block a user", { handle: (call) => block(call) }),
    change("PUT", "unblock", "userPutUnblock", "Unblock a user", { handle: unblock }),
    {
      method: "GET",
      path: `${base}/list_blocked`,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "userListBlockedUsers",
        tag: "user",
        summary: "List the blocks of the authenticated user",
        answers: { 200: { description: "The first first.", schema: Type.Array(BlockedUserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = blocks.list(signedIn(call), call.paging);
        return page(items.map(blockedUserResource), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
  ];
}
