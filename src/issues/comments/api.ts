import { Type } from "@sinclair/typebox";
import { text } from "../../http/fields.ts";
import { asks, lists, timeParam } from "../../http/query.ts";
import { countHeaders, created, json, jsonList, noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route, type TakesBody, takes } from "../../http/route.ts";
import { BadRequest } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import { seenIssue } from "../item.ts";
import { writtenKinds } from "../timeline/types.ts";
import { CommentResource, commentResource, commentResources } from "./resource.ts";
import type { SeenComment } from "./service.ts";

const repo = "/api/v1/repos/:owner/:repo/issues";

const NewCommentBody = Type.Object(
  { body: text("The text, as Markdown.") },
  { $id: "CreateIssueCommentOption", description: "The comment." },
);
const EditCommentBody = Type.Object(
  { body: text("The new text, as Markdown.") },
  { $id: "EditIssueCommentOption", description: "The changed comment." },
);

export const span = {
  since: timeParam("Only items that changed at this time or later, as RFC 3339."),
  before: timeParam("Only items that changed at this time or earlier, as RFC 3339."),
};

/** The timeline entry named by `:id` in the path. @throws NotFound */
export function seenComment(call: Call, { comments }: Pick<Services, "comments">): SeenComment {
  const id = param(call, "id");
  return comments.find(seenRepo(call), /^\d{1,15}$/.test(id) ? Number(id) : 0);
}

/** Comments over REST (contract issues.md 11.1). */
export function commentRoutes(services: Services): Route[] {
  const { comments, issues } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const idParams = { id: "Number of the comment." };
  const missing = { description: "There is no such comment, or the caller may not read it." };
  const textless = { description: "The number belongs to an entry without a text." };

  // Callers who may not change an entry do not learn whether it has a text.
  const theirs = (call: Call): SeenComment => {
    const comment = seenComment(call, services);
    comments.requireTheirs(comment);
    return comment;
  };
  const edits: TakesBody = takes(EditCommentBody, (call, { body }) => {
    const comment = theirs(call);
    if (!writtenKinds.has(comment.entry.kind)) return noContent();
    return json(commentResource(services, comments.edit(comment, body)));
  });
  const removes = (call: Call): Response => {
    const comment = theirs(call);
    if (!writtenKinds.has(comment.entry.kind)) throw new BadRequest("comment.has-no-text");
    comments.remove(comment);
    return noContent();
  };
  const answersOfEdit = {
    200: { description: "The comment.", schema: CommentResource },
    204: textless,
    403: { description: "The caller may not change it." },
    404: missing,
  };
  const answersOfRemoval = {
    204: { description: "Deleted." },
    400: textless,
    403: { description: "The caller may not delete it." },
    404: missing,
  };
  return [
    {
      ...api,
      method: "POST",
      path: `${repo}/:index/comments`,
      access: changesItems,
      doc: {
        id: "issueCreateComment",
        tag: "issue",
        summary: "Comment on an issue or a pull request",
        params,
        answers: {
          201: { description: "The comment.", schema: CommentResource },
          403: { description: "The item is locked, or the caller is blocked." },
        },
      },
      ...takes(
        NewCommentBody,
        (call, { body }) => created(commentResource(services, comments.create(seenIssue(call, issues), body))),
        { before: (call) => seenIssue(call, issues) },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${repo}/:index/comments`,
      access: readsItems,
      doc: {
        id: "issueGetComments",
        tag: "issue",
        summary: "List the comments of an issue or a pull request",
        params,
        answers: {
          200: { description: "All of them, the oldest first.", schema: Type.Array(CommentResource) },
          422: { description: "A time is not in RFC 3339 format." },
        },
      },
      ...asks(span, (call, wanted) => {
        const resources = commentResources(services, comments.ofItem(seenIssue(call, issues), wanted));
        return jsonList(resources, (resource) => resource, countHeaders(resources.length));
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${repo}/comments`,
      access: readsItems,
      doc: {
        id: "issueGetRepoComments",
        tag: "issue",
        summary: "List the comments of a repository",
        answers: {
          200: { description: "A page of them, oldest first.", schema: Type.Array(CommentResource) },
          422: { description: "A time is not in RFC 3339 format." },
        },
      },
      ...lists(span, (call, wanted) => {
        const { items, total } = comments.ofRepo(seenRepo(call), wanted, call.paging);
        const { path, paging, query } = call;
        return page(commentResources(services, items), total, { rootUrl: services.links.rootUrl, path, query, paging });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${repo}/comments/:id`,
      access: readsItems,
      doc: {
        id: "issueGetComment",
        tag: "issue",
        summary: "Get a comment",
        params: idParams,
        answers: {
          200: { description: "The comment.", schema: CommentResource },
          204: { description: "The number belongs to another kind of timeline entry." },
          404: missing,
        },
      },
      handle: (call) => {
        const comment = seenComment(call, services);
        return comment.entry.kind === "comment" ? json(commentResource(services, comment)) : noContent();
      },
    },
    {
      ...api,
      method: "PATCH",
      path: `${repo}/comments/:id`,
      access: changesItems,
      doc: {
        id: "issueEditComment",
        tag: "issue",
        summary: "Change a comment",
        params: idParams,
        answers: answersOfEdit,
      },
      ...edits,
    },
    {
      ...api,
      method: "DELETE",
      path: `${repo}/comments/:id`,
      access: changesItems,
      doc: {
        id: "issueDeleteComment",
        tag: "issue",
        summary: "Delete a comment",
        params: idParams,
        answers: answersOfRemoval,
      },
      handle: removes,
    },
    {
      ...api,
      method: "PATCH",
      path: `${repo}/:index/comments/:id`,
      access: changesItems,
      doc: {
        id: "issueEditCommentDeprecated",
        tag: "issue",
        summary: "Change a comment (older address)",
        params: { index: "Any number; it is ignored.", ...idParams },
        answers: answersOfEdit,
      },
      ...edits,
    },
    {
      ...api,
      method: "DELETE",
      path: `${repo}/:index/comments/:id`,
      access: changesItems,
      doc: {
        id: "issueDeleteCommentDeprecated",
        tag: "issue",
        summary: "Delete a comment (older address)",
        params: { index: "Any number; it is ignored.", ...idParams },
        answers: answersOfRemoval,
      },
      handle: removes,
    },
  ];
}
