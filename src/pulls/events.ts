import type { IssueEvent } from "../issues/events.ts";

/** What happens to pull requests besides what happens to issues. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** Commits were pushed to its head. */
    "pull.synchronized": IssueEvent & { before: string; after: string };
    "pull.retargeted": IssueEvent & { from: string; to: string };
    /** `isScheduled`: nobody asked for it just then, it had waited. */
    "pull.merged": IssueEvent & { commit: string; isScheduled?: boolean };
    /** Its head, its base or what is known of both has changed; what live pages wait for. */
    "pull.checked": { issueId: number; status: string };
    "pull.review-requested": IssueEvent & { reviewId: number; userId: number | null; teamId: number | null };
    "pull.review-request-removed": IssueEvent & { userId: number | null; teamId: number | null };
    "pull.reviewed": IssueEvent & { reviewId: number; entryId: number; kind: "approve" | "reject" | "comment" };
    "pull.review-dismissed": IssueEvent & { reviewId: number };
  }
}
