import type { JobQueue } from "../jobs/queue.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { FollowService } from "./service.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Whoever does not see what they watch of that owner's any more does not watch it. */
    "watches.forget-unseen": { readonly ownerId: number };
  }
}

/** When many people may have lost rights at once, their watches are looked through one account at a time. */
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
