import type { JobQueue } from "../jobs/queue.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { FollowService } from "./service.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Removes watches on the owner's repositories that the watching accounts can no longer see. */
    "watches.forget-unseen": { readonly ownerId: number };
  }
}

/** If many people may have lost access at once, their watches are checked one account at a time. */
export function forgetUnseenWatches(jobs: JobQueue, watches: FollowService): void {
  jobs.handle("watches.forget-unseen", {
    parse: (payload) => {
      const { ownerId } = (payload ?? {}) as Record<string, unknown>;
      if (typeof ownerId !== "number") throw new Error("the job names no owner");
      return { ownerId };
    },
    run: async ({ ownerId }, { signal }) => {
      for (const userId of watches.followersOfOwner(ownerId)) {
        signal.throwIfAborted();
        watches.removeUnseenFromOwner(ownerId, userId);
        await nextTurn();
      }
    },
  });
}
