import { Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { RepoResource, repoResources } from "../../repos/resource.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { teamReader } from "../access.ts";
import { seenTeam } from "../subject.ts";

import { id, refused, team } from "./api-parts.ts";

/** The repositories a team has, over REST (contract identity.md 13.3). */
export function heldRepoRoutes(services: Services): Route[] {
  const { links, repos, teams: service } = services;
  const path = `${team}/repos/:org/:repo`;
  const params = { ...id, org: "Name of the organization.", repo: "Name of the repository." };
  /** A repository of the team's own organization. */
  const named = (call: Call): SeenRepo => {
    const { seen } = seenTeam(call);
    if (seen.organization.login.toLowerCase() !== param(call, "org").toLowerCase()) throw new NotFound();
    const repo = repos.find(seen.organization, param(call, "repo"));
    const found = repo && repos.seeById(call.principal, repo.id);
    if (!found) throw new NotFound();
    return found;
  };
  return [
    {
      method: "PUT",
      path,
      surface: "api",
      access: teamReader,
      doc: {
        id: "orgAddTeamRepository",
        tag: "organization",
        summary: "Add a repository to a team",
        params,
        answers: { 204: { description: "The team has access." }, ...refused },
      },
      handle: (call) => {
        service.repos.add(named(call), seenTeam(call).team);
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${team}/repos`,
      surface: "api",
      access: teamReader,
      doc: {
        id: "orgListTeamRepos",
        tag: "organization",
        summary: "List a team's repositories",
        params: id,
        answers: {
          200: { description: "Those the caller may see, sorted by name.", schema: Type.Array(RepoResource) },
          ...refused,
        },
      },
      ...lists({}, (call) => {
        const { items, total } = service.repos.list(seenTeam(call), call.paging);
        return page(repoResources(services, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path,
      surface: "api",
      access: teamReader,
      doc: {
        id: "orgListTeamRepo",
        tag: "organization",
        summary: "Get a team's repository",
        params,
        answers: { 200: { description: "The repository.", schema: RepoResource }, ...refused },
      },
      handle: (call) => {
        const repo = named(call);
        if (!service.repos.has(seenTeam(call), repo)) throw new NotFound();
        return json(repoResources(services, [repo])[0]);
      },
    },
    {
      method: "DELETE",
      path,
      surface: "api",
      access: teamReader,
      doc: {
        id: "orgRemoveTeamRepository",
        tag: "organization",
        summary: "Remove a repository from a team",
        params,
        answers: {
          204: { description: "The team no longer has the repository." },
          ...refused,
          422: { description: "The team has all repositories of the organization." },
        },
      },
      handle: (call) => {
        service.repos.remove(named(call), seenTeam(call).team);
        return noContent();
      },
    },
  ];
}
