import { readQuery } from "../../src/http/query.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { ALL_REPOS } from "../../src/repos/live.ts";
import { exploreParams } from "../../src/repos/search/query.ts";
import type { SearchRequest } from "../../src/repos/search/service.ts";
import type { WebServices } from "../area.ts";
import { withQuery } from "../links.ts";
import { pageOf, wordsOf } from "../list-query.ts";
import { eventStream } from "../live.ts";
import { personOf } from "../people.ts";
import { repoItems } from "../repos/items.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { ExploreReposPage, ExploreUsersPage } from "./explore.tsx";
import { searchPages } from "./search-routes.ts";

const PER_PAGE = 20;

/** Orders of repository lists (contract web.md 1.1). */
const REPO_ORDERS: Readonly<Record<string, Pick<SearchRequest, "sort" | "order">>> = {
  newest: { sort: "created", order: "desc" },
  oldest: { sort: "created", order: "asc" },
  recentupdate: { sort: "updated", order: "desc" },
  leastupdate: { sort: "updated", order: "asc" },
  alphabetically: { sort: "alpha", order: "asc" },
  reversealphabetically: { sort: "alpha", order: "desc" },
  moststars: { sort: "stars", order: "desc" },
  feweststars: { sort: "stars", order: "asc" },
  mostforks: { sort: "forks", order: "desc" },
  fewestforks: { sort: "forks", order: "asc" },
  size: { sort: "size", order: "asc" },
  reversesize: { sort: "size", order: "desc" },
};
const USER_ORDERS = {
  newest: { by: "created", descending: true },
  oldest: { by: "created", descending: false },
  alphabetically: { by: "name", descending: false },
  reversealphabetically: { by: "name", descending: true },
} as const;

/** The order a list is asked for, and the name it goes by on the page. */
export function repoOrder(call: Call): { name: string; request: Pick<SearchRequest, "sort" | "order"> } {
  const asked = call.query.get("sort") ?? "";
  const name = Object.hasOwn(REPO_ORDERS, asked) ? asked : "recentupdate";
  return { name, request: REPO_ORDERS[name] ?? {} };
}

/** What there is to see on this site. */
export function explorePages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: anyone } as const;
  return [
    { ...page, path: "/explore", handle: () => redirect("/explore/repos") },
    { ...page, path: "/explore/repos", handle: (call) => repos(services, call) },
    { ...page, path: "/explore/users", handle: (call) => accounts(services, call, "users") },
    { ...page, path: "/explore/organizations", handle: (call) => accounts(services, call, "organizations") },
    { ...page, path: "/explore/events", handle: (call) => eventStream(services, call, ALL_REPOS) },
    ...searchPages(services),
  ];
}

function repos(services: WebServices, call: Call): Response {
  const query = wordsOf(call);
  const order = repoOrder(call);
  const slice = pageOf(call, PER_PAGE);
  const wanted = readQuery(exploreParams, call);
  const request: SearchRequest = {
    text: query,
    inDescription: true,
    topicOnly: wanted.topic,
    isArchived: wanted.archived,
    isTemplate: wanted.template,
    isPrivate: wanted.private,
    mode: modeOf(wanted.fork, wanted.mirror),
    ...order.request,
  };
  const found = services.repoSearch.search(call.principal, request, slice);
  const href = withQuery("/explore/repos", {
    q: query,
    sort: order.name === "recentupdate" ? undefined : order.name,
    ...kept(call, Object.keys(exploreParams)),
  });
  return show(
    call,
    <ExploreReposPage
      shell={shellOf(services, call)}
      repos={repoItems(services, found.items)}
      query={query}
      sort={order.name}
      filters={{ archived: wanted.archived, fork: wanted.fork, private: wanted.private, template: wanted.template }}
      pages={{ page: slice.page, perPage: PER_PAGE, total: found.total, href }}
    />,
  );
}

function modeOf(fork: boolean | undefined, mirror: boolean | undefined): string {
  if (mirror) return "mirror";
  if (fork === undefined) return "";
  return fork ? "fork" : "source";
}

function kept(call: Call, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, call.query.get(name)?.slice(0, 10)]));
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
