import type { User } from "../../src/access/user.ts";
import { json } from "../../src/http/respond.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { organizationMember, teamOwner, teamReader } from "../../src/organizations/access.ts";
import { seenOrganization, seenTeam } from "../../src/organizations/subject.ts";
import type { SeenTeam } from "../../src/organizations/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { organizationHref, teamHref, withQuery } from "../links.ts";
import { pageOf, wordsOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { teamFormPages } from "./team-form-routes.tsx";
import { TeamPage, TeamsPage } from "./teams.tsx";
import { organizationProps, teamFacts } from "./view.ts";
import { organizationWords } from "./words/index.ts";

const PER_PAGE = 20;
/** Maximum names that a form offers; others have to be typed. */
const MAX_OFFERED = 200;

/** Teams: their properties, members and repositories. */
export function teamPages(services: WebServices): Route[] {
  const page = { surface: "page" } as const;
  const teams = "/org/:org/teams";
  const team = `${teams}/:team`;
  const act = (path: string, handle: (call: Call) => Response | Promise<Response>): Route => ({
    ...page,
    method: "POST",
    path: `${team}/action/${path}`,
    access: teamOwner,
    handle,
  });
  return [
    { ...page, method: "GET", path: teams, access: organizationMember, handle: (call) => list(services, call) },
    {
      ...page,
      method: "GET",
      path: `${teams}/-/search`,
      access: organizationMember,
      handle: (call) => {
        const { items } = services.teams.list(seenOrganization(call), pageOf(call, PER_PAGE), wordsOf(call));
        return json({ ok: true, data: items.map(({ id, name, description }) => ({ id, name, description })) });
      },
    },
    { ...page, method: "GET", path: team, access: teamReader, handle: (call) => one(services, call, {}) },
    {
      ...page,
      method: "GET",
      path: `${team}/repositories`,
      access: teamReader,
      handle: (call) => one(services, call, {}),
    },
    ...teamFormPages(services),
    act("add", (call) => addMember(services, call)),
    act("join", (call) => join(services, call)),
    act("remove", (call) => removeMember(services, call)),
    act("remove_invite", (call) => withdraw(services, call)),
    {
      ...page,
      method: "POST",
      path: `${team}/action/leave`,
      access: teamReader,
      handle: (call) => leave(services, call),
    },
    act("repo/add", (call) => addRepo(services, call)),
    act("repo/remove", (call) => removeRepo(services, call)),
    act("repo/addall", (call) =>
      changeAllRepos(services, call, "everyRepositoryAdded", () => services.teams.repos.addAll(seenTeam(call))),
    ),
    act("repo/removeall", (call) =>
      changeAllRepos(services, call, "everyRepositoryRemoved", () => services.teams.repos.removeAll(seenTeam(call))),
    ),
  ];
}

const home = ({ seen, team }: SeenTeam) => teamHref(seen.organization.login, team.name);

const reposHome = ({ seen, team }: SeenTeam) => teamHref(seen.organization.login, team.name, "repositories");

function list(services: WebServices, call: Call): Response {
  const seen = seenOrganization(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.teams.list(seen, slice, wordsOf(call));
  const counts = services.teams.counts(items);
  const view = (
    <TeamsPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      teams={items.map((team) => ({
        ...teamFacts(team),
        memberCount: counts.get(team.id)?.members ?? 0,
        repoCount: counts.get(team.id)?.repos ?? 0,
      }))}
      pages={{
        page: slice.page,
        perPage: PER_PAGE,
        total,
        href: withQuery(organizationHref(seen.organization.login, "teams"), { q: wordsOf(call) }),
      }}
    />
  );
  return show(call, view);
}

interface Refused {
  readonly member?: { readonly name: string; readonly error: string };
  readonly repo?: { readonly name: string; readonly error: string };
}

function one(services: WebServices, call: Call, refused: Refused): Response {
  const found = seenTeam(call);
  const slice = pageOf(call, PER_PAGE);
  const showsRepos = refused.repo !== undefined || call.pattern.endsWith("/repositories");
  const members = showsRepos ? undefined : services.teams.members(found, slice);
  const repos = showsRepos ? services.teams.repos.list(found, slice) : undefined;
  const href = showsRepos ? reposHome(found) : home(found);
  const view = (
    <TeamPage
      shell={shellOf(services, call)}
      organization={organizationProps(found.seen)}
      team={teamFacts(found.team)}
      isInTeam={found.isMember}
      members={members?.items.map((user) => ({ ...personOf(user), id: user.id }))}
      repos={repos?.items.map(({ repo }) => ({ id: repo.id, name: repo.name }))}
      pages={{ page: slice.page, perPage: PER_PAGE, total: (members ?? repos)?.total ?? 0, href }}
      invitations={
        !showsRepos && found.seen.standing === "owner"
          ? services.teamInvitations.list(found).map(({ id, email, expiresAt }) => ({ id, email, expiresAt }))
          : []
      }
      invites={services.confirmation.canSend}
      offered={offeredNames(services, found, showsRepos)}
      memberForm={refusedField("uname", refused.member)}
      repoForm={refusedField("repo_name", refused.repo)}
    />
  );
  return show(call, view, { status: refused.member || refused.repo ? 422 : 200 });
}

/** What an owner may want to add: organization members outside the team, or repositories it does not have. */
function offeredNames(services: WebServices, found: SeenTeam, ofRepos: boolean): string[] {
  const { seen } = found;
  if (seen.standing !== "owner") return [];
  const slice = { page: 1, limit: MAX_OFFERED, offset: 0 };
  if (!ofRepos) {
    const inTeam = new Set(services.teams.members(found, slice).items.map(({ id }) => id));
    return services.members.list(seen, slice).items.flatMap(({ id, login }) => (inTeam.has(id) ? [] : [login]));
  }
  const inTeam = new Set(services.teams.repos.list(found, slice).items.map(({ repo }) => repo.id));
  return services.repoSearch
    .ownedBy(seen.principal, seen.organization, slice)
    .items.flatMap(({ repo }) => (inTeam.has(repo.id) ? [] : [repo.name]));
}

function refusedField<Name extends string>(field: Name, refused: { name: string; error: string } | undefined) {
  if (!refused) return {};
  const only = (text: string) => ({ [field]: text }) as Record<Name, string>;
  return { values: only(refused.name), errors: only(refused.error) as FormErrors<Name> };
}

async function addMember(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  const name = (await readForm(call)).text("uname").slice(0, 255);
  const t = wordsFor(call, organizationWords);
  if (name.includes("@")) return invite(services, call, name);
  let user: User;
  try {
    user = services.members.named(found.seen, name);
    services.teams.addMember(found, user);
  } catch (error) {
    const text = error instanceof NotFound ? t("noSuchAccount") : refusalOf(call, error);
    return one(services, call, { member: { name, error: text } });
  }
  const text = t("memberAdded", { name: user.login });
  return redirectAfterPost(services, call, home(found), { kind: "success", text });
}

/** Does not reveal whether an account has the email address: its owner gets an email. */
function invite(services: WebServices, call: Call, email: string): Response {
  const found = seenTeam(call);
  try {
    services.teamInvitations.invite(found, email);
  } catch (error) {
    return one(services, call, { member: { name: email, error: refusalOf(call, error) } });
  }
  const text = wordsFor(call, organizationWords)("invitationSent", { email });
  return redirectAfterPost(services, call, home(found), { kind: "success", text });
}

async function withdraw(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  services.teamInvitations.withdraw(found, (await readForm(call)).number("iid") ?? 0);
  const text = wordsFor(call, organizationWords)("invitationWithdrawn");
  return redirectAfterPost(services, call, home(found), { kind: "success", text });
}

/** Lets an owner join a team. */
function join(services: WebServices, call: Call): Response {
  const found = seenTeam(call);
  services.teams.addMember(found, signedIn(call));
  const text = wordsFor(call, organizationWords)("joinedTeam", { team: found.team.name });
  return redirectAfterPost(services, call, home(found), { kind: "success", text });
}

async function removeMember(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  const user = services.identity.byId((await readForm(call)).number("uid") ?? 0);
  if (!user || !services.teams.isIn(found, user)) throw new NotFound();
  return leaveTeam(services, call, found, user, home(found));
}

function leave(services: WebServices, call: Call): Response {
  const found = seenTeam(call);
  return leaveTeam(services, call, found, signedIn(call), "/");
}

function leaveTeam(services: WebServices, call: Call, found: SeenTeam, user: User, back: string): Response {
  try {
    services.teams.removeMember(found, user);
  } catch (error) {
    return redirectAfterPost(services, call, home(found), { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, organizationWords)("removedFromTeam", { name: user.login });
  return redirectAfterPost(services, call, back, { kind: "success", text });
}

async function addRepo(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  const name = (await readForm(call)).text("repo_name").slice(0, 100);
  const t = wordsFor(call, organizationWords);
  const repo = services.repos.find(found.seen.organization, name);
  const seen = repo && services.repos.seeById(call.principal, repo.id);
  if (!seen) return one(services, call, { repo: { name, error: t("noSuchRepository") } });
  try {
    services.teams.repos.add(seen, found.team);
  } catch (error) {
    return one(services, call, { repo: { name, error: refusalOf(call, error) } });
  }
  const text = t("repositoryAdded", { name: seen.repo.name });
  return redirectAfterPost(services, call, reposHome(found), { kind: "success", text });
}

async function removeRepo(services: WebServices, call: Call): Promise<Response> {
  const found = seenTeam(call);
  const seen = services.repos.seeById(call.principal, (await readForm(call)).number("repoid") ?? 0);
  if (!seen || !services.teams.repos.has(found, seen)) throw new NotFound();
  try {
    services.teams.repos.remove(seen, found.team);
  } catch (error) {
    return redirectAfterPost(services, call, reposHome(found), { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, organizationWords)("repositoryRemoved", { name: seen.repo.name });
  return redirectAfterPost(services, call, reposHome(found), { kind: "success", text });
}

function changeAllRepos(
  services: WebServices,
  call: Call,
  done: "everyRepositoryAdded" | "everyRepositoryRemoved",
  change: () => void,
): Response {
  const back = reposHome(seenTeam(call));
  try {
    change();
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, back, { kind: "success", text: wordsFor(call, organizationWords)(done) });
}
