import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { ALL_REPOS } from "../../src/repos/live.ts";
import type { WebServices } from "../area.ts";
import { withQuery } from "../links.ts";
import { pageOf, wordsOf } from "../list-query.ts";
import { eventStream } from "../live.ts";
import { personOf } from "../people.ts";
import { repoItems } from "../repos/items.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { EXPLORE_REPOS, ExploreReposPage, ExploreUsersPage } from "./explore.tsx";
import { repoListHref, repoQueryOf, searchOf } from "./repo-query.ts";
import { searchPages } from "./search-routes.ts";

const PER_PAGE = 20;

const USER_ORDERS = {
  newest: { by: "created", descending: true },
  oldest: { by: "created", descending: false },
  alphabetically: { by: "name", descending: false },
  reversealphabetically: { by: "name", descending: true },
} as const;

/** The explore pages of the site. */
export function explorePages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: anyone } as const;
  return [
    { ...page, path: "/explore", handle: () => redirect("/explore/repos") },
    { ...page, path: EXPLORE_REPOS, handle: (call) => repos(services, call) },
    { ...page, path: "/explore/users", handle: (call) => accounts(services, call, "users") },
    { ...page, path: "/explore/organizations", handle: (call) => accounts(services, call, "organizations") },
    { ...page, path: "/explore/events", handle: (call) => eventStream(services, call, ALL_REPOS) },
    ...searchPages(services),
  ];
}

function repos(services: WebServices, call: Call): Response {
  const asked = repoQueryOf(call);
  const slice = pageOf(call, PER_PAGE);
  const request = searchOf(asked);
  const found = services.repoSearch.search(call.principal, request, slice);
  return show(
    call,
    <ExploreReposPage
      shell={shellOf(services, call)}
      repos={repoItems(services, found.items)}
      asked={asked}
      languages={services.repoSearch.languagesOf(call.principal, request)}
      pages={{ page: slice.page, perPage: PER_PAGE, total: found.total, href: repoListHref(EXPLORE_REPOS, asked) }}
    />,
  );
}

function accounts(services: WebServices, call: Call, which: "users" | "organizations"): Response {
  const asked = call.query.get("sort") ?? "newest";
  if (!Object.hasOwn(USER_ORDERS, asked)) throw new NotFound();
  const sort = asked as keyof typeof USER_ORDERS;
  const query = wordsOf(call);
  const slice = pageOf(call, PER_PAGE);
  const found = services.identity.list(
    call.principal,
    {
      kinds: [which === "users" ? "individual" : "organization"],
      text: query,
    },
    USER_ORDERS[sort],
    slice,
  );
  return show(
    call,
    <ExploreUsersPage
      shell={shellOf(services, call)}
      which={which}
      users={found.items.map((user) => ({
        ...personOf(user),
        fullName: user.fullName,
        location: user.location,
        joinedAt: user.createdAt,
      }))}
      query={query}
      sort={sort}
      pages={{
        page: slice.page,
        perPage: PER_PAGE,
        total: found.total,
        href: withQuery(`/explore/${which}`, { q: query, sort: sort === "newest" ? undefined : sort }),
      }}
    />,
  );
}
