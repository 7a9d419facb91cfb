import { Type } from "@sinclair/typebox";
import { flagParam, lists, textParam } from "../http/query.ts";
import { json, page } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { looksUpAccounts } from "../identity/access.ts";
import { namedUser } from "../identity/named-user.ts";
import { seesRepo } from "../repos/access.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { ActivityResource, activityResources, HeatMapResource } from "./resource.ts";
import { QUARTER_HOUR_MS } from "./service.ts";

const feedParams = {
  "only-performed-by": flagParam("Only the account's own activity, not that of others in its repositories.", false),
  date: textParam("A day, as YYYY-MM-DD; anything else is ignored."),
};

/** Activities of accounts and in repositories over REST (contract identity.md 8.8 and 11.4, repositories.md 15.4). */
export function activityRoutes(services: Services): Route[] {
  const { activity, identity, links } = services;
  const reads = { method: "GET", surface: "api", access: looksUpAccounts } as const;
  const noAccount = { 404: { description: "There is no such account, or the caller may not see it." } };
  return [
    {
      ...reads,
      path: "/api/v1/users/:username/activities/feeds",
      doc: {
        id: "userListActivityFeeds",
        tag: "user",
        summary: "List a user's activity",
        answers: {
          200: {
            description: "The activity that the caller may see, newest first.",
            schema: Type.Array(ActivityResource),
          },
          ...noAccount,
        },
      },
      ...lists(feedParams, async (call, { date, "only-performed-by": onlyBy }) => {
        const user = namedUser(call, identity);
        const { items, total } = activity.feedOfAccount(call.principal, user, { onlyBy, day: date }, call.paging);
        return page(await activityResources(services, call, user.id, items), total, {
          rootUrl: links.rootUrl,
          ...call,
        });
      }),
    },
    {
      ...reads,
      path: "/api/v1/repos/:owner/:repo/activities/feeds",
      access: seesRepo,
      doc: {
        id: "repoListActivityFeeds",
        tag: "repository",
        summary: "List a repository's activity",
        answers: {
          200: {
            description: "The activity that the caller may see, newest first.",
            schema: Type.Array(ActivityResource),
          },
          404: { description: "There is no such repository, or the caller may not see it." },
        },
      },
      ...lists({ date: feedParams.date }, async (call, { date }) => {
        const seen = seenRepo(call);
        const { items, total } = activity.feedOfRepo(seen, date, call.paging);
        return page(await activityResources(services, call, undefined, items), total, {
          rootUrl: links.rootUrl,
          ...call,
        });
      }),
    },
    {
      ...reads,
      path: "/api/v1/users/:username/heatmap",
      doc: {
        id: "userGetHeatmapData",
        tag: "user",
        summary: "Get a user's heat map",
        answers: {
          200: {
            description: "The quarter hours of the last year with activity, oldest first.",
            schema: Type.Array(HeatMapResource),
          },
          ...noAccount,
        },
      },
      handle: (call) => {
        const spans = activity.contributions(call.principal, namedUser(call, identity), QUARTER_HOUR_MS);
        return json(spans.map(({ from, count }) => ({ timestamp: from / 1000, contributions: count })));
      },
    },
  ];
}
