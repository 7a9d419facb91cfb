import type { JobQueue } from "../jobs/queue.ts";
import type { PullChecks } from "./checks/service.ts";
import type { PullPushes } from "./pushes.ts";
import type { QueueTurns } from "./queue/turns.ts";

export interface PullWorkers {
  readonly checks: PullChecks;
  readonly pushes: PullPushes;
  readonly turns: QueueTurns;
}

/** Registers the handlers of the jobs that follow pushes. */
export function handlePullJobs(jobs: JobQueue, { checks, pushes, turns }: PullWorkers): void {
  jobs.handle("pull.pushed", {
    parse: (payload) => payload as { issueId: number; userId: number | null },
    run: ({ issueId, userId }) => pushes.announce(issueId, pushes.accountOr(userId)),
    concurrency: 4,
    exclusionKey: ({ issueId }) => `pull:${issueId}`,
  });
  jobs.handle("pulls.base-moved", {
    parse: (payload) => payload as { repoId: number; branch: string },
    run: ({ repoId, branch }, { signal }) => checks.refreshBase(repoId, branch, signal),
    concurrency: 2,
    exclusionKey: ({ repoId, branch }) => `base:${repoId}:${branch}`,
  });
  jobs.handle("pulls.branch-deleted", {
    parse: (payload) => payload as { repoId: number; branch: string; userId: number | null },
    run: ({ repoId, branch, userId }) => pushes.branchDeleted(repoId, branch, pushes.accountOr(userId)),
    exclusionKey: ({ repoId }) => `branches:${repoId}`,
  });
  jobs.handle("pulls.merge-queue", {
    parse: (payload) => payload as { repoId: number; branch: string },
    concurrency: 2,
    exclusionKey: ({ branch, repoId }) => `merge-queue:${repoId}:${branch}`,
    run: ({ branch, repoId }, { signal }) => turns.run(repoId, branch, signal),
  });
}
