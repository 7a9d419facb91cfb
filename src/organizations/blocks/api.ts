import { blockRoutesOf } from "../../blocks/routes-of.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { organizationOwner } from "../access.ts";
import { seenOrganization } from "../subject.ts";

/** Accounts blocked by organizations. */
export function blockRoutes(services: Services): Route[] {
  const { members } = services;
  const named = (call: Call) => {
    const login = param(call, "username");
    return members.named(seenOrganization(call), login, () => new NotFound("block.unknown", { params: { login } }));
  };
  return blockRoutesOf(services, {
    base: "/api/v1/orgs/:org",
    access: organizationOwner,
    tag: "organization",
    params: { username: "Name of the account." },
    operations: {
      block: { id: "organizationBlockUser", summary: "Block a user from an organization" },
      list: { id: "organizationListBlocks", summary: "List the users an organization blocks" },
      check: { id: "organizationCheckUserBlock", summary: "Check whether an organization blocks a user" },
      unblock: { id: "organizationUnblockUser", summary: "Unblock a user from an organization" },
      putBlock: { id: "orgBlockUser", summary: "Block a user from an organization" },
      putUnblock: { id: "orgUnblockUser", summary: "Unblock a user from an organization" },
      listBlocked: { id: "orgListBlockedUsers", summary: "List the blocks of an organization" },
    },
    notAllowed: "a member, or an organization",
    noteFor: "A note on the reason, for the other owners.",
    further: { 403: { description: "The caller is not an owner." } },
    of: (call) => seenOrganization(call).organization,
    toBlock: (call) => {
      const user = named(call);
      if (members.isMember(seenOrganization(call), user)) throw new BadRequest("block.not-allowed");
      return user;
    },
    named,
  });
}
