import { type Static, Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { type ListCall, lists } from "../http/query.ts";
import { created, json, page } from "../http/respond.ts";
import { type Access, type Call, type Route, signedIn, takes } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import type { Slice } from "../kernel/paging.ts";
import type { Services } from "../services.ts";
import { signedInSees } from "./access.ts";
import { organizationRoutesOfOne } from "./api-one.ts";
import { organizationRepoRoutes } from "./api-repos.ts";
import { blockRoutes } from "./blocks/api.ts";
import { CreateOrganizationBody, editOf } from "./bodies.ts";
import { memberRoutes } from "./members/api.ts";
import { OrganizationPermissionsResource, OrganizationResource, organizationResource } from "./resource.ts";
import { seenOrganization } from "./subject.ts";
import { teamRoutes } from "./teams/api.ts";
import { repoTeamRoutes } from "./teams/api-repos.ts";
import type { Organization } from "./types.ts";

/** Organizations and teams over REST (contract identity.md 12 and 13). */
export function organizationRoutes(services: Services): Route[] {
  return [
    ...listRoutes(services),
    ...organizationRoutesOfOne(services),
    ...organizationRepoRoutes(services),
    ...memberRoutes(services),
    ...blockRoutes(services),
    ...teamRoutes(services),
    ...repoTeamRoutes(services),
  ];
}

const organizationList = (description: string) => ({
  200: { description, schema: Type.Array(OrganizationResource) },
});
const noAccount = { 404: { description: "There is no such account, or the caller may not see it." } };

function listRoutes(services: Services): Route[] {
  const { identity, links, organizations } = services;
  const list = (call: ListCall, { items, total }: Slice<Organization>) =>
    page(
      items.map((item) => organizationResource(item, call.principal, links)),
      total,
      { rootUrl: links.rootUrl, ...call },
    );
  // The one list of a private account that every signed-in user may request (contract identity.md 8.6).
  const isPerson = ({ kind }: User) => kind !== "organization" && kind !== "reserved";
  const ofUser = (call: ListCall) =>
    list(call, organizations.ofUser(call.principal, namedUser(call, identity, isPerson), call.paging));
  const make = (call: Call, owner: ReturnType<typeof signedIn>, body: Static<typeof CreateOrganizationBody>) =>
    created(
      organizationResource(
        organizations.create(call.principal, owner, body.username, editOf(body)),
        call.principal,
        links,
      ),
    );
  const made = {
    201: { description: "The organization.", schema: OrganizationResource },
    403: { description: "The account may not create organizations." },
    422: { description: "A value is invalid, or the name is taken." },
  };
  const administers: Access = { who: "admin", scopes: ["admin"], publicOnly: "filtered" };
  const memberships: Access = { who: "user", scopes: ["user", "organization"], publicOnly: "filtered" };
  return [
    {
      method: "POST",
      path: "/api/v1/orgs",
      surface: "api",
      access: { who: "user", scopes: ["organization"], publicOnly: "refused" },
      doc: { id: "orgCreate", tag: "organization", summary: "Create an organization", answers: made },
      ...takes(CreateOrganizationBody, (call, body) => make(call, signedIn(call), body)),
    },
    {
      method: "GET",
      path: "/api/v1/orgs",
      surface: "api",
      access: { who: "anyone", scopes: [], publicOnly: "filtered" },
      doc: {
        id: "orgGetAll",
        tag: "organization",
        summary: "List organizations",
        answers: organizationList("Those the caller may see, sorted by name."),
      },
      ...lists({}, (call) => list(call, organizations.list(call.principal, call.paging))),
    },
    {
      method: "GET",
      path: "/api/v1/admin/orgs",
      surface: "api",
      access: administers,
      doc: {
        id: "adminGetAllOrgs",
        tag: "admin",
        summary: "List all organizations",
        answers: organizationList("Organizations of every visibility, by name."),
      },
      ...lists({}, (call) => list(call, organizations.list(call.principal, call.paging))),
    },
    {
      method: "POST",
      path: "/api/v1/admin/users/:username/orgs",
      surface: "api",
      access: administers,
      doc: {
        id: "adminCreateOrg",
        tag: "admin",
        summary: "Create an organization for a user",
        answers: { ...made, ...noAccount },
      },
      ...takes(CreateOrganizationBody, (call, body) => make(call, namedUser(call, identity), body), {
        before: (call) => namedUser(call, identity),
      }),
    },
    {
      method: "GET",
      path: "/api/v1/admin/users/:username/orgs",
      surface: "api",
      access: administers,
      doc: {
        id: "adminListUserOrgs",
        tag: "admin",
        summary: "List a user's organizations",
        answers: { ...organizationList("All of them, sorted by name."), ...noAccount },
      },
      ...lists({}, ofUser),
    },
    {
      method: "GET",
      path: "/api/v1/user/orgs",
      surface: "api",
      access: memberships,
      doc: {
        id: "orgListCurrentUserOrgs",
        tag: "organization",
        summary: "List the authenticated user's organizations",
        answers: organizationList("Those the user belongs to, sorted by name."),
      },
      ...lists({}, (call) => list(call, organizations.ofUser(call.principal, signedIn(call), call.paging))),
    },
    {
      method: "GET",
      path: "/api/v1/users/:username/orgs",
      surface: "api",
      access: memberships,
      doc: {
        id: "orgListUserOrgs",
        tag: "organization",
        summary: "List a user's organizations",
        answers: { ...organizationList("For other accounts, only public memberships."), ...noAccount },
      },
      ...lists({}, ofUser),
    },
    {
      method: "GET",
      path: "/api/v1/users/:username/orgs/:org/permissions",
      surface: "api",
      access: { ...signedInSees, scopes: ["user", "organization"] },
      doc: {
        id: "orgGetUserPermissions",
        tag: "organization",
        summary: "Get a user's permissions in an organization",
        answers: {
          200: { description: "What the account may do there.", schema: OrganizationPermissionsResource },
          404: { description: "No such account or organization, or none the caller may see." },
        },
      },
      handle: (call) => {
        const permissions = services.teams.permissions(seenOrganization(call), namedUser(call, identity));
        return json({
          is_owner: permissions.isOwner,
          is_admin: permissions.isAdmin,
          can_write: permissions.canWrite,
          can_read: permissions.canRead,
          can_create_repository: permissions.canCreateRepos,
        });
      },
    },
  ];
}
