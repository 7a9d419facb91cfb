import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { Stopwatch, TimeFilter, TrackedTime, WorktimePart, WorktimeRow } from "./types.ts";

interface TimeRow {
  id: number;
  issue_id: number;
  repo_id: number;
  user_id: number | null;
  seconds: number;
  created_at: number;
  deleted_at: number | null;
}

function timeOf(row: TimeRow): TrackedTime {
  return {
    id: row.id,
    issueId: row.issue_id,
    repoId: row.repo_id,
    userId: row.user_id ?? undefined,
    seconds: row.seconds,
    createdAt: row.created_at,
    deletedAt: row.deleted_at ?? undefined,
  };
}

export function findStopwatch(db: Database, userId: number): Stopwatch | undefined {
  const sql =
    "SELECT user_id AS userId, issue_id AS issueId, started_at AS startedAt FROM stopwatches WHERE user_id = ?";
  return db.query<Stopwatch>(sql).get(userId) ?? undefined;
}

export function insertStopwatch(db: Database, { userId, issueId, startedAt }: Stopwatch): void {
  db.query("INSERT INTO stopwatches (user_id, issue_id, started_at) VALUES (?, ?, ?)").run(userId, issueId, startedAt);
}

export function deleteStopwatch(db: Database, userId: number): void {
  db.query("DELETE FROM stopwatches WHERE user_id = ?").run(userId);
}

export type NewTime = Pick<TrackedTime, "issueId" | "repoId" | "seconds" | "createdAt"> & { readonly userId: number };

export function insertTime(db: Database, { issueId, repoId, userId, seconds, createdAt }: NewTime): TrackedTime {
  const sql = `INSERT INTO tracked_times (issue_id, repo_id, user_id, seconds, created_at)
    VALUES (?, ?, ?, ?, ?) RETURNING *`;
  const row = db.query<TimeRow>(sql).get(issueId, repoId, userId, seconds, createdAt);
  if (!row) throw new Error("an inserted time has a row");
  return timeOf(row);
}

/** Times by id, including deleted ones. */
export function findTimes(db: Database, ids: readonly number[]): Map<number, TrackedTime> {
  const sql = "SELECT * FROM tracked_times WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<TimeRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, timeOf(row)]),
  );
}

export function markDeleted(db: Database, id: number, now: number): void {
  db.query("UPDATE tracked_times SET deleted_at = ? WHERE id = ?").run(now, id);
}

