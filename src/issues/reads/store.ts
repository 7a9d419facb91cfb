import type { Database } from "../../db/database.ts";

export function findRead(db: Database, userId: number, issueId: number): number | undefined {
  const sql = "SELECT read_at AS readAt FROM issue_reads WHERE user_id = ? AND issue_id = ?";
  return db.query<{ readAt: number }>(sql).get(userId, issueId)?.readAt;
}

export function putRead(db: Database, userId: number, issueId: number, now: number): void {
  db.query(
    "INSERT INTO issue_reads (user_id, issue_id, read_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET read_at = excluded.read_at",
  ).run(userId, issueId, now);
}
