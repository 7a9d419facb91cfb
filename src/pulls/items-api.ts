import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { lists, numberParam, queryDocs, textParam, textsParam } from "../http/query.ts";
import { created, json, writtenPage } from "../http/respond.ts";
import { param, type Route, takes } from "../http/route.ts";
import { endOfGivenDay, parseTimeOrNone } from "../issues/deadlines.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesPulls, readsPulls } from "./access.ts";
import { seenPull } from "./call.ts";
import { pullText, pullTextParams } from "./changes/text.ts";
import { PullResource, pullResource, pullResources, pullsJson } from "./resource.ts";

const path = "/api/v1/repos/:owner/:repo/pulls";

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ description: "A name." }), { description, maxItems: 1000 }));
const numbers = (description: string) =>
  Type.Optional(Type.Array(Type.Integer({ description: "A number." }), { description, maxItems: 1000 }));

const NewPullBody = Type.Object(
  {
    head: Type.String({ description: "The head: branch, user:branch or user/repo:branch.", field: "Head" }),
    base: Type.String({ description: "The base branch.", field: "Base" }),
    title: Type.String({ description: "Its title.", field: "Title" }),
    body: maybeText("Its text, as Markdown."),
    assignee: maybeText("Name of an assignee."),
    assignees: names("Names of the assignees."),
    milestone: Type.Optional(Type.Integer({ description: "Number of the milestone; 0 for none." })),
    labels: numbers("Numbers of its labels."),
    due_date: maybeText("The due date."),
    reviewers: names("Names or e-mail addresses of requested reviewers."),
    team_reviewers: names("Names of teams to request a review from."),
    allow_maintainer_edit: maybeYesNo("Whether people who may merge it may push to its branch."),
  },
  { $id: "CreatePullRequestOption", description: "A new pull request." },
);

const EditPullBody = Type.Object(
  {
    title: maybeText("Its title; empty to leave it unchanged."),
    body: maybeText("Its text, as Markdown."),
    base: maybeText("A new base branch."),
    assignee: maybeText("Name of the only assignee."),
    assignees: names("Names of all assignees."),
    milestone: Type.Optional(Type.Integer({ description: "Number of the milestone; 0 to leave it unchanged." })),
    labels: numbers("Numbers of all its labels."),
    state: maybeText("open or closed."),
    due_date: maybeText("The due date."),
    unset_due_date: maybeYesNo("Whether to remove the due date."),
    allow_maintainer_edit: maybeYesNo("Whether people who may merge it may push to its branch."),
    content_version: Type.Optional(Type.Integer({ description: "The version of the text this edit is based on." })),
  },
  { $id: "EditPullRequestOption", description: "Changes to a pull request." },
);

const filters = {
  base_branch: textParam("Only those into this base branch."),
  state: textParam("open or closed; any other word: both."),
  sort: textParam(
    "oldest, recentupdate, recentclose, leastupdate, mostcomment, leastcomment, priority, nearduedate or farduedate; newest first by default.",
  ),
  milestone: numberParam("Number of a milestone."),
  labels: textsParam("Numbers of labels; pull requests with any of them match."),
  poster: textParam("Name of the author."),
};

