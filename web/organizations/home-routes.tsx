import { reposOf } from "../../src/activity/service.ts";
import { movedTarget } from "../../src/http/path.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { organizationMember, teamReader } from "../../src/organizations/access.ts";
import { seenOrganization, seenTeam } from "../../src/organizations/subject.ts";
import type { SeenOrganization, Team } from "../../src/organizations/types.ts";
import type { AccountPage, WebServices } from "../area.ts";
import { profileReadme } from "../content/profile-readme.ts";
import type { ReadmeContent } from "../content/readme.tsx";
import { repoListHref, repoQueryOf, searchOf } from "../explore/repo-query.ts";
import { activityItems } from "../home/activity-items.ts";
import { userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { repoItem } from "../repos/items.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { OrganizationDashboardPage, OrganizationHomePage } from "./home.tsx";
import { organizationProps } from "./view.ts";

const REPOS_PER_PAGE = 15;
const FACES = 25;
const TEAMS = 5;
const FEED_LENGTH = 20;

/** `GET /{org}`, where accounts have their pages. */
export const organizationAccountPage: AccountPage = {
  kind: "organization",
  show: (services, call, account) => home(services, call, services.organizations.standingIn(call.principal, account)),
};

async function home(services: WebServices, call: Call, seen: SeenOrganization): Promise<Response> {
  const { members, organizations, repoSearch, teams } = services;
  const { organization, principal } = seen;
  const asked = repoQueryOf(call);
  const request = { ...searchOf(asked), around: organization.id, exclusive: true };
  const slice = pageOf(call, REPOS_PER_PAGE);
  const found = repoSearch.search(principal, request, slice);
  const faces = members.list(seen, { page: 1, limit: FACES, offset: 0 });
  const shownTeams = seen.standing === "none" ? [] : teams.list(seen, { page: 1, limit: TEAMS, offset: 0 }).items;
  const profile = await shownReadme(services, call, seen);
  const href = withQuery(userHref(organization.login), {
    view_as: profile.viewAs === "public" ? "public" : undefined,
  });
  return show(
    call,
    <OrganizationHomePage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      {...profile}
      repos={found.items.map(repoItem)}
      href={href}
      asked={asked}
      languages={repoSearch.languagesOf(principal, request)}
      pages={{ page: slice.page, perPage: REPOS_PER_PAGE, total: found.total, href: repoListHref(href, asked) }}
      mayCreate={principal.user !== undefined && organizations.mayCreateRepos(seen)}
      members={faces.items.map(personOf)}
      memberCount={faces.total}
      teams={shownTeams.map(({ name }) => name)}
    />,
  );
}

/**
 * The organization's profile text: the README of `.profile`, and for members that of `.profile-private`, which they see
 * first (contract identity.md 12.5). The latter is never shown to non-members.
 */
async function shownReadme(
  services: WebServices,
  call: Call,
  seen: SeenOrganization,
): Promise<{ readme?: ReadmeContent; viewAs?: "member" | "public" }> {
  const mayChoose = seen.standing !== "none";
  const [open, inner] = await Promise.all([
    profileReadme(services, call, seen.organization, ".profile"),
    mayChoose ? profileReadme(services, call, seen.organization, ".profile-private") : undefined,
  ]);
  if (!inner) return open ? { readme: open } : {};
  if (!open) return { readme: inner };
  const viewAs = call.query.get("view_as") === "public" ? "public" : "member";
  return { readme: viewAs === "public" ? open : inner, viewAs };
}

/** An organization's repositories at their other URL, and its activity, for members. */
export function organizationHomePages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner/-/repositories",
      surface: "page",
      access: anyone,
      handle: (call) => {
        const account = services.identity.visible(call.principal, param(call, "owner"), (owner) =>
          movedTarget(call.target, call.pattern, { owner }),
        );
        if (account.kind !== "organization")
          return redirect(withQuery(userHref(account.login), { tab: "repositories" }));
        return home(services, call, services.organizations.standingIn(call.principal, account));
      },
    },
    {
      method: "GET",
      path: "/org/:org/dashboard",
      surface: "page",
      access: organizationMember,
      handle: (call) => dashboard(services, call, seenOrganization(call), undefined),
    },
    {
      method: "GET",
      path: "/org/:org/dashboard/:team",
      surface: "page",
      access: teamReader,
      handle: (call) => dashboard(services, call, seenTeam(call).seen, seenTeam(call).team),
    },
  ];
}

/** @param team limits it to the team's repositories */
async function dashboard(
  services: WebServices,
  call: Call,
  seen: SeenOrganization,
  team: Team | undefined,
): Promise<Response> {
  const all = reposOf(seen.organization);
  const among = team
    ? {
        sql: `${all.sql} AND ${services.teams.repos.heldBy("$feedTeam")}`,
        params: { ...all.params, feedTeam: team.id },
      }
    : all;
  const items = services.activity.newest(call.principal, among, FEED_LENGTH);
  const view = (
    <OrganizationDashboardPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      team={team?.name}
      items={await activityItems(items, services.findPushed)}
    />
  );
  return show(call, view);
}
