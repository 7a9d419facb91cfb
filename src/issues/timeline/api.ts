import { Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { page } from "../../http/respond.ts";
import type { Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { readsItems } from "../access.ts";
import { span } from "../comments/api.ts";
import { seenIssue } from "../item.ts";
import { TimelineResource, timelineResources } from "./resource.ts";

/** The timeline over REST (contract issues.md 11.2). */
export function timelineRoutes(services: Services): Route[] {
  const { issues, links, timeline } = services;
  return [
    {
      surface: "api",
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/issues/:index/timeline",
      access: readsItems,
      doc: {
        id: "issueGetCommentsAndTimeline",
        tag: "issue",
        summary: "List the timeline of an issue or a pull request, including comments",
        params: { index: "Number of the item." },
        answers: {
          200: { description: "A page of it, oldest first.", schema: Type.Array(TimelineResource) },
          422: { description: "A time is not in RFC 3339 format." },
        },
      },
      ...lists(span, (call, wanted) => {
        const item = seenIssue(call, issues);
        const { path, paging, query } = call;
        const { items, total } = timeline.list(item, wanted, paging);
        return page(timelineResources(services, item, items), total, { rootUrl: links.rootUrl, path, query, paging });
      }),
    },
  ];
}
