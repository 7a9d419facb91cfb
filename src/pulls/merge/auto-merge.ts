import { asAccount } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { MergeQueue } from "../queue/service.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import type { PullMerges } from "./service.ts";
import { deleteSchedule, findSchedule } from "./store.ts";
import type { MergeRequest } from "./types.ts";

export interface AutoMergeParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly merges: PullMerges;
  readonly pulls: PullService;
  readonly queue: MergeQueue;
}

/**
 * Carries out waiting merges on behalf of the account that scheduled them, with its current rights. If something still
 * blocks the merge, it keeps waiting: whatever removes the obstacle triggers another attempt.
 */
export function autoMerge({ db, identity, jobs, log, merges, pulls, queue }: AutoMergeParts): void {
  /** If the branch has a merge queue, the scheduled merge joins it. */
  const join = async (item: SeenPull, request: MergeRequest) => {
    if (!queue.of(item)) await queue.add(item, request);
    deleteSchedule(db, item.issue.id);
  };
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
      // The latest push may have ended the schedule: processing it determines that, then triggers another attempt.
      if (item.pull.announcedHead !== item.pull.headOid) return;
      const request: MergeRequest = {
        style: scheduled.style,
        title: scheduled.title,
        message: scheduled.message,
        commitId: "",
        headCommitId: "",
        isForced: false,
        isScheduled: false,
        hasWaited: true,
        deletesBranch: scheduled.deletesBranch,
      };
      try {
        if (queue.isRequired(item.seen, item.pull.baseBranch)) await join(item, request);
        else await merges.merge(item, request);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        log.debug("a scheduled merge waits on", { issue: issueId, reason: error.code });
      }
    },
  });
}
