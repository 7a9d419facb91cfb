import { Type } from "@sinclair/typebox";
import { json, noContent } from "../http/respond.ts";
import { type Call, param, type Route, type TakesBody, takes } from "../http/route.ts";
import { BadRequest, NotFound } from "../kernel/errors.ts";
import { LabelResource, labelResource } from "../labels/resource.ts";
import type { Label } from "../labels/types.ts";
import type { Services } from "../services.ts";
import { changesItems, readsItems } from "./access.ts";
import { seenIssue } from "./item.ts";
import { requireWrite } from "./rights.ts";
import type { SeenIssue } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/issues/:index/labels";

const LabelsBody = Type.Object(
  {
    labels: Type.Optional(
      Type.Array(Type.Unknown({ description: "Number or name of a label." }), {
        description: "Labels, all by number or all by name; unknown ones are ignored.",
        maxItems: 1_000,
      }),
    ),
  },
  { $id: "IssueLabelsOption", description: "Labels of an item." },
);

/** Labels of items over REST (contract issues.md 13.4). */
export function labellingRoutes(services: Services): Route[] {
  const { issues, labelling, links } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const list = { 200: { description: "The labels it now has, sorted by name.", schema: Type.Array(LabelResource) } };
  const answer = (item: SeenIssue) => json(labelling.of(item).map((label) => labelResource(label, item.seen, links)));
  const changes = (change: (item: SeenIssue, labels: readonly Label[]) => void): TakesBody =>
    takes(
      LabelsBody,
      (call, { labels = [] }) => {
        const item = seenIssue(call, issues);
        change(item, labelling.usable(item, idsOrNames(labels)));
        return answer(item);
      },
      { before: (call) => requireWrite(seenIssue(call, issues), "issue.labels-need-write") },
    );
  const writable = (call: Call): SeenIssue => {
    const item = seenIssue(call, issues);
    requireWrite(item);
    return item;
  };
  return [
    {
      ...api,
      method: "GET",
      path,
      access: readsItems,
      doc: {
        id: "issueGetLabels",
        tag: "issue",
        summary: "List the labels of an issue",
        params,
        answers: list,
      },
      handle: (call) => answer(seenIssue(call, issues)),
    },
    {
      ...api,
      method: "POST",
      path,
      access: changesItems,
      doc: {
        id: "issueAddLabel",
        tag: "issue",
        summary: "Add labels to an issue",
        params,
        answers: { ...list, 400: { description: "Numbers and names are mixed, or something else is given." } },
      },
      ...changes((item, labels) => labelling.add(item, labels)),
    },
    {
      ...api,
      method: "PUT",
      path,
      access: changesItems,
      doc: {
        id: "issueReplaceLabels",
        tag: "issue",
        summary: "Replace the labels of an issue",
        params,
        answers: { ...list, 400: { description: "Numbers and names are mixed, or something else is given." } },
      },
      ...changes((item, labels) => labelling.set(item, labels)),
    },
    {
      ...api,
      method: "DELETE",
      path,
      access: changesItems,
      doc: {
        id: "issueClearLabels",
        tag: "issue",
        summary: "Remove all labels from an issue",
        params,
        answers: { 204: { description: "All labels removed." } },
      },
      handle: (call) => {
        labelling.clear(writable(call));
        return noContent();
      },
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      access: changesItems,
      doc: {
        id: "issueRemoveLabel",
        tag: "issue",
        summary: "Remove a label from an issue",
        params: { ...params, id: "Number of the label." },
        answers: {
          204: { description: "Label removed." },
          404: { description: "There is no label with that number here." },
        },
      },
      handle: (call) => {
        const item = writable(call);
        const id = param(call, "id");
        const labels = labelling.usable(item, /^\d{1,15}$/.test(id) ? [Number(id)] : []);
        if (labels.length === 0) throw new NotFound();
        labelling.remove(item, labels);
        return noContent();
      },
    },
  ];
}

/** @throws BadRequest mixed types, or neither ids nor names */
function idsOrNames(given: readonly unknown[]): (number | string)[] {
  const values = given.map((each) => {
    if (typeof each === "string" || Number.isSafeInteger(each)) return each as number | string;
    throw new BadRequest("issue.bad-label", { field: "labels" });
  });
  if (new Set(values.map((value) => typeof value)).size > 1)
    throw new BadRequest("issue.labels-mixed", { field: "labels" });
  return values;
}
