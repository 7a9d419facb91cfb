import { type Static, Type } from "@sinclair/typebox";
import { lists } from "../http/query.ts";
import { created, noContent, page } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import { Forbidden } from "../kernel/errors.ts";
import { CreateRepoBody, newRepoOf } from "../repos/bodies.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { Services } from "../services.ts";
import { organizationOwner, seesOrganization, signedInSees } from "./access.ts";
import { seenOrganization } from "./subject.ts";

/** The repositories of an organization over REST (contract identity.md 12). */
export function organizationRepoRoutes(services: Services): Route[] {
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
    403: { description: "The caller may not create repositories there." },
    404: { description: "There is no such organization, or the caller may not see it." },
    409: { description: "The name is taken." },
    422: { description: "A value is invalid." },
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
        summary: "Create a repository in an organization (older address)",
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
          200: { description: "Those the caller may see, oldest first.", schema: Type.Array(RepoResource) },
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
          202: { description: "The repositories are being deleted in the background." },
          204: { description: "There were none." },
          403: { description: "The caller is not an owner." },
          404: answers[404],
        },
      },
      handle: (call) =>
        organizations.removeRepos(seenOrganization(call)) ? new Response(null, { status: 202 }) : noContent(),
    },
  ];
}
