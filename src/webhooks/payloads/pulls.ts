import type { EventContext } from "../../events/types.ts";
import type { Services } from "../../services.ts";
import type { ReviewType } from "../event-names.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { changesFrom } from "./common.ts";
import { itemOf, itemPayload } from "./items.ts";

const reviewTypes = {
  approve: "pull_request_review_approved",
  reject: "pull_request_review_rejected",
  comment: "pull_request_review_comment",
} as const satisfies Record<string, ReviewType>;

/** A request to a team is reported for each member, up to this many. */
const MAX_MEMBERS = 100;

/** Events of pull requests only (contract webhooks.md 6.7 and 6.8). */
export function pullTellers(services: Services) {
  const request = (
    action: "review_requested" | "review_request_removed",
    { principal }: EventContext,
    { issueId, teamId, userId }: Asked,
  ): readonly Happening[] => {
    const item = itemOf(services, issueId);
    if (!item) return [];
    return reviewersOf(services, { teamId, userId }, item.issue.posterId).map((reviewerId) => ({
      type: "pull_request_review_request",
      payload: itemPayload(services, item, action, principal?.userId, { reviewerId }),
    }));
  };
  return {
    "pull.synchronized": ({ principal }, { after, before, issueId }) => {
      const item = itemOf(services, issueId);
      if (!item) return [];
      const payload = itemPayload(services, item, "synchronized", principal?.userId, { before, after });
      return [{ type: "pull_request_sync", payload }];
    },
    "pull.retargeted": ({ principal }, { from, issueId }) => {
      const item = itemOf(services, issueId);
      if (!item) return [];
      const changes = changesFrom({ ref: { from } });
      return [{ type: "pull_request", payload: itemPayload(services, item, "edited", principal?.userId, { changes }) }];
    },
    "pull.review-requested": (context, asked) => request("review_requested", context, asked),
    // A withdrawn request to a team is not reported (contract webhooks.md 7.4).
    "pull.review-request-removed": (context, asked) =>
      request("review_request_removed", context, { ...asked, teamId: null }),
    "pull.reviewed": ({ principal }, { entryId, issueId, kind }) => {
      const item = itemOf(services, issueId);
      if (!item) return [];
      const type = reviewTypes[kind];
      const content = services.timeline.byIds([entryId]).get(entryId)?.body ?? "";
      const facts = { review: { type, content }, reviewerId: principal?.userId ?? null };
      return [{ type, payload: itemPayload(services, item, "reviewed", principal?.userId, facts) }];
    },
  } satisfies TellersOf;
}

interface Asked {
  readonly issueId: number;
  readonly userId: number | null;
  readonly teamId: number | null;
}

function reviewersOf(
  { teams }: Services,
  { teamId, userId }: Pick<Asked, "teamId" | "userId">,
  authorId: number | undefined,
): readonly number[] {
  if (userId !== null) return [userId];
  if (teamId === null) return [];
  return teams
    .memberIds(teamId)
    .filter((id) => id !== authorId)
    .slice(0, MAX_MEMBERS);
}
