import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";

export function marksOf(db: Database, userId: number, issueId: number): Map<string, Oid> {
  const sql = "SELECT path, oid FROM viewed_files WHERE user_id = ? AND issue_id = ?";
  const rows = db.query<{ path: string; oid: Oid }>(sql).all(userId, issueId);
  return new Map(rows.map(({ oid, path }) => [path, oid]));
}

export function countMarks(db: Database, userId: number, issueId: number): number {
  const sql = "SELECT count(*) AS count FROM viewed_files WHERE user_id = ? AND issue_id = ?";
  return db.query<{ count: number }>(sql).get(userId, issueId)?.count ?? 0;
}

export function setMark(
  db: Database,
  userId: number,
  issueId: number,
  { at, oid, path }: { readonly path: string; readonly oid: Oid; readonly at: number },
): void {
  db.query(
    `INSERT INTO viewed_files (user_id, issue_id, path, oid, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET oid = excluded.oid, updated_at = excluded.updated_at`,
  ).run(userId, issueId, path, oid, at);
}

export function deleteMark(db: Database, userId: number, issueId: number, path: string): void {
  db.query("DELETE FROM viewed_files WHERE user_id = ? AND issue_id = ? AND path = ?").run(userId, issueId, path);
}
