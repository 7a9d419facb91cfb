import { Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { UserResource, userResource, userResources } from "../../identity/resource.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { teamAudience, teamOwner } from "../access.ts";
import { seenTeam } from "../subject.ts";

import { id, refused, team } from "./api-parts.ts";

/** Members of a team over REST (contract identity.md 13.3). */
export function teamMemberRoutes(services: Services): Route[] {
  const { links, members, teams: service } = services;
  const path = `${team}/members/:username`;
  const params = { ...id, username: "Name of the account." };
  const named = (call: Call) => members.named(seenTeam(call).seen, param(call, "username"));
  return [
    {
      method: "PUT",
      path,
      surface: "api",
      access: teamOwner,
      doc: {
        id: "orgAddTeamMember",
        tag: "organization",
        summary: "Add a member to a team",
        params,
        answers: {
          204: { description: "The account is in the team." },
          ...refused,
          422: { description: "An organization cannot be a member." },
        },
      },
      handle: (call) => {
        service.addMember(seenTeam(call), named(call));
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${team}/members`,
      surface: "api",
      access: teamAudience,
      doc: {
        id: "orgListTeamMembers",
        tag: "organization",
        summary: "List a team's members",
        params: id,
        answers: { 200: { description: "Sorted by name.", schema: Type.Array(UserResource) }, ...refused },
      },
      ...lists({}, (call) => {
        const { items, total } = service.members(seenTeam(call), call.paging);
        return page(userResources(services, call.principal, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path,
      surface: "api",
      access: teamAudience,
      doc: {
        id: "orgListTeamMember",
        tag: "organization",
        summary: "Get a team's member",
        params,
        answers: { 200: { description: "The account.", schema: UserResource }, ...refused },
      },
      handle: (call) => {
        const user = named(call);
        if (!service.isShownIn(seenTeam(call), user)) throw new NotFound();
        return json(userResource(user, call.principal, links));
      },
    },
    {
      method: "DELETE",
      path,
      surface: "api",
      access: teamOwner,
      doc: {
        id: "orgRemoveTeamMember",
        tag: "organization",
        summary: "Remove a member from a team",
        params,
        answers: {
          204: { description: "The account is no longer in the team." },
          ...refused,
          422: { description: "The account is the last owner." },
        },
      },
      handle: (call) => {
        service.removeMember(seenTeam(call), named(call));
        return noContent();
      },
    },
  ];
}
