import { type Static, Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { json, page } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { NotFound } from "../../kernel/errors.ts";
import { repoAddress } from "../../repos/addresses.ts";
import type { Services } from "../../services.ts";
import { WatchResource } from "../../stars/resource.ts";
import { readsItems, watchesItems } from "../access.ts";
import { issueAddress } from "../addresses.ts";
import { seenIssue } from "../item.ts";

const path = "/api/v1/repos/:owner/:repo/issues/:index/subscriptions";

/** Watching items over REST (contract issues.md 9.1). */
export function itemWatchRoutes(services: Services): Route[] {
  const { identity, issues, itemWatches, links } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const userParams = { ...params, user: "Name of the account." };
  const answers = {
    200: { description: "There was nothing to change." },
    201: { description: "Changed." },
    403: { description: "Only the account itself may do this." },
    404: { description: "There is no such item or account." },
  };
  const sets = (isWatching: boolean) => (call: Call) => {
    const item = seenIssue(call, issues);
    const user = identity.byLogin(param(call, "user"));
    if (!user || !identity.sees(call.principal, user)) throw new NotFound();
    return new Response(null, { status: itemWatches.set(item, user, isWatching) ? 201 : 200 });
  };
  return [
    {
      ...api,
      method: "GET",
      path,
      access: readsItems,
      doc: {
        id: "issueSubscriptions",
        tag: "issue",
        summary: "List who watches an issue",
        params,
        answers: { 200: { description: "Those who watch it explicitly.", schema: Type.Array(UserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = itemWatches.list(seenIssue(call, issues), call.paging);
        return page(userResources(services, call.principal, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/check`,
      access: watchesItems,
      doc: {
        id: "issueCheckSubscription",
        tag: "issue",
        summary: "Check whether the authenticated user watches an issue",
        params,
        answers: { 200: { description: "Whether the user does.", schema: WatchResource } },
      },
      handle: (call) => {
        const item = seenIssue(call, issues);
        const isWatching = itemWatches.isWatching(item);
        const answer: Static<typeof WatchResource> = {
          subscribed: isWatching,
          ignored: !isWatching,
          reason: null,
          created_at: rfc3339(item.issue.createdAt),
          url: `${issueAddress(item, links)}/subscriptions`,
          repository_url: repoAddress(item.seen, links),
        };
        return json(answer);
      },
    },
    {
      ...api,
      method: "PUT",
      path: `${path}/:user`,
      access: watchesItems,
      doc: { id: "issueAddSubscription", tag: "issue", summary: "Watch an issue", params: userParams, answers },
      handle: sets(true),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:user`,
      access: watchesItems,
      doc: {
        id: "issueDeleteSubscription",
        tag: "issue",
        summary: "Stop watching an issue",
        params: userParams,
        answers,
      },
      handle: sets(false),
    },
  ];
}
