import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import { type ListCall, lists } from "../../http/query.ts";
import { created, page } from "../../http/respond.ts";
import { type Route, type TakesBody, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import { seenIssue } from "../item.ts";
import { hiddenIssue, IssueResource, issueResource, issueResources } from "../resource.ts";
import type { SeenIssue } from "../types.ts";
import type { Blocker } from "./service.ts";

const path = "/api/v1/repos/:owner/:repo/issues/:index";

const IssueMetaBody = Type.Object(
  {
    index: Type.Integer({ description: "Number of the other item.", field: "Index" }),
    owner: maybeText("Owner of its repository; that of this one when absent."),
    repo: maybeText("Name of its repository; this one when absent."),
  },
  { $id: "IssueMeta", description: "Another item." },
);

/** What waits for what, over REST (contract issues.md 8). */
export function dependencyRoutes(services: Services): Route[] {
  const { dependencies, issues, links } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const list = { 200: { description: "In pages.", schema: Type.Array(IssueResource) } };
  const now = { description: "The item of the path.", schema: IssueResource };
  const missing = {
    description: "One of the items is missing, or the caller may not write to the one that waits, or read the other.",
  };
  const answer = (call: ListCall, items: readonly Blocker[], total: number) => {
    const shown = issueResources(
      services,
      items.flatMap((item) => (item === "hidden" ? [] : [item])),
    );
    const resources = items.map((item) => (item === "hidden" ? hiddenIssue(services) : shown.shift()));
    return page(resources, total, { rootUrl: links.rootUrl, ...call });
  };
  const changes = (change: (item: SeenIssue, other: SeenIssue) => void): TakesBody =>
    takes(
      IssueMetaBody,
      (call, { index, owner, repo }) => {
        const item = seenIssue(call, issues);
        change(item, dependencies.named(item, { owner, repo, number: index }));
        return created(issueResource(services, issues.again(item)));
      },
      { before: (call) => seenIssue(call, issues) },
    );
  const both = { index: params.index };
  return [
    {
      ...api,
      method: "GET",
      path: `${path}/dependencies`,
      access: readsItems,
      doc: {
        id: "issueListIssueDependencies",
        tag: "issue",
        summary: "List what an issue depends on",
        params,
        answers: list,
      },
      ...lists({}, (call) => {
        const { items, total } = dependencies.blockersOf(seenIssue(call, issues), call.paging);
        return answer(call, items, total);
      }),
    },
    {
      ...api,
      method: "POST",
      path: `${path}/dependencies`,
      access: changesItems,
      doc: {
        id: "issueCreateIssueDependencies",
        tag: "issue",
        summary: "Make an issue depend on another",
        params: both,
        answers: {
          201: now,
          404: missing,
          409: { description: "It does already." },
          422: { description: "The two are one, or depend on each other." },
        },
      },
      ...changes((item, other) => dependencies.add(item, other)),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/dependencies`,
      access: changesItems,
      doc: {
        id: "issueRemoveIssueDependencies",
        tag: "issue",
        summary: "End that an issue depends on another",
        params: both,
        answers: { 201: now, 404: missing },
      },
      ...changes((item, other) => dependencies.remove(item, other)),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/blocks`,
      access: readsItems,
      doc: {
        id: "issueListBlocks",
        tag: "issue",
        summary: "List what depends on an issue",
        params,
        answers: list,
      },
      ...lists({}, (call) => {
        const { items, total } = dependencies.blockedBy(seenIssue(call, issues), call.paging);
        return answer(call, items, total);
      }),
    },
    {
      ...api,
      method: "POST",
      path: `${path}/blocks`,
      access: changesItems,
      doc: {
        id: "issueCreateIssueBlocking",
        tag: "issue",
        summary: "Make another issue depend on an issue",
        params: both,
        answers: {
          201: now,
          404: missing,
          409: { description: "It does already." },
          422: { description: "The two are one, or depend on each other." },
        },
      },
      ...changes((item, other) => dependencies.add(other, item)),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/blocks`,
      access: changesItems,
      doc: {
        id: "issueRemoveIssueBlocking",
        tag: "issue",
        summary: "End that another issue depends on an issue",
        params: both,
        answers: { 201: now, 404: missing },
      },
      ...changes((item, other) => dependencies.remove(other, item)),
    },
  ];
}
