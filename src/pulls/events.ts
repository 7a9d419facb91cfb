import type { IssueEvent } from "../issues/events.ts";

/** Events of pull requests beyond those of issues. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** Commits were pushed to its head. */
    "pull.synchronized": IssueEvent & { before: string; after: string };
    "pull.retargeted": IssueEvent & { from: string; to: string };
    /** `isScheduled`: a merge that had been waiting, rather than one just requested. */
    "pull.merged": IssueEvent & { commit: string; isScheduled?: boolean };
    /** Its head, its base or the state of its check has changed; live pages wait for this. */
    "pull.checked": { issueId: number; status: string };
    "pull.review-requested": IssueEvent & { reviewId: number; userId: number | null; teamId: number | null };
    "pull.review-request-removed": IssueEvent & { userId: number | null; teamId: number | null };
    "pull.reviewed": IssueEvent & { reviewId: number; entryId: number; kind: "approve" | "reject" | "comment" };
    "pull.review-dismissed": IssueEvent & { reviewId: number };
  }
}
