import { Type } from "@sinclair/typebox";
import { atLeast } from "../../access/levels.ts";
import { created, json, noContent } from "../../http/respond.ts";
import { type Route, takes } from "../../http/route.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { asksPulls } from "../access.ts";
import { seenPull } from "../call.ts";
import { ReviewResource, reviewResources } from "./resource.ts";

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ description: "A name." }), { description, maxItems: 1000 }));

const RequestBody = Type.Object(
  {
    reviewers: names("Names or e-mail addresses of accounts."),
    team_reviewers: names("Names of teams of the owner."),
  },
  { $id: "PullReviewRequestOptions", description: "Requested reviewers." },
);

/** Requests for reviews over REST (contract pulls.md 6.8, 6.9). */
export function requestRoutes(services: Services): Route[] {
  const { pulls, reviewRequests } = services;
  const path = "/api/v1/repos/:owner/:repo/pulls/:index/requested_reviewers";
  const route = { surface: "api", access: asksPulls } as const;
  const doc = { tag: "repository", params: { index: "Number of the pull request." } };
  const answers = {
    404: { description: "There is no such pull request, account or team." },
    422: { description: "One of them cannot be asked for a review, or the caller may not ask." },
  };
  return [
    {
      ...route,
      method: "POST",
      path,
      doc: {
        ...doc,
        id: "repoCreatePullReviewRequests",
        summary: "Request reviews",
        answers: {
          201: { description: "The new requests.", schema: Type.Array(ReviewResource) },
          403: { description: "It is closed, and one of the reviewers has already reviewed it." },
          ...answers,
        },
      },
      ...takes(
        RequestBody,
        (call, { reviewers = [], team_reviewers = [] }) => {
          const item = seenPull(call, pulls);
          const made = reviewRequests.add(item, { users: reviewers, teams: team_reviewers });
          return created(reviewResources(services, item, made));
        },
        { before: (call) => seenPull(call, pulls) },
      ),
    },
    {
      ...route,
      method: "DELETE",
      path,
      doc: {
        ...doc,
        id: "repoDeletePullReviewRequests",
        summary: "Cancel review requests",
        answers: { 204: { description: "The requests are cancelled." }, ...answers },
      },
      ...takes(
        RequestBody,
        (call, { reviewers = [], team_reviewers = [] }) => {
          reviewRequests.remove(seenPull(call, pulls), { users: reviewers, teams: team_reviewers });
          return noContent();
        },
        { before: (call) => seenPull(call, pulls) },
      ),
    },
    {
      ...route,
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/reviewers",
      doc: {
        id: "repoGetReviewers",
        tag: "repository",
        summary: "List the accounts that may be asked for reviews",
        answers: {
          200: { description: "Sorted by name, with the owner last.", schema: Type.Array(UserResource) },
          403: { description: "The caller may not ask for reviews here." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        // An empty repository has no pull requests yet, but already people who can be asked once it has.
        if (!atLeast(seen.access.on("pulls"), "read")) throw new NotFound();
        return json(userResources(services, call.principal, reviewRequests.candidates(seen)));
      },
    },
  ];
}
