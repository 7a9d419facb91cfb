import type { Database } from "../../db/database.ts";

export function hasOpenBlockers(db: Database, issueId: number): boolean {
  const sql = `SELECT 1 FROM issue_dependencies JOIN issues ON issues.id = issue_dependencies.blocker_id
    WHERE issue_dependencies.blocked_id = ? AND issues.is_closed = 0`;
  return db.query(sql).get(issueId) !== null;
}
