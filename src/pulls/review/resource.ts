import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../../access/principal.ts";
import { text, time, whole, yesNo } from "../../http/fields.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { ghost } from "../../identity/system-users.ts";
import { issuePage } from "../../issues/addresses.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { organizationResource, TeamResource, teamResource } from "../../organizations/resource.ts";
import type { Services } from "../../services.ts";
import type { SeenPull } from "../types.ts";
import { type CodeComment, type Review, reviewStates } from "./types.ts";

export const ReviewResource = Type.Object(
  {
    id: whole("Number of the review."),
    user: Type.Union([UserResource, Type.Null()], { description: "The reviewer; null if a team was asked." }),
    team: Type.Union([TeamResource, Type.Null()], { description: "The team that was asked." }),
    state: text("APPROVED, REQUEST_CHANGES, COMMENT, PENDING or REQUEST_REVIEW."),
    body: text("The text."),
    commit_id: text("The reviewed head commit; empty for requests."),
    stale: yesNo("Whether the diff has changed since."),
    official: yesNo("Whether it counts for the base branch's protection rule."),
    dismissed: yesNo("Whether it was dismissed."),
    comments_count: whole("Number of its comments on lines."),
    submitted_at: time("When the upload started."),
    updated_at: time("When it last changed."),
    html_url: text("Its address on the page of the pull request; empty if none."),
    pull_request_url: text("The page of the pull request."),
  },
  { $id: "PullReview", description: "A review, or a request for one." },
);
export type ReviewResource = Static<typeof ReviewResource>;

export const ReviewCommentResource = Type.Object(
  {
    id: whole("Number of the comment, unique among all comments."),
    body: text("The text."),
    user: UserResource,
    resolver: Type.Union([UserResource, Type.Null()], { description: "The account that resolved the conversation." }),
    pull_request_review_id: whole("Number of its review."),
    created_at: time("When it was created."),
    updated_at: time("When it last changed."),
    path: text("The file it is about."),
    commit_id: text("The commit that introduced the line."),
    original_commit_id: text("Always empty."),
    diff_hunk: text("The line and those before it, as a diff."),
    position: whole("Number of the line in the new file; 0 if it is about the old one."),
    original_position: whole("Number of the line in the old file; 0 if it is about the new one."),
    html_url: text("Its address on the page of the pull request."),
    pull_request_url: text("The page of the pull request."),
  },
  { $id: "PullReviewComment", description: "A comment on a line of a diff." },
);
export type ReviewCommentResource = Static<typeof ReviewCommentResource>;

/** The teams asked by reviews, with their organizations, by id. */
export function teamsById(
  { identity, links, organizations, teams }: Pick<Services, "identity" | "links" | "organizations" | "teams">,
  viewer: Principal,
  reviews: readonly Review[],
): Map<number, TeamResource> {
  const ids = [...new Set(reviews.flatMap(({ teamId }) => teamId ?? []))];
  if (ids.length === 0) return new Map();
  const found = teams.byIds(ids);
  const accounts = identity.byIds([...new Set(found.map(({ organizationId }) => organizationId))]);
  const shown = new Map(
    organizations
      .withSettings([...accounts.values()])
      .map((organization) => [organization.account.id, organizationResource(organization, viewer, links)]),
  );
  return new Map(found.map((team) => [team.id, teamResource(team, shown.get(team.organizationId) ?? null)]));
}

export function reviewResources(services: Services, item: SeenPull, reviews: readonly Review[]): ReviewResource[] {
  const { principal } = item.seen;
  const people = peopleOf(
    services,
    principal,
    reviews.map(({ reviewerId }) => reviewerId),
  );
  const teams = teamsById(services, principal, reviews);
  const page = issuePage(item, services.links);
  return reviews.map((review) => ({
    id: review.id,
    user: review.teamId === undefined ? people(review.reviewerId) : null,
    team: teams.get(review.teamId ?? 0) ?? null,
    state: reviewStates[review.kind],
    body: review.body,
    commit_id: review.commitId,
    stale: review.isStale,
    official: review.isOfficial,
    dismissed: review.isDismissed,
    comments_count: review.comments,
    submitted_at: rfc3339(review.createdAt),
    updated_at: rfc3339(review.updatedAt),
    html_url: review.entryId === undefined ? "" : `${page}#issuecomment-${review.entryId}`,
    pull_request_url: page,
  }));
}

export function reviewResource(services: Services, item: SeenPull, review: Review): ReviewResource {
  const [resource] = reviewResources(services, item, [review]);
  if (!resource) throw new Error("a review has a resource");
  return resource;
}

export function commentResources(
  services: Services,
  item: SeenPull,
  comments: readonly CodeComment[],
): ReviewCommentResource[] {
  const { principal } = item.seen;
  const ids = comments.flatMap(({ resolverId, userId }) => [userId, resolverId]);
  const people = peopleOf(services, principal, ids);
  const page = issuePage(item, services.links);
  return comments.map((comment) => ({
    id: comment.id,
    body: comment.body,
    user: people(comment.userId),
    resolver: comment.isResolved ? people(comment.resolverId) : null,
    pull_request_review_id: comment.reviewId,
    created_at: rfc3339(comment.createdAt),
    updated_at: rfc3339(comment.updatedAt),
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: "",
    diff_hunk: comment.hunk,
    position: Math.max(0, comment.line),
    original_position: Math.max(0, -comment.line),
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: page,
  }));
}

export function commentResource(services: Services, item: SeenPull, comment: CodeComment): ReviewCommentResource {
  const [resource] = commentResources(services, item, [comment]);
  if (!resource) throw new Error("a comment has a resource");
  return resource;
}

/** Returns a lookup of users; a deleted account is the ghost. */
export function peopleOf(services: Services, viewer: Principal, ids: readonly (number | undefined)[]) {
  const users = services.identity.byIds([...new Set(ids.flatMap((id) => id ?? []))]);
  const all = userResources(services, viewer, [ghost, ...users.values()]);
  const byId = new Map(all.map((user) => [user.id, user]));
  return (id: number | undefined): UserResource => {
    const found = byId.get(id ?? ghost.id) ?? byId.get(ghost.id);
    if (!found) throw new Error("the ghost has no resource");
    return found;
  };
}
