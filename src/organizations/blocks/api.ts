import { Type } from "@sinclair/typebox";
import { BlockedUserResource, blockedUserResource } from "../../blocks/resource.ts";
import { asks, lists, textParam } from "../../http/query.ts";
import { noContent, page } from "../../http/respond.ts";
import { type Call, type Method, param, type Route } from "../../http/route.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { organizationOwner } from "../access.ts";
import { seenOrganization } from "../subject.ts";

const base = "/api/v1/orgs/:org";
const params = { username: "Name of the account." };

/** Whom organizations block, in both spellings (contract identity.md 11.2). */
export function blockRoutes(services: Services): Route[] {
  const { blocks, links, members } = services;
  const named = (call: Call) => members.named(seenOrganization(call), param(call, "username"));
  const block = (call: Call, note = "") => {
    const seen = seenOrganization(call);
    const user = named(call);
    if (members.isMember(seen, user)) throw new BadRequest("block.not-allowed");
    blocks.block(call.principal, seen.organization, user, note);
    return noContent();
  };
  const unblock = (call: Call) => {
    blocks.unblock(call.principal, seenOrganization(call).organization, named(call));
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
    access: organizationOwner,
    doc: {
      id,
      tag: "organization",
      summary,
      params,
      answers: {
        204: { description: "Done." },
        400: { description: "It is so already, or the account cannot be blocked: a member, or an organization." },
        403: { description: "The caller is no owner." },
        404: { description: "No such organization or account, or none the caller may see." },
      },
    },
    ...handles,
  });
  const blocking = asks({ note: textParam("Why, for the other owners.") }, (call, { note }) => block(call, note));
  return [
    change("PUT", "blocks", "organizationBlockUser", "Block a user from an organization", blocking),
    {
      method: "GET",
      path: `${base}/blocks`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "organizationListBlocks",
        tag: "organization",
        summary: "List the users an organization blocks",
        answers: { 200: { description: "The accounts, the first block first.", schema: Type.Array(UserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = blocks.list(seenOrganization(call).organization, call.paging);
        const users = items.map(({ user }) => user);
        return page(userResources(services, call.principal, users), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: `${base}/blocks/:username`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "organizationCheckUserBlock",
        tag: "organization",
        summary: "Check whether an organization blocks a user",
        params,
        answers: { 204: { description: "It does." }, 404: { description: "It does not." } },
      },
      handle: (call) => {
        if (!blocks.isBlocked(seenOrganization(call).organization, named(call))) throw new NotFound();
        return noContent();
      },
    },
    change("DELETE", "blocks", "organizationUnblockUser", "Unblock a user from an organization", { handle: unblock }),
    change("PUT", "block", "orgBlockUser", "Block a user from an organization", { handle: (call) => block(call) }),
    change("PUT", "unblock", "orgUnblockUser", "Unblock a user from an organization", { handle: unblock }),
    {
      method: "GET",
      path: `${base}/list_blocked`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgListBlockedUsers",
        tag: "organization",
        summary: "List the blocks of an organization",
        answers: { 200: { description: "The first first.", schema: Type.Array(BlockedUserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = blocks.list(seenOrganization(call).organization, call.paging);
        return page(items.map(blockedUserResource), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
  ];
}
