import { type Static, Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo, time } from "../http/fields.ts";
import { created, json, noContent } from "../http/respond.ts";
import { type Route, takes } from "../http/route.ts";
import { EPOCH_TIME, rfc3339 } from "../kernel/clock.ts";
import { BadRequest } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesItems, readsItems } from "./access.ts";
import { endOfDay, endOfGivenDay, parseTimeOrNone } from "./deadlines.ts";
import { namedIssue, seenIssue } from "./item.ts";
import { IssueResource, issueResource } from "./resource.ts";
import { requireWrite } from "./rights.ts";
import type { IssueEdit, NewIssue } from "./service.ts";

const path = "/api/v1/repos/:owner/:repo/issues";

const ids = (description: string, item: string) =>
  Type.Optional(Type.Array(Type.Integer({ description: item }), { description, maxItems: 1_000 }));
const logins = Type.Optional(
  Type.Array(
    Type.String({ description: "Name of an account, or of a team as `organization/team`: its members now." }),
    {
      description: "Who is to do it.",
      maxItems: 100,
    },
  ),
);

const NewIssueBody = Type.Object(
  {
    title: Type.String({ description: "Its title.", field: "Title" }),
    body: maybeText("Its text, as Markdown."),
    ref: maybeText("The branch or tag it is about."),
    assignee: maybeText("One who is to do it; older clients send it."),
    assignees: logins,
    due_date: maybeText("When it is due."),
    milestone: Type.Optional(Type.Integer({ description: "Number of a milestone of the repository." })),
    labels: ids("Numbers of labels of the repository or its organization.", "Number of a label."),
    projects: ids("Numbers of project boards.", "Number of a board."),
    closed: maybeYesNo("Whether it is closed at once."),
  },
  { $id: "CreateIssueOption", description: "A new issue. What follows `ref` counts only from who may write." },
);

const EditIssueBody = Type.Object(
  {
    title: maybeText("New title; an empty one changes nothing."),
    body: maybeText("New text, as Markdown."),
    ref: maybeText("The branch or tag it is about."),
    assignee: maybeText("One who is to do it; older clients send it, and an empty one for nobody."),
    assignees: logins,
    milestone: Type.Optional(Type.Integer({ description: "Number of a milestone of the repository; 0 for none." })),
    projects: ids("Numbers of all the project boards it is to be on.", "Number of a board."),
    state: maybeText("open or closed."),
    due_date: maybeText("The day it is due, to its end."),
    unset_due_date: maybeYesNo("Whether it is due no more."),
    content_version: Type.Optional(
      Type.Integer({ description: "The version of the text that this is based on; another one by now is refused." }),
    ),
  },
  { $id: "EditIssueOption", description: "What to change of an issue; what is absent stays." },
);

const DeadlineBody = Type.Object(
  { due_date: maybeText("The day it is due; absent for none.") },
  { $id: "EditDeadlineOption", description: "When an issue is due." },
);
const DeadlineResource = Type.Object(
  {
    due_date: time("The end of the day it is due; 1970 without one."),
  },
  { $id: "IssueDeadline", description: "When an issue is due." },
);

/** Issues over REST (contract issues.md 3). */
export function issueRoutes(services: Services): Route[] {
  const { issues, itemBin } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const missing = { description: "There is no such item, or none the caller may read." };
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
        answers: {
          201: { description: "The issue.", schema: IssueResource },
          403: { description: "The caller may not, or was blocked by the owner or by who is to do it." },
          412: { description: "It cannot be closed at once." },
        },
      },
      ...takes(NewIssueBody, (call, body) =>
        created(issueResource(services, issues.create(seenRepo(call), newIssueOf(body)))),
      ),
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
          404: missing,
        },
      },
      handle: (call) => json(issueResource(services, seenIssue(call, issues))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:index`,
      access: changesItems,
      doc: {
        id: "issueEditIssue",
        tag: "issue",
        summary: "Edit an issue",
        params,
        answers: {
          201: { description: "The issue as it is now.", schema: IssueResource },
          403: { description: "The caller neither wrote it nor may write here, or was blocked." },
          409: { description: "Its text was changed meanwhile." },
          412: { description: "It cannot be opened or closed now." },
        },
      },
      ...takes(
        EditIssueBody,
        (call, body) => created(issueResource(services, issues.edit(seenIssue(call, issues), editOf(body)))),
        { before: (call) => seenIssue(call, issues) },
      ),
    },
    {
      ...api,
      method: "POST",
      path: `${path}/:index/deadline`,
      access: changesItems,
      doc: {
        id: "issueEditIssueDeadline",
        tag: "issue",
        summary: "Set when an issue is due",
        params,
        answers: {
          201: { description: "When it is due now.", schema: DeadlineResource },
          403: { description: "The caller may not write here." },
        },
      },
      ...takes(
        DeadlineBody,
        (call, { due_date }) => {
          const item = seenIssue(call, issues);
          const given = due_date === undefined ? undefined : parseTimeOrNone(due_date, "due_date");
          const dueAt = given === undefined ? null : endOfDay(given);
          issues.edit(item, { dueAt });
          // Clients expect a time there, whatever it is.
          return created({ due_date: dueAt === null ? EPOCH_TIME : rfc3339(dueAt) });
        },
        { before: (call) => requireWrite(seenIssue(call, issues), "issue.deadline-needs-write") },
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:index`,
      access: changesItems,
      doc: {
        id: "issueDelete",
        tag: "issue",
        summary: "Delete an issue",
        params,
        answers: {
          204: { description: "It is gone, with all that belonged to it." },
          403: { description: "The caller does not administer the repository." },
          404: missing,
        },
      },
      handle: (call) => {
        itemBin.remove(namedIssue(call, issues));
        return noContent();
      },
    },
  ];
}

function newIssueOf(body: Static<typeof NewIssueBody>): NewIssue {
  return {
    title: body.title,
    body: body.body,
    ref: body.ref,
    assignees: namesOf(body) ?? [],
    dueAt: body.due_date ? parseTimeOrNone(body.due_date, "due_date") : undefined,
    milestoneId: body.milestone,
    labels: body.labels,
    isClosed: body.closed,
    fields: { projects: body.projects },
  };
}

function editOf(body: Static<typeof EditIssueBody>): IssueEdit {
  if (body.unset_due_date === false && !body.due_date) throw new BadRequest("issue.due-date-required");
  const dueAt = body.due_date ? endOfGivenDay(body.due_date, "due_date") : undefined;
  return {
    title: body.title,
    body: body.body,
    ref: body.ref,
    assignees: namesOf(body),
    milestoneId: body.milestone,
    state: body.state,
    dueAt: body.unset_due_date === true ? null : dueAt,
    contentVersion: body.content_version,
    fields: { projects: body.projects },
  };
}

/** Everyone who is named, either way; undefined when nothing is said of it. */
function namesOf({
  assignee,
  assignees,
}: {
  readonly assignee?: string;
  readonly assignees?: readonly string[];
}): readonly string[] | undefined {
  if (assignee === undefined && assignees === undefined) return undefined;
  return [...(assignee ? [assignee] : []), ...(assignees ?? [])];
}
