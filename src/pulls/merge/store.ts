import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { MergeStyle } from "./types.ts";

/** A waiting merge. */
export interface ScheduledMerge {
  readonly issueId: number;
  readonly userId: number;
  readonly style: MergeStyle;
  readonly title: string;
  readonly message: string;
  readonly deletesBranch: boolean;
  readonly createdAt: number;
}

interface Row {
  issue_id: number;
  user_id: number;
  style: MergeStyle;
  title: string;
  message: string;
  deletes_branch: number;
  created_at: number;
}

export function findSchedule(db: Database, issueId: number): ScheduledMerge | undefined {
  const row = db.query<Row>("SELECT * FROM scheduled_merges WHERE issue_id = ?").get(issueId);
  if (!row) return undefined;
  return {
    issueId: row.issue_id,
    userId: row.user_id,
    style: row.style,
    title: row.title,
    message: row.message,
    deletesBranch: row.deletes_branch === 1,
    createdAt: row.created_at,
  };
}

export function insertSchedule(db: Database, merge: ScheduledMerge): void {
  db.query(
    `INSERT INTO scheduled_merges (issue_id, user_id, style, title, message, deletes_branch, created_at)
     VALUES ($issueId, $userId, $style, $title, $message, $deletesBranch, $createdAt)`,
  ).run({ ...merge, deletesBranch: merge.deletesBranch ? 1 : 0 });
}

export function deleteSchedule(db: Database, issueId: number): void {
  db.query("DELETE FROM scheduled_merges WHERE issue_id = ?").run(issueId);
}

/** Open items of a repository with that head and a waiting merge. */
export function scheduledAt(db: Database, repoId: number, head: Oid): number[] {
  const sql = `SELECT pulls.issue_id AS id FROM scheduled_merges JOIN pulls ON pulls.issue_id = scheduled_merges.issue_id
    WHERE pulls.repo_id = ? AND pulls.head_oid = ? AND pulls.is_open = 1`;
  return db
    .query<{ id: number }>(sql)
    .all(repoId, head)
    .map(({ id }) => id);
}
