import { type Static, Type } from "@sinclair/typebox";
import { ActivityResource, activityResources } from "../activity/resource.ts";
import { reposOf } from "../activity/service.ts";
import { IMAGE_BODY_BYTES, ImageBody, imageOf } from "../avatars/api.ts";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { type ListCall, lists, textParam } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Access, type Call, type Route, signedIn, takes } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import { ACCOUNT_LIMITS } from "../identity/values.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { Slice } from "../kernel/paging.ts";
import { CreateRepoBody, newRepoOf } from "../repos/bodies.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { Services } from "../services.ts";
import { organizationOwner, seesOrganization, signedInSees } from "./access.ts";
import { blockRoutes } from "./blocks/api.ts";
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
    ...oneRoutes(services),
    ...repoRoutes(services),
    ...memberRoutes(services),
    ...blockRoutes(services),
    ...teamRoutes(services),
    ...repoTeamRoutes(services),
  ];
}

const visibility = Type.Optional(
  Type.Union([Type.Literal(""), Type.Literal("public"), Type.Literal("limited"), Type.Literal("private")], {
    description: "Who sees it: public, limited (people who are signed in) or private (members).",
  }),
);

const profile = {
  full_name: maybeText("The name it calls itself.", ACCOUNT_LIMITS.fullName),
  email: Type.Optional(Type.String({ description: "Contact address.", maxLength: 255, rule: "Email", field: "Email" })),
  description: maybeText("What it says of itself.", ACCOUNT_LIMITS.description),
  website: Type.Optional(
    Type.String({ description: "Address of its website.", maxLength: ACCOUNT_LIMITS.website, rule: "Url" }),
  ),
  location: maybeText("Where it is.", ACCOUNT_LIMITS.location),
  visibility,
  repo_admin_change_team_access: maybeYesNo("Whether administrators of a repository may add and remove its teams."),
};

const CreateOrganizationBody = Type.Object(
  {
    username: Type.String({
      description: "Its name.",
      maxLength: ACCOUNT_LIMITS.login,
      rule: "AccountName",
      field: "UserName",
    }),
    ...profile,
  },
  { $id: "CreateOrgOption", description: "An organization to make." },
);
const EditOrganizationBody = Type.Object(profile, { $id: "EditOrgOption", description: "Fields to change." });
const RenameOrganizationBody = Type.Object(
  { new_name: Type.String({ description: "The new name.", field: "NewName" }) },
  { $id: "RenameOrgOption", description: "A new name." },
);

function editOf(body: Static<typeof EditOrganizationBody>) {
  return {
    fullName: body.full_name,
    email: body.email,
    description: body.description,
    website: body.website,
    location: body.location,
    // An empty one is the default for a new organization, and no change for an old one.
    visibility: body.visibility === "" ? undefined : body.visibility,
    repoAdminsChangeTeams: body.repo_admin_change_team_access,
  };
}

const organizationList = (description: string) => ({
  200: { description, schema: Type.Array(OrganizationResource) },
});
const noAccount = { 404: { description: "There is no such account, or none the caller may see." } };

