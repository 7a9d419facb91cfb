import type { Services } from "../../services.ts";
import type { ReviewType } from "../event-names.ts";
import type { Happening, HookHappenings } from "../happenings.ts";
import { changesFrom } from "./common.ts";
import { itemOf, itemPayload } from "./items.ts";

const reviewTypes = {
  approve: "pull_request_review_approved",
  reject: "pull_request_review_rejected",
  comment: "pull_request_review_comment",
} as const satisfies Record<string, ReviewType>;

/** A request to a team is one to each of its members, so many at most. */
const MAX_MEMBERS = 100;

/** What happens to pull requests alone (contract webhooks.md 6.7 and 6.8). */
export function addPullHappenings(services: Services, happenings: HookHappenings): void {
  happenings.add("pull.synchronized", ({ principal }, { after, before, issueId }) => {
    const item = itemOf(services, issueId);
    if (!item) return [];
    const payload = itemPayload(services, item, "synchronized", principal?.userId, { before, after });
    return [{ type: "pull_request_sync", payload }];
  });
  happenings.add("pull.retargeted", ({ principal }, { from, issueId }) => {
    const item = itemOf(services, issueId);
    const changes = changesFrom({ ref: { from } });
    return item
      ? [{ type: "pull_request", payload: itemPayload(services, item, "edited", principal?.userId, { changes }) }]
      : [];
  });
  const request = (
    action: "review_requested" | "review_request_removed",
    issueId: number,
    senderId: number | undefined,
    asked: { readonly userId: number | null; readonly teamId: number | null },
  ): readonly Happening[] => {
    const item = itemOf(services, issueId);
    if (!item) return [];
    return reviewersOf(services, asked, item.issue.posterId).map((reviewerId) => ({
      type: "pull_request_review_request",
      payload: itemPayload(services, item, action, senderId, { reviewerId }),
    }));
  };
  happenings.add("pull.review-requested", ({ principal }, payload) =>
    request("review_requested", payload.issueId, principal?.userId, payload),
  );
  happenings.add("pull.review-request-removed", ({ principal }, payload) =>
    request("review_request_removed", payload.issueId, principal?.userId, payload),
  );
  happenings.add("pull.reviewed", ({ principal }, { entryId, issueId, kind }) => {
    const item = itemOf(services, issueId);
    if (!item) return [];
    const type = reviewTypes[kind];
    const content = services.timeline.byIds([entryId]).get(entryId)?.body ?? "";
    const facts = { review: { type, content }, reviewerId: principal?.userId ?? null };
    return [{ type, payload: itemPayload(services, item, "reviewed", principal?.userId, facts) }];
  });
}

function reviewersOf(
  { teams }: Services,
  { teamId, userId }: { readonly userId: number | null; readonly teamId: number | null },
  authorId: number | undefined,
): readonly number[] {
  if (userId !== null) return [userId];
  if (teamId === null) return [];
  return teams
    .memberIds(teamId)
    .filter((id) => id !== authorId)
    .slice(0, MAX_MEMBERS);
}
