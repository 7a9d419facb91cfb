import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import type { RepoTeamsProps } from "./repo-teams.tsx";
import { organizationWords } from "./words/index.ts";

const PAGE = "settings/collaboration";
/** One page lists them all. */
const MAX_TEAMS = 500;

/** The team forms of a repository, on its collaborators page (contract web.md 1.11). */
export function repoTeamPages(services: WebServices): Route[] {
  const page = { method: "POST", surface: "page", access: administersRepo } as const;
  const path = `/:owner/:repo/${PAGE}/team`;
  return [
    { ...page, path, handle: (call) => change(services, call, "teamAdded") },
    { ...page, path: `${path}/delete`, handle: (call) => change(services, call, "teamRemoved") },
  ];
}

/** The content of the teams card; undefined when the owner is not an organization. */
export function repoTeams(services: WebServices, seen: SeenRepo): RepoTeamsProps | undefined {
  const { organizations, teams } = services;
  if (seen.owner.kind !== "organization") return undefined;
  const slice = { page: 1, limit: MAX_TEAMS, offset: 0 };
  const having = teams.repos.ofRepo(seen, slice).items;
  const shown = teams.list(organizations.standingIn(seen.principal, seen.owner), slice).items;
  const mayChange = teams.repos.mayChangeTeams(seen);
  return {
    action: homeOf(seen, `${PAGE}/team`),
    organization: seen.owner.login,
    teams: having.map(({ id, name, includesAll }) => ({
      id,
      name,
      includesAll,
      isShown: shown.some((team) => team.id === id),
    })),
    others: shown.filter((team) => !having.some(({ id }) => id === team.id)).map(({ name }) => name),
    mayChange,
  };
}

async function change(services: WebServices, call: Call, how: "teamAdded" | "teamRemoved"): Promise<Response> {
  const seen = seenRepo(call);
  const back = homeOf(seen, PAGE);
  const form = await readForm(call);
  if (seen.owner.kind !== "organization") throw new NotFound();
  const having = services.teams.repos.ofRepo(seen, { page: 1, limit: MAX_TEAMS, offset: 0 }).items;
  const team =
    how === "teamAdded"
      ? services.teams.repos.ofRepoNamed(seen, form.text("team").slice(0, 255))
      : having.find(({ id }) => id === form.number("id"));
  if (!team) throw new NotFound();
  try {
    if (how === "teamAdded") services.teams.repos.add(seen, team);
    else services.teams.repos.remove(seen, team);
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, organizationWords)(how, { name: team.name });
  return redirectAfterPost(services, call, back, { kind: "success", text });
}
