import type { Database } from "../../db/database.ts";
import { Status } from "./statuses.ts";

/** Who started the most recent runs, and for which refs. */
export function recentChoices(
  db: Database,
  repoId: number,
  runs: number,
): { readonly userIds: readonly number[]; readonly refs: readonly string[] } {
  const recent = db
    .query<{ user_id: number | null; ref: string }>(
      "SELECT user_id, ref FROM actions_runs WHERE repo_id = ? ORDER BY id DESC LIMIT ?",
    )
    .all(repoId, runs);
  return {
    userIds: [...new Set(recent.flatMap(({ user_id }) => user_id ?? []))],
    refs: [...new Set(recent.map(({ ref }) => ref))],
  };
}

/** The labels of jobs waiting for a runner, one list per distinct set. */
export function waitingLabels(db: Database, repoId: number, jobs: number): string[][] {
  return db
    .query<{ runs_on: string }>(
      `SELECT DISTINCT runs_on FROM
         (SELECT runs_on FROM actions_jobs WHERE repo_id = ? AND status = ${Status.waiting} ORDER BY id LIMIT ?)`,
    )
    .all(repoId, jobs)
    .map(({ runs_on }) => JSON.parse(runs_on));
}

/** The labels of runners that could take a repository's jobs and have called since the given time. */
export function labelsOfRunners(
  db: Database,
  { ownerId, repoId }: { readonly ownerId: number; readonly repoId: number },
  since: number,
): string[][] {
  return db
    .query<{ labels: string }>(
      `SELECT DISTINCT labels FROM actions_runners
        WHERE last_online_at >= $since AND is_disabled = 0
          AND (repo_id = $repoId OR owner_id = $ownerId OR (repo_id IS NULL AND owner_id IS NULL))`,
    )
    .all({ ownerId, repoId, since })
    .map(({ labels }) => JSON.parse(labels));
}

/** Runs of a commit that are waiting for approval. */
export function unapprovedRuns(db: Database, repoId: number, commit: string): { readonly id: number }[] {
  return db
    .query<{ id: number }>(
      `SELECT id FROM actions_runs
        WHERE repo_id = ? AND commit_id = ? AND needs_approval = 1 AND approved_by IS NULL AND status = ${Status.blocked}
        ORDER BY id`,
    )
    .all(repoId, commit);
}
