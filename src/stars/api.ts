import { Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { type ListCall, lists } from "../http/query.ts";
import { json, noContent, page } from "../http/respond.ts";
import { type Route, signedIn } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import type { Slice } from "../kernel/paging.ts";
import { seesRepo } from "../repos/access.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import { seenRepo } from "../repos/subject.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import { followsOf, ownStar, ownStars, ownWatch, ownWatches } from "./access.ts";
import { WatchResource, watchResource } from "./resource.ts";
import type { FollowService } from "./service.ts";

/** Stars and watches over REST (contract repositories.md 14). */
export function starRoutes(services: Services): Route[] {
  const routes = [...listRoutes(services), ...ownStarRoutes(services), ...ownWatchRoutes(services)];
  return services.config["repository.stars"] ? routes : routes.map(withoutStars);
}

/**
 * The route while stars are disabled: refused for any repository, after authentication (contract repositories.md 14.1).
 */
export function withoutStars(route: Route): Route {
  if (!/\/(?:starred|stargazers|stars|star|unstar)\b/.test(route.path)) return route;
  const { subject: _, ...access } = route.access;
  return {
    ...route,
    access,
    handle: () => {
      throw new Forbidden("stars.disabled");
    },
  };
}

function listRoutes(services: Services): Route[] {
  const { identity, links, stars, watches } = services;
  const list = (call: ListCall, items: unknown[], total: number) =>
    page(items, total, { rootUrl: links.rootUrl, ...call });
  const repos = (call: ListCall, { items, total }: Slice<SeenRepo>) =>
    list(call, repoResources(services, items), total);
  const people = (call: ListCall, follows: FollowService) => {
    const { items, total } = follows.followers(seenRepo(call), call.paging);
    return list(call, userResources(services, call.principal, items), total);
  };
  const of = (call: ListCall, user: User, follows: FollowService) =>
    repos(call, follows.followedBy(call.principal, user, call.paging));
  const reads = { method: "GET", surface: "api" } as const;
  const repoList = (description: string) => ({ 200: { description, schema: Type.Array(RepoResource) } });
  const userList = (description: string) => ({ 200: { description, schema: Type.Array(UserResource) } });
  const noAccount = { 404: { description: "There is no such account, or the caller may not see it." } };

  return [
    {
      ...reads,
      path: "/api/v1/user/starred",
      access: ownStars,
      doc: {
        id: "userCurrentListStarred",
        tag: "user",
        summary: "List the repositories the authenticated user has starred",
        answers: repoList("Starred repositories that the user can still see, most recently starred first."),
      },
      ...lists({}, (call) => of(call, signedIn(call), stars)),
    },
    {
      ...reads,
      path: "/api/v1/users/:username/starred",
      access: followsOf,
      doc: {
        id: "userListStarred",
        tag: "user",
        summary: "List the repositories a user has starred",
        answers: { ...repoList("Public ones, most recently starred first."), ...noAccount },
      },
      ...lists({}, (call) => of(call, namedUser(call, identity), stars)),
    },
    {
      ...reads,
      path: "/api/v1/user/subscriptions",
      access: ownWatches,
      doc: {
        id: "userCurrentListSubscriptions",
        tag: "user",
        summary: "List the repositories the authenticated user watches",
        answers: repoList("Watched repositories that the user can still see, most recently watched first."),
      },
      ...lists({}, (call) => of(call, signedIn(call), watches)),
    },
    {
      ...reads,
      path: "/api/v1/users/:username/subscriptions",
      access: followsOf,
      doc: {
        id: "userListSubscriptions",
        tag: "user",
        summary: "List the repositories a user watches",
        answers: { ...repoList("Public ones, most recently watched first."), ...noAccount },
      },
      ...lists({}, (call) => of(call, namedUser(call, identity), watches)),
    },
    {
      ...reads,
      path: "/api/v1/repos/:owner/:repo/stargazers",
      access: seesRepo,
      doc: {
        id: "repoListStargazers",
        tag: "repository",
        summary: "List a repository's stargazers",
        answers: userList("Accounts that starred it and that the caller may see, oldest star first."),
      },
      ...lists({}, (call) => people(call, stars)),
    },
    {
      ...reads,
      path: "/api/v1/repos/:owner/:repo/subscribers",
      access: seesRepo,
      doc: {
        id: "repoListSubscribers",
        tag: "repository",
        summary: "List a repository's watchers",
        answers: userList("Accounts that watch it and that the caller may see, oldest watch first."),
      },
      ...lists({}, (call) => people(call, watches)),
    },
  ];
}

function ownStarRoutes({ stars }: Services): Route[] {
  const route = { path: "/api/v1/user/starred/:owner/:repo", surface: "api", access: ownStar } as const;
  return [
    {
      ...route,
      method: "PUT",
      doc: {
        id: "userCurrentPutStar",
        tag: "user",
        summary: "Star a repository",
        answers: { 204: { description: "Starred." } },
      },
      handle: (call) => {
        stars.add(seenRepo(call));
        return noContent();
      },
    },
    {
      ...route,
      method: "GET",
      doc: {
        id: "userCurrentCheckStarring",
        tag: "user",
        summary: "Check whether the authenticated user has starred a repository",
        answers: {
          204: { description: "The user has." },
          404: { description: "The user has not, or there is no such repository that they may see." },
        },
      },
      handle: (call) => {
        if (!stars.isFollowed(seenRepo(call))) throw new NotFound();
        return noContent();
      },
    },
    {
      ...route,
      method: "DELETE",
      doc: {
        id: "userCurrentDeleteStar",
        tag: "user",
        summary: "Unstar a repository",
        answers: { 204: { description: "No longer starred." } },
      },
      handle: (call) => {
        stars.remove(seenRepo(call));
        return noContent();
      },
    },
  ];
}

function ownWatchRoutes({ links, watches }: Services): Route[] {
  const route = { path: "/api/v1/repos/:owner/:repo/subscription", surface: "api", access: ownWatch } as const;
  const watch = { 200: { description: "The watch.", schema: WatchResource } };
  return [
    {
      ...route,
      method: "GET",
      doc: {
        id: "userCurrentCheckSubscription",
        tag: "repository",
        summary: "Check whether the authenticated user watches a repository",
        answers: {
          ...watch,
          404: { description: "The user does not, or there is no such repository that they may see." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        if (!watches.isFollowed(seen)) throw new NotFound();
        return json(watchResource(seen, links));
      },
    },
    {
      ...route,
      method: "PUT",
      doc: {
        id: "userCurrentPutSubscription",
        tag: "repository",
        summary: "Watch a repository",
        answers: watch,
      },
      handle: (call) => {
        const seen = seenRepo(call);
        watches.add(seen);
        return json(watchResource(seen, links));
      },
    },
    {
      ...route,
      method: "DELETE",
      doc: {
        id: "userCurrentDeleteSubscription",
        tag: "repository",
        summary: "Unwatch a repository",
        answers: { 204: { description: "No longer watched." } },
      },
      handle: (call) => {
        watches.remove(seenRepo(call));
        return noContent();
      },
    },
  ];
}
