import type { Database } from "../../db/database.ts";

/** A text as it was at some time: an item's own, or a comment's. */
export interface Revision {
  readonly id: number;
  readonly issueId: number;
  /** Undefined: the item's own text. */
  readonly entryId: number | undefined;
  /** Who wrote it so; undefined when the account is gone. */
  readonly userId: number | undefined;
  readonly body: string;
  readonly isFirst: boolean;
  /** Its text was taken away. */
  readonly isDeleted: boolean;
  readonly createdAt: number;
}

interface RevisionRow {
  id: number;
  issue_id: number;
  entry_id: number | null;
  user_id: number | null;
  body: string;
  is_first: number;
  is_deleted: number;
  created_at: number;
}

const revisionOf = (row: RevisionRow): Revision => ({
  id: row.id,
  issueId: row.issue_id,
  entryId: row.entry_id ?? undefined,
  userId: row.user_id ?? undefined,
  body: row.body,
  isFirst: row.is_first === 1,
  isDeleted: row.is_deleted === 1,
  createdAt: row.created_at,
});

export function insertRevision(db: Database, given: Omit<Revision, "id" | "isDeleted">): void {
  const sql = `INSERT INTO text_revisions (issue_id, entry_id, user_id, body, is_first, created_at)
    VALUES (?, ?, ?, ?, ?, ?)`;
  const { body, createdAt, entryId, isFirst, issueId, userId } = given;
  db.query(sql).run(issueId, entryId ?? null, userId ?? null, body, isFirst ? 1 : 0, createdAt);
}

/** The oldest first. */
export function revisionsOf(db: Database, issueId: number, entryId: number | undefined): Revision[] {
  const sql = "SELECT * FROM text_revisions WHERE issue_id = ? AND entry_id IS ? ORDER BY id";
  return db
    .query<RevisionRow>(sql)
    .all(issueId, entryId ?? null)
    .map(revisionOf);
}

export function findRevision(db: Database, issueId: number, id: number): Revision | undefined {
  const row = db.query<RevisionRow>("SELECT * FROM text_revisions WHERE id = ? AND issue_id = ?").get(id, issueId);
  return row ? revisionOf(row) : undefined;
}

/** How many each text of an item has, by the comment's number; 0: the item's own. */
export function countRevisions(db: Database, issueId: number): Map<number, number> {
  const sql = `SELECT coalesce(entry_id, 0) AS entryId, count(*) AS count FROM text_revisions
    WHERE issue_id = ? GROUP BY entry_id`;
  return new Map(
    db
      .query<{ entryId: number; count: number }>(sql)
      .all(issueId)
      .map(({ count, entryId }) => [entryId, count]),
  );
}

export function deleteRevision(db: Database, id: number): void {
  db.query("DELETE FROM text_revisions WHERE id = ?").run(id);
}

export function blankRevision(db: Database, id: number): void {
  db.query("UPDATE text_revisions SET body = '', is_deleted = 1 WHERE id = ?").run(id);
}
