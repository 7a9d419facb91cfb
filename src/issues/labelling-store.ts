import type { Database } from "../db/database.ts";

/** Sorted by name. */
export function labelIdsOf(db: Database, issueId: number): number[] {
  const sql = `SELECT labels.id FROM issue_labels JOIN labels ON labels.id = issue_labels.label_id
    WHERE issue_labels.issue_id = ? ORDER BY labels.name, labels.id`;
  return db
    .query<{ id: number }>(sql)
    .all(issueId)
    .map(({ id }) => id);
}

export function insertLabel(db: Database, issueId: number, labelId: number): void {
  db.query("INSERT OR IGNORE INTO issue_labels (issue_id, label_id) VALUES (?, ?)").run(issueId, labelId);
}

export function deleteLabel(db: Database, issueId: number, labelId: number): void {
  db.query("DELETE FROM issue_labels WHERE issue_id = ? AND label_id = ?").run(issueId, labelId);
}
