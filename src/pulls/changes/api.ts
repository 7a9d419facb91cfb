import { Type } from "@sinclair/typebox";
import { describeCommits, partsBesideStat } from "../../content/commits/describe.ts";
import { CommitResource } from "../../content/commits/resource.ts";
import type { WhitespaceOptions } from "../../git/diff/lines/whitespace.ts";
import { type ListCall, lists, textParam } from "../../http/query.ts";
import { json, pageHeaders } from "../../http/respond.ts";
import type { Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { readsPulls } from "../access.ts";
import { seenPull } from "../call.ts";
import { ChangedFileResource, changedFileResource } from "./resource.ts";

const path = "/api/v1/repos/:owner/:repo/pulls/:index";

/** Options by the API's names; any other name ignores nothing. */
const whitespaces: Readonly<Record<string, WhitespaceOptions>> = {
  "ignore-all": { ignoreAllSpace: true },
  "ignore-change": { ignoreSpaceChange: true },
  "ignore-eol": { ignoreSpaceAtEol: true },
};

/** Commits and files of pull requests over REST (contract pulls.md 5.7, 5.8). */
export function changeRoutes(services: Services): Route[] {
  const { commits, links, pullChanges, pulls } = services;
  const route = { surface: "api", method: "GET", access: readsPulls } as const;
  const params = { index: "Number of the pull request." };
  const none = { 404: { description: "There is no such pull request, or the caller may not read it." } };
  const answer = (call: ListCall, items: unknown[], total: number, hasMore: boolean) =>
    json(items, 200, {
      ...pageHeaders(total, { rootUrl: links.rootUrl, ...call }),
      ...pageFacts(call, total, hasMore),
    });
  return [
    {
      ...route,
      path: `${path}/commits`,
      doc: {
        id: "repoGetPullRequestCommits",
        tag: "repository",
        summary: "List the commits of a pull request",
        params,
        answers: { 200: { description: "Newest first.", schema: Type.Array(CommitResource) }, ...none },
      },
      ...lists(partsBesideStat, async (call, asked) => {
        const item = seenPull(call, pulls);
        const { more, oids, total = oids.length } = await pullChanges.commits(item, call.paging);
        const shown = await describeCommits(services, item.seen, commits.readAll(item.seen, oids), {
          ...asked,
          stat: true,
        });
        return answer(call, shown, total, more);
      }),
    },
    {
      ...route,
      path: `${path}/files`,
      doc: {
        id: "repoGetPullRequestFiles",
        tag: "repository",
        summary: "List the files that a pull request changes",
        params,
        answers: {
          200: { description: "In diff order.", schema: Type.Array(ChangedFileResource) },
          ...none,
        },
      },
      ...lists(
        {
          "skip-to": textParam("Start at this file."),
          whitespace: textParam("ignore-all, ignore-change or ignore-eol; by default all white space counts."),
        },
        async (call, asked) => {
          const item = seenPull(call, pulls);
          const whitespace = Object.hasOwn(whitespaces, asked.whitespace) ? (whitespaces[asked.whitespace] ?? {}) : {};
          const { files, next, total } = await pullChanges.files(
            item,
            { whitespace, skipTo: asked["skip-to"] },
            call.paging,
          );
          const shown = files.map((file) => changedFileResource(item, file, links));
          return answer(call, shown, total, next !== undefined);
        },
      ),
    },
  ];
}

function pageFacts({ paging: { limit, page } }: ListCall, total: number, hasMore: boolean): Record<string, string> {
  const names = ["Link", "X-Total-Count", "X-Page", "X-PerPage", "X-PageCount", "X-HasMore"];
  return {
    "x-page": String(page),
    "x-perpage": String(limit),
    "x-pagecount": String(Math.ceil(total / limit)),
    "x-hasmore": String(hasMore),
    "access-control-expose-headers": names.join(", "),
  };
}