/** Deletes everything an account booked on an item; returns the sum. */
export function markAllDeleted(db: Database, issueId: number, userId: number, now: number): number {
  const sql = `UPDATE tracked_times SET deleted_at = ? WHERE issue_id = ? AND user_id = ? AND deleted_at IS NULL
    RETURNING seconds`;
  const rows = db.query<{ seconds: number }>(sql).all(now, issueId, userId);
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Where to list times. */
export type TimeScope =
  | { readonly issueId: number }
  /** On items of the kinds that may be read. */
  | { readonly repoId: number; readonly issues: boolean; readonly pulls: boolean }
  /** On all items the viewer may read. @param isVisible SQL condition on `repositories`, `owners` and `issues` */
  | { readonly everywhere: { readonly isVisible: string; readonly params: Record<string, number | string> } };

export function listTimes(
  db: Database,
  scope: TimeScope,
  { userId, since, before }: TimeFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<TrackedTime> {
  const conditions = ["tracked_times.deleted_at IS NULL"];
  const params: Record<string, number | string> = {};
  const bound = (condition: string, name: string, value: number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  let from = "tracked_times";
  if ("issueId" in scope) bound("tracked_times.issue_id = $issueId", "issueId", scope.issueId);
  else if ("repoId" in scope) {
    bound("tracked_times.repo_id = $repoId", "repoId", scope.repoId);
    if (!scope.issues || !scope.pulls) {
      from += " JOIN issues ON issues.id = tracked_times.issue_id";
      conditions.push(`issues.is_pull = ${scope.pulls ? 1 : 0}`);
    }
  } else {
    from += ` JOIN issues ON issues.id = tracked_times.issue_id
      JOIN repositories ON repositories.id = tracked_times.repo_id JOIN users AS owners ON owners.id = repositories.owner_id`;
    conditions.push(scope.everywhere.isVisible);
    Object.assign(params, scope.everywhere.params);
  }
  bound("tracked_times.user_id = $userId", "userId", userId);
  bound("tracked_times.created_at >= $since", "since", since);
  bound("tracked_times.created_at <= $before", "before", before);
  const where = `FROM ${from} WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT tracked_times.* ${where} ORDER BY tracked_times.created_at, tracked_times.id LIMIT $limit OFFSET $offset`;
  const items = db
    .query<TimeRow>(sql)
    .all({ ...params, limit, offset })
    .map(timeOf);
  const total = db.query<{ total: number }>(`SELECT count(*) AS total ${where}`).get(params)?.total ?? 0;
  return { items, total };
}

/** Times an account booked on an item, newest first. */
export function newestTimes(db: Database, issueId: number, userId: number, limit: number): TrackedTime[] {
  const sql = `SELECT * FROM tracked_times WHERE issue_id = ? AND user_id = ? AND deleted_at IS NULL
    ORDER BY created_at DESC, id DESC LIMIT ?`;
  return db.query<TimeRow>(sql).all(issueId, userId, limit).map(timeOf);
}

/** Seconds booked on an item per account; those of deleted accounts are summed under undefined. */
export function sumsOf(db: Database, issueId: number): { userId: number | undefined; seconds: number }[] {
  const sql = `SELECT user_id AS userId, sum(seconds) AS seconds FROM tracked_times
    WHERE issue_id = ? AND deleted_at IS NULL GROUP BY user_id ORDER BY seconds DESC, user_id`;
  const rows = db.query<{ userId: number | null; seconds: number }>(sql).all(issueId);
  return rows.map(({ userId, seconds }) => ({ userId: userId ?? undefined, seconds }));
}

export function setEstimate(db: Database, issueId: number, seconds: number): void {
  db.query("UPDATE issues SET time_estimate = ? WHERE id = ?").run(seconds, issueId);
}

const worktimeColumns: Readonly<Record<WorktimePart, { readonly shown: string; readonly group: string }>> = {
  repos: { shown: "repositories.id AS repoId, NULL AS milestone, NULL AS userId", group: "repositories.id" },
  milestones: {
    shown: "repositories.id AS repoId, milestones.title AS milestone, NULL AS userId",
    group: "repositories.id, issues.milestone_id",
  },
  members: {
    shown: "NULL AS repoId, NULL AS milestone, tracked_times.user_id AS userId",
    group: "tracked_times.user_id",
  },
};

/**
 * Seconds booked in an owner's repositories, largest first.
 * @param viewer SQL condition on `repositories` and `owners`
 */
export function worktimeOf(
  db: Database,
  ownerId: number,
  viewer: { readonly isVisible: string; readonly params: Record<string, number | string> },
  part: WorktimePart,
  period: { readonly since: number; readonly before: number },
  limit: number,
): WorktimeRow[] {
  const { shown, group } = worktimeColumns[part];
  return db
    .query<WorktimeRow>(
      `SELECT ${shown}, sum(tracked_times.seconds) AS seconds FROM repositories
         JOIN users AS owners ON owners.id = repositories.owner_id
         JOIN tracked_times ON tracked_times.repo_id = repositories.id
         JOIN issues ON issues.id = tracked_times.issue_id
         LEFT JOIN milestones ON milestones.id = issues.milestone_id
       WHERE repositories.owner_id = $owner AND (${viewer.isVisible}) AND tracked_times.deleted_at IS NULL
         AND tracked_times.created_at >= $since AND tracked_times.created_at < $before
       GROUP BY ${group} ORDER BY seconds DESC, ${group} LIMIT $limit`,
    )
    .all({ ...viewer.params, owner: ownerId, ...period, limit });
}
