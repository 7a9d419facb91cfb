import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../../http/fields.ts";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { changesPulls, readsPulls } from "../access.ts";
import { numberIn, seenPull } from "../call.ts";
import { lineOf, NewCommentFields } from "./bodies.ts";
import { ReviewResource, reviewResource, reviewResources } from "./resource.ts";

const path = "/api/v1/repos/:owner/:repo/pulls/:index/reviews";

const NewReviewBody = Type.Object(
  {
    event: maybeText(
      "APPROVED, REQUEST_CHANGES or COMMENT; anything else starts a pending review, to be submitted later.",
    ),
    body: maybeText("The text."),
    commit_id: maybeText("The reviewed head commit; the current one by default."),
    comments: Type.Optional(
      Type.Array(Type.Object(NewCommentFields), { description: "Comments on lines.", maxItems: 1000 }),
    ),
  },
  { $id: "CreatePullReviewOptions", description: "A new review." },
);

const SubmitBody = Type.Object(
  { event: maybeText("APPROVED, REQUEST_CHANGES or COMMENT."), body: maybeText("The text.") },
  { $id: "SubmitPullReviewOptions", description: "How to submit a pending review." },
);

const DismissBody = Type.Object(
  { message: maybeText("The reason."), priors: maybeYesNo("Also dismiss earlier verdicts of the same reviewer.") },
  { $id: "DismissPullReviewOptions", description: "How to dismiss a review." },
);

/** Reviews over REST (contract pulls.md 6.2 to 6.6). */
export function reviewRoutes(services: Services): Route[] {
  const { links, pulls, reviews } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the pull request." };
  const ofOne = { ...params, id: "Number of the review." };
  const one = { 200: { description: "The review.", schema: ReviewResource } };
  const none = { 404: { description: "There is no such pull request or review, or the caller may not see it." } };
  const invalid = { 422: { description: "A value is invalid." } };
  const seenReview = (call: Call) => {
    const item = seenPull(call, pulls);
    return { item, review: reviews.get(item, numberIn(call, "id")) };
  };
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesPulls,
      doc: {
        id: "repoCreatePullReview",
        tag: "repository",
        summary: "Review a pull request",
        params,
        answers: { ...one, ...none, ...invalid },
      },
      ...takes(
        NewReviewBody,
        async (call, body) => {
          const item = seenPull(call, pulls);
          const review = await reviews.create(item, {
            event: body.event ?? "",
            body: body.body ?? "",
            commitId: body.commit_id ?? "",
            comments: (body.comments ?? []).map(lineOf),
          });
          return json(reviewResource(services, item, review));
        },
        { before: (call) => seenPull(call, pulls) },
      ),
    },
    {
      ...api,
      method: "GET",
      path,
      access: readsPulls,
      doc: {
        id: "repoListPullReviews",
        tag: "repository",
        summary: "List the reviews of a pull request",
        params,
        answers: { 200: { description: "Oldest first.", schema: Type.Array(ReviewResource) }, ...none },
      },
      ...lists({}, (call) => {
        const item = seenPull(call, pulls);
        const { items, total } = reviews.list(item, call.paging);
        return page(reviewResources(services, item, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:id`,
      access: readsPulls,
      doc: {
        id: "repoGetPullReview",
        tag: "repository",
        summary: "Get a review",
        params: ofOne,
        answers: { ...one, ...none },
      },
      handle: (call) => {
        const { item, review } = seenReview(call);
        return json(reviewResource(services, item, review));
      },
    },
    {
      ...api,
      method: "POST",
      path: `${path}/:id`,
      access: changesPulls,
      doc: {
        id: "repoSubmitPullReview",
        tag: "repository",
        summary: "Submit a pending review",
        params: ofOne,
        answers: { ...one, ...none, ...invalid },
      },
      ...takes(
        SubmitBody,
        async (call, { body = "", event = "" }) => {
          const { item, review } = seenReview(call);
          return json(reviewResource(services, item, await reviews.submit(item, review, event, body)));
        },
        { before: seenReview },
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      access: changesPulls,
      doc: {
        id: "repoDeletePullReview",
        tag: "repository",
        summary: "Delete a review",
        params: ofOne,
        answers: { 204: { description: "Deleted." }, 403: { description: "It belongs to someone else." }, ...none },
      },
      handle: (call) => {
        const { item, review } = seenReview(call);
        reviews.remove(item, review);
        return noContent();
      },
    },
    {
      ...api,
      method: "POST",
      path: `${path}/:id/dismissals`,
      access: changesPulls,
      doc: {
        id: "repoDismissPullReview",
        tag: "repository",
        summary: "Dismiss a review",
        params: ofOne,
        answers: {
          ...one,
          403: { description: "The caller is not allowed to, or there is nothing to dismiss." },
          ...none,
        },
      },
      ...takes(
        DismissBody,
        (call, { message = "", priors = false }) => {
          const { item, review } = seenReview(call);
          return json(reviewResource(services, item, reviews.dismiss(item, review, message, priors)));
        },
        { before: seenReview },
      ),
    },
    {
      ...api,
      method: "POST",
      path: `${path}/:id/undismissals`,
      access: changesPulls,
      doc: {
        id: "repoUnDismissPullReview",
        tag: "repository",
        summary: "Undo the dismissal of a review",
        params: ofOne,
        answers: { ...one, 403: { description: "The caller is not allowed to do this." }, ...none },
      },
      handle: (call) => {
        const { item, review } = seenReview(call);
        return json(reviewResource(services, item, reviews.undismiss(item, review)));
      },
    },
  ];
}
