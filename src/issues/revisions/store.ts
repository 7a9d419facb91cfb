import type { Database } from "../../db/database.ts";

/** A version of a text: an item's, or a comment's. */
export interface Revision {
  readonly id: number;
  readonly issueId: number;
  /** Undefined: the item's text. */
  readonly entryId: number | undefined;
  /** Author of this version; undefined if the account was deleted. */
  readonly userId: number | undefined;
  readonly body: string;
  readonly isFirst: boolean;
  /** Its text was deleted. */
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

/** Oldest first. */
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

/** Number of revisions per text of an item, by comment id; 0: the item's text. */
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
