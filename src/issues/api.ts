import { Type } from "@sinclair/typebox";
import { maybeText } from "../http/fields.ts";
import { created, json } from "../http/respond.ts";
import { type Route, takes } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesItems, readsItems } from "./access.ts";
import { seenIssue } from "./item.ts";
import { IssueResource, issueResource } from "./resource.ts";

const path = "/api/v1/repos/:owner/:repo/issues";

const NewIssueBody = Type.Object(
  {
    title: Type.String({ description: "Its title.", field: "Title" }),
    body: maybeText("Its text, as Markdown."),
    ref: maybeText("The branch or tag it is about."),
  },
  { $id: "CreateIssueOption", description: "A new issue." },
);

/** Issues over REST (contract issues.md 3). */
export function issueRoutes(services: Services): Route[] {
  const { issues } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesItems,
      doc: {
        id: "issueCreateIssue",
        tag: "issue",
        summary: "Create an issue",
        answers: { 201: { description: "The issue.", schema: IssueResource } },
      },
      ...takes(NewIssueBody, (call, body) => created(issueResource(services, issues.create(seenRepo(call), body)))),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:index`,
      access: readsItems,
      doc: {
        id: "issueGetIssue",
        tag: "issue",
        summary: "Get an issue",
        params,
        answers: {
          200: { description: "The issue, or the pull request of that number.", schema: IssueResource },
          404: { description: "There is no such item, or none the caller may read." },
        },
      },
      handle: (call) => json(issueResource(services, seenIssue(call, issues))),
    },
  ];
}
