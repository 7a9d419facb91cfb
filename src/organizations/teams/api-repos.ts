import { Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import { administersRepo, signedInReader } from "../../repos/access.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { TeamResource, teamResource } from "../resource.ts";

const path = "/api/v1/repos/:owner/:repo/teams";
const params = { team: "Name of the team, in any letter case." };
const noOrganization = { 405: { description: "The owner is not an organization." } };

/** The teams of a repository over REST (contract repositories.md 12.2). */
export function repoTeamRoutes({ links, teams }: Services): Route[] {
  const named = (call: Call) => teams.repos.ofRepoNamed(seenRepo(call), param(call, "team"));
  return [
    {
      method: "PUT",
      path: `${path}/:team`,
      surface: "api",
      access: administersRepo,
      doc: {
        id: "repoAddTeam",
        tag: "repository",
        summary: "Add a team to a repository",
        params,
        answers: {
          204: { description: "The team has access." },
          403: { description: "The caller may not change the teams." },
          404: { description: "There is no such team." },
          ...noOrganization,
          422: { description: "The team already has access." },
        },
      },
      handle: (call) => {
        const team = named(call);
        if (!teams.repos.add(seenRepo(call), team))
          throw new ValidationFailed("team.has-repository", { params: { name: team.name } });
        return noContent();
      },
    },
    {
      method: "GET",
      path,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "repoListTeams",
        tag: "repository",
        summary: "List a repository's teams",
        answers: {
          200: { description: "Owners first, then sorted by name.", schema: Type.Array(TeamResource) },
          ...noOrganization,
        },
      },
      ...lists({}, (call) => {
        const { items, total } = teams.repos.ofRepo(seenRepo(call), call.paging);
        return page(
          items.map((team) => teamResource(team, null)),
          total,
          { rootUrl: links.rootUrl, ...call },
        );
      }),
    },
    {
      method: "GET",
      path: `${path}/:team`,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "repoCheckTeam",
        tag: "repository",
        summary: "Get a repository's team",
        params,
        answers: {
          200: { description: "The team.", schema: TeamResource },
          404: { description: "There is no such team, or it does not have the repository." },
          ...noOrganization,
        },
      },
      handle: (call) => {
        const team = named(call);
        if (!teams.repos.has({ team }, seenRepo(call))) throw new NotFound("team.not-of-repository");
        return json(teamResource(team, null));
      },
    },
    {
      method: "DELETE",
      path: `${path}/:team`,
      surface: "api",
      access: administersRepo,
      doc: {
        id: "repoDeleteTeam",
        tag: "repository",
        summary: "Remove a team from a repository",
        params,
        answers: {
          204: { description: "The team no longer has access." },
          403: { description: "The caller may not change the teams." },
          404: { description: "There is no such team." },
          ...noOrganization,
          422: { description: "The team does not have the repository, or has all repositories." },
        },
      },
      handle: (call) => {
        const team = named(call);
        if (!teams.repos.remove(seenRepo(call), team))
          throw new ValidationFailed("team.lacks-repository", { params: { name: team.name } });
        return noContent();
      },
    },
  ];
}