/** Creating, finding and changing pull requests over REST (contract pulls.md 5.1 to 5.4). */
export function itemRoutes(services: Services): Route[] {
  const { links, pullCreation, pullEditing, pullChecks, pulls } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the pull request." };
  const one = { description: "The pull request.", schema: PullResource };
  const none = { 404: { description: "There is no such pull request, or the caller may not read it." } };
  const named = (assignee: string | undefined, assignees: readonly string[] | undefined) =>
    assignee ? [assignee, ...(assignees ?? [])] : assignees;
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesPulls,
      doc: {
        id: "repoCreatePullRequest",
        tag: "repository",
        summary: "Create a pull request",
        answers: {
          201: one,
          403: { description: "The caller may not create pull requests between these repositories, or is blocked." },
          404: { description: "A branch, a repository, a milestone or a reviewer is unknown." },
          409: { description: "There is already an open pull request between these branches." },
          422: { description: "A value is invalid." },
        },
      },
      ...takes(
        NewPullBody,
        async (call, body) => {
          const dueAt = body.due_date ? parseTimeOrNone(body.due_date, "due_date") : undefined;
          const item = await pullCreation.create(seenRepo(call), {
            head: body.head,
            base: body.base,
            title: body.title,
            body: body.body,
            assignees: named(body.assignee, body.assignees),
            labels: body.labels,
            milestoneId: body.milestone,
            dueAt,
            reviewers: { users: body.reviewers ?? [], teams: body.team_reviewers ?? [] },
            allowsMaintainerEdit: body.allow_maintainer_edit,
          });
          return created(pullResource(services, item));
        },
        { before: (call) => pulls.requireReadable(seenRepo(call)) },
      ),
    },
    {
      ...api,
      method: "GET",
      path,
      access: readsPulls,
      doc: {
        id: "repoListPullRequests",
        tag: "repository",
        summary: "List pull requests",
        answers: {
          200: { description: "The pull requests.", schema: Type.Array(PullResource) },
          400: { description: "The poster is unknown." },
          404: { description: "Pull requests are disabled here, or the caller may not read them." },
        },
      },
      ...lists(filters, (call, asked) => {
        const state = asked.state === "open" ? false : asked.state === "closed" ? true : undefined;
        const filter = {
          isClosed: state,
          sort: asked.sort,
          labels: [...new Set(asked.labels.flatMap((text) => text.split(",")).map(labelNumber))],
          milestoneId: asked.milestone ?? 0,
          poster: asked.poster,
          baseBranch: asked.base_branch,
        };
        const { items, total } = pulls.list(seenRepo(call), filter, call.paging);
        return writtenPage(pullsJson(services, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/pinned`,
      access: readsPulls,
      doc: {
        id: "repoListPinnedPullRequests",
        tag: "repository",
        summary: "List pinned pull requests",
        answers: { 200: { description: "In the order of their pins.", schema: Type.Array(PullResource) } },
      },
      handle: (call) => json(pullResources(services, pulls.pinned(seenRepo(call)))),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:index`,
      access: readsPulls,
      doc: {
        id: "repoGetPullRequest",
        tag: "repository",
        summary: "Get a pull request; with .diff or .patch appended to its number, the change as text",
        params,
        answers: { 200: one, ...none },
      },
      query: queryDocs(pullTextParams),
      handle: async (call) => {
        const text = await pullText(services, call);
        if (text) return text;
        const item = await pullChecks.settled(seenPull(call, pulls));
        return json(pullResource(services, item));
      },
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:index`,
      access: changesPulls,
      doc: {
        id: "repoEditPullRequest",
        tag: "repository",
        summary: "Edit a pull request",
        params,
        answers: {
          201: one,
          403: { description: "The caller is neither the author nor has write access." },
          ...none,
          409: {
            description:
              "The text was changed in the meantime, or there is already a pull request between these branches.",
          },
          412: { description: "Its state cannot be changed to that." },
          422: { description: "A value is invalid." },
        },
      },
      ...takes(
        EditPullBody,
        async (call, body) => {
          const dueAt = body.unset_due_date
            ? null
            : body.due_date
              ? endOfGivenDay(body.due_date, "due_date")
              : undefined;
          const item = await pullEditing.edit(seenPull(call, pulls), {
            title: body.title,
            body: body.body,
            contentVersion: body.content_version,
            dueAt,
            assignees: named(body.assignee, body.assignees),
            labels: body.labels,
            milestoneId: body.milestone,
            state: body.state,
            base: body.base,
            allowsMaintainerEdit: body.allow_maintainer_edit,
          });
          return created(pullResource(services, item));
        },
        { before: (call) => seenPull(call, pulls) },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:index/*`,
      access: readsPulls,
      doc: {
        id: "repoGetPullRequestByBaseHead",
        tag: "repository",
        summary: "Get a pull request by its branches",
        params: {
          index: "The base branch.",
          path: "The head: branch, user:branch or user/repo:branch.",
        },
        answers: { 200: one, ...none },
      },
      handle: (call) =>
        json(pullResource(services, pulls.between(seenRepo(call), param(call, "index"), param(call, "*")))),
    },
    {
      ...api,
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/commits/:sha/pull",
      access: readsPulls,
      doc: {
        id: "repoGetCommitPullRequest",
        tag: "repository",
        summary: "Get the pull request that a commit merged",
        params: { sha: "Full id of the commit." },
        answers: { 200: one, ...none },
      },
      handle: (call) => json(pullResource(services, pulls.mergedAs(seenRepo(call), param(call, "sha").toLowerCase()))),
    },
  ];
}

/** @throws ValidationFailed if it is not a number */
function labelNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text.trim()))
    throw new ValidationFailed("list.bad-parameter", {
      field: "labels",
      params: { what: "label id", given: JSON.stringify(text.slice(0, 100)) },
    });
  return Number(text);
}
