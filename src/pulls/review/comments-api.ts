import { Type } from "@sinclair/typebox";
import { created, json, noContent } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesPulls, readsPulls } from "../access.ts";
import { numberIn, seenPull } from "../call.ts";
import { lineOf, NewCommentFields } from "./bodies.ts";
import { commentResource, commentResources, ReviewCommentResource } from "./resource.ts";

const pullsPath = "/api/v1/repos/:owner/:repo/pulls";
const path = `${pullsPath}/:index/reviews/:id/comments`;

const NewCommentBody = Type.Object(NewCommentFields, {
  $id: "CreatePullReviewComment",
  description: "A comment on a line.",
});

const ReplyBody = Type.Object(
  { body: Type.String({ description: "The text.", field: "Body" }) },
  { $id: "CreatePullReviewCommentReplyOptions", description: "A reply to a comment on a line." },
);

/** Comments on lines over REST (contract pulls.md 6.7). */
export function commentRoutes(services: Services): Route[] {
  const { codeComments, comments, pulls, reviews } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the pull request.", id: "Number of the review." };
  const ofOne = { ...params, comment: "Number of the comment." };
  const one = { description: "The comment.", schema: ReviewCommentResource };
  const none = { 404: { description: "It does not exist, or the caller may not see it." } };
  const plain = { 400: { description: "The comment is not on a line." } };
  const invalid = { 422: { description: "A value is invalid." } };
  const seenReview = (call: Call) => {
    const item = seenPull(call, pulls);
    return { item, review: reviews.get(item, numberIn(call, "id")) };
  };
  const seenComment = (call: Call) => {
    const { item, review } = seenReview(call);
    return { item, review, comment: codeComments.get(review, numberIn(call, "comment")) };
  };
  const seenByNumber = (call: Call) => {
    const seen = seenRepo(call);
    pulls.requireReadable(seen);
    return codeComments.find(seen, numberIn(call, "id"));
  };
  const resolving = (word: "resolve" | "unresolve"): Route => ({
    ...api,
    method: "POST",
    path: `${pullsPath}/comments/:id/${word}`,
    access: changesPulls,
    doc: {
      id: word === "resolve" ? "repoResolvePullReviewComment" : "repoUnresolvePullReviewComment",
      tag: "repository",
      summary: word === "resolve" ? "Resolve the conversation of a comment" : "Unresolve the conversation of a comment",
      params: { id: "Number of the comment." },
      answers: {
        204: { description: "Done." },
        ...plain,
        403: { description: "The caller is not allowed to do this." },
        ...none,
      },
    },
    handle: (call) => {
      codeComments.resolve(seenByNumber(call), word === "resolve");
      return noContent();
    },
  });
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesPulls,
      doc: {
        id: "repoCreatePullReviewComment",
        tag: "repository",
        summary: "Add a comment to a review",
        params,
        answers: { 200: one, 403: { description: "The review is someone else's." }, ...none, ...invalid },
      },
      ...takes(
        NewCommentBody,
        async (call, body) => {
          const { item, review } = seenReview(call);
          const id = await reviews.addComment(item, review, lineOf(body));
          return json(commentResource(services, item, codeComments.get(review, id)));
        },
        { before: seenReview },
      ),
    },
    {
      ...api,
      method: "GET",
      path,
      access: readsPulls,
      doc: {
        id: "repoGetPullReviewComments",
        tag: "repository",
        summary: "List the comments of a review",
        params,
        answers: {
          200: { description: "Sorted by file and line.", schema: Type.Array(ReviewCommentResource) },
          ...none,
        },
      },
      handle: (call) => {
        const { item, review } = seenReview(call);
        return json(commentResources(services, item, codeComments.of(review)));
      },
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:comment`,
      access: readsPulls,
      doc: {
        id: "repoGetPullReviewComment",
        tag: "repository",
        summary: "Get a comment of a review",
        params: ofOne,
        answers: { 200: one, ...none },
      },
      handle: (call) => {
        const { comment, item } = seenComment(call);
        return json(commentResource(services, item, comment));
      },
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:comment`,
      access: changesPulls,
      doc: {
        id: "repoDeletePullReviewComment",
        tag: "repository",
        summary: "Delete a comment of a review",
        params: ofOne,
        answers: { 204: { description: "Deleted." }, 403: { description: "It belongs to someone else." }, ...none },
      },
      handle: (call) => {
        const { comment, item } = seenComment(call);
        comments.remove(comments.find(item.seen, comment.id));
        return noContent();
      },
    },
    {
      ...api,
      method: "POST",
      path: `${pullsPath}/:index/comments/:id/replies`,
      access: changesPulls,
      doc: {
        id: "repoCreatePullReviewCommentReply",
        tag: "repository",
        summary: "Reply to a comment on a line",
        params: { index: "Number of the pull request.", id: "Number of the comment." },
        answers: { 201: one, ...plain, ...none, ...invalid },
      },
      ...takes(
        ReplyBody,
        (call, { body }) => {
          const found = seenByNumber(call);
          if (found.item.issue.id !== seenPull(call, pulls).issue.id) throw new NotFound();
          return created(commentResource(services, found.item, codeComments.reply(found, body)));
        },
        { before: (call) => seenPull(call, pulls) },
      ),
    },
    resolving("resolve"),
    resolving("unresolve"),
  ];
}
