import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import { type ListCall, lists } from "../../http/query.ts";
import { created, page } from "../../http/respond.ts";
import { type Route, type RouteDoc, type TakesBody, takes } from "../../http/route.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import { namedIssue } from "../item.ts";
import { hiddenIssue, IssueResource, issueResource, issueResources } from "../resource.ts";
import type { SeenIssue } from "../types.ts";
import type { Blocker } from "./service.ts";

const path = "/api/v1/repos/:owner/:repo/issues/:index";

const IssueMetaBody = Type.Object(
  {
    index: Type.Integer({ description: "Number of the other item.", field: "Index" }),
    owner: maybeText("Owner of its repository; this repository's owner by default."),
    repo: maybeText("Name of its repository; this one by default."),
  },
  { $id: "IssueMeta", description: "Another item." },
);

/** Dependencies over REST (contract issues.md 8). */
export function dependencyRoutes(services: Services): Route[] {
  const { dependencies, issues, links } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const list = { 200: { description: "A page of them.", schema: Type.Array(IssueResource) } };
  const now = { description: "The item named in the path.", schema: IssueResource };
  const missing = {
    description:
      "One of the items does not exist, the caller may not write to the dependent one, or may not read the other.",
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
        const item = namedIssue(call, issues);
        change(item, dependencies.named(item, { owner, repo, number: index }));
        return created(issueResource(services, issues.again(item)));
      },
      { before: (call) => namedIssue(call, issues) },
    );
  const twice = { 409: { description: "The dependency already exists." } };
  const wrong = { 422: { description: "An item cannot depend on itself, or two items on each other." } };
  /** Routes for one direction: items blocked by the path's item, or items blocking it. */
  const direction = (
    name: "dependencies" | "blocks",
    ids: { readonly list: string; readonly add: string; readonly remove: string },
    summaries: { readonly list: string; readonly add: string; readonly remove: string },
    of: (item: SeenIssue, paging: ListCall["paging"]) => Slice<Blocker>,
    order: (item: SeenIssue, other: SeenIssue) => readonly [blocked: SeenIssue, blocker: SeenIssue],
  ): Route[] => {
    const doc = (what: keyof typeof ids, answers: RouteDoc["answers"]): RouteDoc => ({
      id: ids[what],
      tag: "issue",
      summary: summaries[what],
      params,
      answers,
    });
    return [
      {
        ...api,
        method: "GET",
        path: `${path}/${name}`,
        access: readsItems,
        doc: doc("list", list),
        ...lists({}, (call) => {
          const { items, total } = of(namedIssue(call, issues), call.paging);
          return answer(call, items, total);
        }),
      },
      {
        ...api,
        method: "POST",
        path: `${path}/${name}`,
        access: changesItems,
        doc: doc("add", { 201: now, 404: missing, ...twice, ...wrong }),
        ...changes((item, other) => dependencies.add(...order(item, other))),
      },
      {
        ...api,
        method: "DELETE",
        path: `${path}/${name}`,
        access: changesItems,
        doc: doc("remove", { 201: now, 404: missing }),
        ...changes((item, other) => dependencies.remove(...order(item, other))),
      },
    ];
  };
  return [
    ...direction(
      "dependencies",
      {
        list: "issueListIssueDependencies",
        add: "issueCreateIssueDependencies",
        remove: "issueRemoveIssueDependencies",
      },
      {
        list: "List what an issue depends on",
        add: "Make an issue depend on another",
        remove: "Remove a dependency of an issue",
      },
      (item, paging) => dependencies.blockersOf(item, paging),
      (item, other) => [item, other],
    ),
    ...direction(
      "blocks",
      { list: "issueListBlocks", add: "issueCreateIssueBlocking", remove: "issueRemoveIssueBlocking" },
      {
        list: "List what depends on an issue",
        add: "Make another issue depend on an issue",
        remove: "Remove another issue's dependency on an issue",
      },
      (item, paging) => dependencies.blockedBy(item, paging),
      (item, other) => [other, item],
    ),
  ];
}
