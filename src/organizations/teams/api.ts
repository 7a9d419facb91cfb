import { type Static, Type } from "@sinclair/typebox";
import { ActivityResource, activityResources } from "../../activity/resource.ts";
import { maybeText, maybeVisibility, maybeYesNo } from "../../http/fields.ts";
import { flagParam, lists, searchParam, textParam } from "../../http/query.ts";
import { created, json, noContent, page, pageHeaders } from "../../http/respond.ts";
import { type Route, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { organizationMember, teamOwner, teamReader } from "../access.ts";
import { heldByTeam } from "../grants.ts";
import { organizationResource, TeamResource, TeamSearchResource, teamResource } from "../resource.ts";
import { seenOrganization, seenTeam } from "../subject.ts";
import type { Team } from "../types.ts";
import { TEAM_LIMITS } from "../values.ts";
import { heldRepoRoutes } from "./api-held.ts";
import { teamMemberRoutes } from "./api-members.ts";
import { id, organizationOf, refused, team } from "./api-parts.ts";
import type { TeamEdit } from "./service.ts";

const fields = {
  description: maybeText("Description.", TEAM_LIMITS.description),
  permission: maybeText("read or write for the units named, or admin."),
  units: Type.Optional(
    Type.Array(Type.String({ description: "Name of a unit, such as repo.code." }), {
      description: "The units that the permission applies to.",
      maxItems: 100,
    }),
  ),
  units_map: Type.Optional(
    Type.Record(Type.String(), Type.String({ description: "none, read, write or admin." }), {
      description: "A level for each unit; takes precedence over units.",
    }),
  ),
  includes_all_repositories: maybeYesNo("Whether it has all repositories of the organization, including future ones."),
  can_create_org_repo: maybeYesNo("Whether its members may create repositories in the organization."),
  visibility: maybeVisibility(
    "Who can see the team: public, limited (members of the organization) or private (the team).",
  ),
};
const CreateTeamBody = Type.Object(
  { name: Type.String({ description: "Its name: letters, digits, dash, underscore and dot." }), ...fields },
  { $id: "CreateTeamOption", description: "A team to create." },
);
const EditTeamBody = Type.Object(
  { name: maybeText("Its name."), ...fields },
  { $id: "EditTeamOption", description: "Fields to change." },
);

function editOf(body: Static<typeof EditTeamBody>): TeamEdit {
  return {
    name: body.name,
    description: body.description,
    permission: body.permission,
    units: body.units,
    unitsMap: body.units_map,
    includesAll: body.includes_all_repositories,
    canCreateRepos: body.can_create_org_repo,
    visibility: body.visibility || undefined,
  };
}

/** Teams over REST (contract identity.md 13.3). */
export function teamRoutes(services: Services): Route[] {
  return [...listRoutes(services), ...oneRoutes(services), ...teamMemberRoutes(services), ...heldRepoRoutes(services)];
}

const teams = (description: string) => ({ 200: { description, schema: Type.Array(TeamResource) } });

function listRoutes(services: Services): Route[] {
  const { links, organizations, identity, teams: service } = services;
  const resources = (items: readonly Team[]) => items.map((item) => teamResource(item, null));
  return [
    {
      method: "POST",
      path: "/api/v1/orgs/:org/teams",
      surface: "api",
      access: organizationMember,
      doc: {
        id: "orgCreateTeam",
        tag: "organization",
        summary: "Create a team",
        answers: {
          201: { description: "The team.", schema: TeamResource },
          ...refused,
          422: { description: "A value is invalid, or the name is taken." },
        },
      },
      ...takes(CreateTeamBody, (call, body) => {
        const seen = seenOrganization(call);
        const made = service.create(seen, { ...editOf(body), name: body.name });
        return created(teamResource(made, organizationOf(services, seen)));
      }),
    },
    {
      method: "GET",
      path: "/api/v1/orgs/:org/teams",
      surface: "api",
      access: organizationMember,
      doc: {
        id: "orgListTeams",
        tag: "organization",
        summary: "List an organization's teams",
        answers: { ...teams("The teams that the caller may see: owners first, then sorted by name."), ...refused },
      },
      ...lists({}, (call) => {
        const { items, total } = service.list(seenOrganization(call), call.paging);
        return page(resources(items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: "/api/v1/orgs/:org/teams/search",
      surface: "api",
      access: organizationMember,
      doc: {
        id: "teamSearch",
        tag: "organization",
        summary: "Search an organization's teams",
        answers: { 200: { description: "The teams found.", schema: TeamSearchResource }, ...refused },
      },
      ...lists(
        {
          q: searchParam("Part of the name or description."),
          include_desc: flagParam("Also search descriptions; true by default.", true),
        },
        (call, { q, include_desc }) => {
          const { items, total } = service.list(seenOrganization(call), call.paging, q, include_desc);
          return json(
            { ok: true, data: resources(items) },
            200,
            pageHeaders(total, { rootUrl: links.rootUrl, ...call }),
          );
        },
      ),
    },
    {
      method: "GET",
      path: "/api/v1/user/teams",
      surface: "api",
      access: { who: "user", scopes: ["user"], publicOnly: "refused" },
      doc: {
        id: "userListTeams",
        tag: "user",
        summary: "List the authenticated user's teams",
        answers: teams("The user's teams, sorted by organization."),
      },
      ...lists({}, (call) => {
        const { items, total } = service.own(call.principal, call.paging);
        const accounts = identity.byIds([...new Set(items.map(({ organizationId }) => organizationId))]);
        const known = new Map(
          organizations
            .withSettings([...accounts.values()])
            .map((each) => [each.account.id, organizationResource(each, call.principal, links)]),
        );
        const shown = items.map((item) => teamResource(item, known.get(item.organizationId) ?? null));
        return page(shown, total, { rootUrl: links.rootUrl, ...call });
      }),
    },
  ];
}

function oneRoutes(services: Services): Route[] {
  const { activity, links, teams: service } = services;
  return [
    {
      method: "GET",
      path: team,
      surface: "api",
      access: teamReader,
      doc: {
        id: "orgGetTeam",
        tag: "organization",
        summary: "Get a team",
        params: id,
        answers: { 200: { description: "The team.", schema: TeamResource }, ...refused },
      },
      handle: (call) => {
        const found = seenTeam(call);
        return json(teamResource(found.team, organizationOf(services, found.seen)));
      },
    },
    {
      method: "PATCH",
      path: team,
      surface: "api",
      access: teamOwner,
      doc: {
        id: "orgEditTeam",
        tag: "organization",
        summary: "Edit a team",
        params: id,
        answers: {
          200: { description: "The team after the change.", schema: TeamResource },
          ...refused,
          422: { description: "A value is invalid, or the name is taken. Nothing was changed." },
        },
      },
      ...takes(EditTeamBody, (call, body) => {
        const edit = editOf(body);
        // As in the contract: without a permission, `includes_all_repositories` is ignored.
        const includesAll = edit.permission === undefined ? undefined : edit.includesAll;
        return json(teamResource(service.edit(seenTeam(call), { ...edit, includesAll }), null));
      }),
    },
    {
      method: "DELETE",
      path: team,
      surface: "api",
      access: teamOwner,
      doc: {
        id: "orgDeleteTeam",
        tag: "organization",
        summary: "Delete a team",
        params: id,
        answers: {
          204: { description: "Deleted." },
          ...refused,
          422: { description: "The owners team cannot be deleted." },
        },
      },
      handle: (call) => {
        service.remove(seenTeam(call));
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${team}/activities/feeds`,
      surface: "api",
      access: teamReader,
      doc: {
        id: "orgListTeamActivityFeeds",
        tag: "organization",
        summary: "List a team's activity",
        params: id,
        answers: {
          200: {
            description: "Activity in the team's repositories that the caller may see, newest first.",
            schema: Type.Array(ActivityResource),
          },
          ...refused,
        },
      },
      ...lists({ date: textParam("A day, as YYYY-MM-DD; anything else is ignored.") }, async (call, { date }) => {
        const found = seenTeam(call).team;
        const among = {
          sql: `repositories.owner_id = $feedOwner AND ${heldByTeam("$feedTeam")}`,
          params: { feedOwner: found.organizationId, feedTeam: found.id },
        };
        const { items, total } = activity.feed(call.principal, among, date, call.paging);
        return page(await activityResources(services, call, found.organizationId, items), total, {
          rootUrl: links.rootUrl,
          ...call,
        });
      }),
    },
  ];
}