function listRoutes(services: Services): Route[] {
  const { identity, links, organizations } = services;
  const list = (call: ListCall, { items, total }: Slice<Organization>) =>
    page(
      items.map((item) => organizationResource(item, call.principal, links)),
      total,
      { rootUrl: links.rootUrl, ...call },
    );
  const ofUser = (call: ListCall) =>
    list(call, organizations.ofUser(call.principal, namedUser(call, identity), call.paging));
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
    403: { description: "The account may make none." },
    422: { description: "A value breaks a rule, or the name is taken." },
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
        answers: organizationList("Those the caller may see, by name."),
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
        answers: { ...organizationList("All of them, by name."), ...noAccount },
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
        answers: organizationList("Those the user belongs to, by name."),
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
        answers: { ...organizationList("Of others only memberships that everyone is shown."), ...noAccount },
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

function oneRoutes(services: Services): Route[] {
  const { activity, links, organizations } = services;
  const path = "/api/v1/orgs/:org";
  const show = (call: Call, organization: Organization) =>
    json(organizationResource(organization, call.principal, links));
  const done = { 204: { description: "Done." } };
  const owners = {
    403: { description: "The caller is no owner." },
    404: { description: "There is none, or none the caller may see." },
  };
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgGet",
        tag: "organization",
        summary: "Get an organization",
        answers: {
          200: { description: "The organization.", schema: OrganizationResource },
          404: { description: "There is none, or none the caller may see." },
        },
      },
      handle: (call) => {
        const { organization, repoAdminsChangeTeams } = seenOrganization(call);
        return show(call, { account: organization, repoAdminsChangeTeams });
      },
    },
    {
      method: "PATCH",
      path,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgEdit",
        tag: "organization",
        summary: "Edit an organization",
        answers: {
          200: { description: "The organization after the change.", schema: OrganizationResource },
          ...owners,
          422: { description: "A value breaks a rule; nothing was changed." },
        },
      },
      ...takes(EditOrganizationBody, (call, body) =>
        show(call, organizations.edit(seenOrganization(call), editOf(body))),
      ),
    },
    {
      method: "POST",
      path: `${path}/rename`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "renameOrg",
        tag: "organization",
        summary: "Rename an organization",
        answers: {
          204: { description: "It has the new name; the old one leads to it." },
          ...owners,
          422: { description: "The new name breaks a rule or is taken." },
        },
      },
      ...takes(RenameOrganizationBody, (call, body) => {
        organizations.rename(seenOrganization(call), body.new_name);
        return noContent();
      }),
    },
    {
      method: "DELETE",
      path,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgDelete",
        tag: "organization",
        summary: "Delete an organization",
        answers: {
          204: { description: "It is gone." },
          ...owners,
          422: { description: "It still has repositories." },
        },
      },
      handle: (call) => {
        organizations.remove(seenOrganization(call));
        return noContent();
      },
    },
    {
      method: "POST",
      path: `${path}/avatar`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgUpdateAvatar",
        tag: "organization",
        summary: "Update an organization's avatar",
        answers: {
          ...done,
          400: { description: "Not base64." },
          ...owners,
          422: { description: "No picture, too large, or of an unknown format. Nothing was changed." },
        },
      },
      ...takes(
        ImageBody,
        async (call, body) => {
          await organizations.setAvatar(seenOrganization(call), imageOf(body.image));
          return noContent();
        },
        { limitBytes: IMAGE_BODY_BYTES },
      ),
    },
    {
      method: "DELETE",
      path: `${path}/avatar`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgDeleteAvatar",
        tag: "organization",
        summary: "Delete an organization's avatar",
        answers: { ...done, ...owners },
      },
      handle: (call) => {
        organizations.removeAvatar(seenOrganization(call));
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${path}/activities/feeds`,
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgListActivityFeeds",
        tag: "organization",
        summary: "List an organization's activity",
        answers: {
          200: {
            description: "What happened in its repositories that the caller may see, the newest first.",
            schema: Type.Array(ActivityResource),
          },
          404: { description: "There is none, or none the caller may see." },
        },
      },
      ...lists({ date: textParam("One day, as YYYY-MM-DD; anything else means any.") }, async (call, { date }) => {
        const { organization } = seenOrganization(call);
        const { items, total } = activity.feed(call.principal, reposOf(organization), date, call.paging);
        return page(await activityResources(services, call, organization.id, items), total, {
          rootUrl: links.rootUrl,
          ...call,
        });
      }),
    },
  ];
}

function repoRoutes(services: Services): Route[] {
  const { creator, links, organizations, repos, repoSearch } = services;
  const create = async (call: Call, body: Static<typeof CreateRepoBody>) => {
    const { organization, principal } = seenOrganization(call);
    const repo = await creator.create(principal, organization, newRepoOf(body));
    const access = repos.accessOf(principal, repo, organization);
    return created(repoResources(services, [{ principal, repo, owner: organization, access }])[0]);
  };
  const mayCreate = (call: Call) => {
    if (!organizations.mayCreateRepos(seenOrganization(call))) throw new Forbidden("organization.no-repo-creation");
  };
  const answers = {
    201: { description: "The new repository.", schema: RepoResource },
    400: { description: "There is no such README template." },
    403: { description: "The caller may make none there." },
    404: { description: "There is no such organization, or none the caller may see." },
    409: { description: "The name is taken." },
    422: { description: "A value is not acceptable." },
  };
  return [
    {
      method: "POST",
      path: "/api/v1/orgs/:org/repos",
      surface: "api",
      access: signedInSees,
      doc: { id: "createOrgRepo", tag: "organization", summary: "Create a repository in an organization", answers },
      ...takes(CreateRepoBody, create, { before: mayCreate }),
    },
    {
      method: "POST",
      path: "/api/v1/org/:org/repos",
      surface: "api",
      access: { ...signedInSees, scopes: ["organization", "repository"] },
      doc: {
        id: "createOrgRepoDeprecated",
        tag: "organization",
        summary: "Create a repository in an organization, by its older address",
        answers,
      },
      ...takes(CreateRepoBody, create, { before: mayCreate }),
    },
    {
      method: "GET",
      path: "/api/v1/orgs/:org/repos",
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgListRepos",
        tag: "organization",
        summary: "List an organization's repositories",
        answers: {
          200: { description: "Those the caller may see, the oldest first.", schema: Type.Array(RepoResource) },
          404: answers[404],
        },
      },
      ...lists({}, (call) => {
        const { items, total } = repoSearch.ownedBy(call.principal, seenOrganization(call).organization, call.paging);
        return page(repoResources(services, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "DELETE",
      path: "/api/v1/orgs/:org/repos",
      surface: "api",
      access: { ...organizationOwner, scopes: ["organization", "repository"] },
      doc: {
        id: "orgDeleteRepos",
        tag: "organization",
        summary: "Delete all repositories of an organization",
        answers: {
          202: { description: "They go, in the background." },
          204: { description: "There was none." },
          403: { description: "The caller is no owner." },
          404: answers[404],
        },
      },
      handle: (call) =>
        organizations.removeRepos(seenOrganization(call)) ? new Response(null, { status: 202 }) : noContent(),
    },
  ];
}
