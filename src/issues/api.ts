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
    Type.String({
      description: "Name of an account, or of a team as `organization/team`, which stands for its current members.",
    }),
    {
      description: "The assignees.",
      maxItems: 100,
    },
  ),
);

const NewIssueBody = Type.Object(
  {
    title: Type.String({ description: "Its title.", field: "Title" }),
    body: maybeText("Its text, as Markdown."),
    ref: maybeText("The branch or tag it is about."),
    assignee: maybeText("One assignee; sent by older clients."),
    assignees: logins,
    due_date: maybeText("The due date."),
    milestone: Type.Optional(Type.Integer({ description: "Number of a milestone of the repository." })),
    labels: ids("Numbers of labels of the repository or its organization.", "Number of a label."),
    projects: ids("Numbers of project boards.", "Number of a board."),
    closed: maybeYesNo("Whether to create it as closed."),
  },
  { $id: "CreateIssueOption", description: "A new issue. Fields after `ref` take effect only with write access." },
);

const EditIssueBody = Type.Object(
  {
    title: maybeText("New title; an empty one changes nothing."),
    body: maybeText("New text, as Markdown."),
    ref: maybeText("The branch or tag it is about."),
    assignee: maybeText("One assignee, or empty for none; sent by older clients."),
    assignees: logins,
    milestone: Type.Optional(Type.Integer({ description: "Number of a milestone of the repository; 0 for none." })),
    projects: ids("Numbers of all project boards it should be on.", "Number of a board."),
    state: maybeText("open or closed."),
    due_date: maybeText("The due date, until the end of that day."),
    unset_due_date: maybeYesNo("Whether to remove the due date."),
    content_version: Type.Optional(
      Type.Integer({ description: "The version of the text this edit is based on; refused if it has changed." }),
    ),
  },
  { $id: "EditIssueOption", description: "Changes to an issue; absent fields are unchanged." },
);

const DeadlineBody = Type.Object(
  { due_date: maybeText("The due date; absent for none.") },
  { $id: "EditDeadlineOption", description: "The due date of an issue." },
);
const DeadlineResource = Type.Object(
  {
    due_date: time("The end of the due date; 1970 if there is none."),
  },
  { $id: "IssueDeadline", description: "The due date of an issue." },
);

/** Issues over REST (contract issues.md 3). */
export function issueRoutes(services: Services): Route[] {
  const { issues, itemBin } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const missing = { description: "There is no such item, or the caller may not read it." };
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
          403: { description: "The caller may not create issues, or is blocked by the owner or an assignee." },
          412: { description: "It cannot be created as closed." },
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
          200: { description: "The issue or pull request with that number.", schema: IssueResource },
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
          201: { description: "The updated issue.", schema: IssueResource },
          403: { description: "The caller is neither the author nor has write access, or is blocked." },
          409: { description: "Its text was changed in the meantime." },
          412: { description: "It cannot be reopened or closed now." },
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
        summary: "Set the due date of an issue",
        params,
        answers: {
          201: { description: "The new due date.", schema: DeadlineResource },
          403: { description: "The caller has no write access." },
        },
      },
      ...takes(
        DeadlineBody,
        (call, { due_date }) => {
          const item = seenIssue(call, issues);
          const given = due_date === undefined ? undefined : parseTimeOrNone(due_date, "due_date");
          const dueAt = given === undefined ? null : endOfDay(given);
          issues.edit(item, { dueAt });
          // Clients expect a time there in any case.
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
          204: { description: "Deleted, with everything that belonged to it." },
          403: { description: "The caller is not an administrator of the repository." },
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

/** All names given, singly or as a list; undefined if neither field is present. */
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
