import { asAccount } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { PullService } from "../service.ts";
import type { PullMerges } from "./service.ts";
import { findSchedule } from "./store.ts";

export interface AutoMergeParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly merges: PullMerges;
  readonly pulls: PullService;
}

/**
 * Carries out merges that waited, as whoever scheduled them and with what they may by now. What still stands in the way
 * leaves the merge waiting: whatever removes it asks again.
 */
export function autoMerge({ db, identity, jobs, log, merges, pulls }: AutoMergeParts): void {
  jobs.handle("pull.auto-merge", {
    parse: (payload) => payload as { issueId: number },
    concurrency: 2,
    exclusionKey: ({ issueId }) => `auto-merge:${issueId}`,
    run: async ({ issueId }) => {
      const scheduled = findSchedule(db, issueId);
      const user = scheduled && identity.byId(scheduled.userId);
      if (!scheduled || !user || identity.accountProblem(user)) return;
      const item = pulls.byId(asAccount(user), issueId);
      if (!item?.pull.isOpen || item.seen.repo.isArchived) return;
      if (!item.pull.isAgit && pulls.headTip(item.pull) === undefined) return;
      try {
        await merges.merge(item, {
          style: scheduled.style,
          title: scheduled.title,
          message: scheduled.message,
          commitId: "",
          headCommitId: "",
          isForced: false,
          isScheduled: false,
          deletesBranch: scheduled.deletesBranch,
        });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        log.debug("a scheduled merge waits on", { issue: issueId, reason: error.code });
      }
    },
  });
}
