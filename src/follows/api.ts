import { Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { movedTarget } from "../http/path.ts";
import { type ListCall, lists } from "../http/query.ts";
import { noContent, page } from "../http/respond.ts";
import { type Call, param, type Route, signedIn } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { followsAccounts } from "./access.ts";
import type { Side } from "./types.ts";

const noAccount = { 404: { description: "There is no such account, or the caller may not see it." } };
const checked = (description: string) => ({
  204: { description },
  404: { description: "They do not, or there is no such account that the caller may see." },
});

/** Following over REST (contract identity.md 11.1). */
export function followRoutes(services: Services): Route[] {
  return [...ownRoutes(services), ...listRoutes(services)];
}

function ownRoutes({ follows, identity }: Services): Route[] {
  const route = { path: "/api/v1/user/following/:username", surface: "api", access: followsAccounts } as const;
  return [
    {
      ...route,
      method: "PUT",
      doc: {
        id: "userCurrentPutFollow",
        tag: "user",
        summary: "Follow a user",
        answers: {
          204: { description: "The account is followed; following oneself changes nothing." },
          403: { description: "One of the two blocks the other." },
          ...noAccount,
        },
      },
      handle: (call) => {
        follows.follow(call.principal, namedUser(call, identity));
        return noContent();
      },
    },
    {
      ...route,
      method: "GET",
      doc: {
        id: "userCurrentCheckFollowing",
        tag: "user",
        summary: "Check whether the authenticated user follows a user",
        answers: checked("The user does."),
      },
      handle: (call) => {
        if (!follows.isFollowing(signedIn(call), namedUser(call, identity))) throw new NotFound();
        return noContent();
      },
    },
    {
      ...route,
      method: "DELETE",
      doc: {
        id: "userCurrentDeleteFollow",
        tag: "user",
        summary: "Unfollow a user",
        answers: { 204: { description: "The account is no longer followed." }, ...noAccount },
      },
      handle: (call) => {
        const user = identity.byLogin(param(call, "username"));
        // Followed accounts can be named even if they have become hidden.
        const isFollowed = user !== undefined && follows.isFollowing(signedIn(call), user);
        follows.unfollow(call.principal, isFollowed ? user : namedUser(call, identity));
        return noContent();
      },
    },
  ];
}

function listRoutes(services: Services): Route[] {
  const { follows, identity, links } = services;
  const people = (call: ListCall, side: Side, user: User) => {
    const { items, total } = follows.list(call.principal, side, user, call.paging);
    return page(userResources(services, call.principal, items), total, { rootUrl: links.rootUrl, ...call });
  };
  const reads = { method: "GET", surface: "api", access: followsAccounts } as const;
  const listed = {
    200: { description: "Those the caller may see, oldest first.", schema: Type.Array(UserResource) },
  };
  const target = (call: Call) =>
    identity.visible(call.principal, param(call, "target"), (login) =>
      movedTarget(call.target, call.pattern, { target: login }),
    );
  return [
    {
      ...reads,
      path: "/api/v1/user/followers",
      doc: {
        id: "userCurrentListFollowers",
        tag: "user",
        summary: "List the authenticated user's followers",
        answers: listed,
      },
      ...lists({}, (call) => people(call, "followers", signedIn(call))),
    },
    {
      ...reads,
      path: "/api/v1/user/following",
      doc: {
        id: "userCurrentListFollowing",
        tag: "user",
        summary: "List the users the authenticated user follows",
        answers: listed,
      },
      ...lists({}, (call) => people(call, "following", signedIn(call))),
    },
    {
      ...reads,
      path: "/api/v1/users/:username/followers",
      doc: {
        id: "userListFollowers",
        tag: "user",
        summary: "List a user's followers",
        answers: { ...listed, ...noAccount },
      },
      ...lists({}, (call) => people(call, "followers", namedUser(call, identity))),
    },
    {
      ...reads,
      path: "/api/v1/users/:username/following",
      doc: {
        id: "userListFollowing",
        tag: "user",
        summary: "List the users a user follows",
        answers: { ...listed, ...noAccount },
      },
      ...lists({}, (call) => people(call, "following", namedUser(call, identity))),
    },
    {
      ...reads,
      path: "/api/v1/users/:username/following/:target",
      doc: {
        id: "userCheckFollowing",
        tag: "user",
        summary: "Check whether a user follows another user",
        params: { target: "Name of the other account." },
        answers: checked("They do."),
      },
      handle: (call) => {
        if (!follows.isFollowing(namedUser(call, identity), target(call))) throw new NotFound();
        return noContent();
      },
    },
  ];
}
