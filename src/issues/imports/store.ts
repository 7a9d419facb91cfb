import type { Database } from "../../db/database.ts";

/** Columns that only imported items can set. */
export interface ImportedRow {
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly isClosed: boolean;
  readonly closedAt: number | undefined;
  readonly isLocked: boolean;
  readonly updatedAt: number;
  readonly comments: number;
}

/** Which of these numbers are taken in a repository. */
export function usedNumbers(db: Database, repoId: number, numbers: readonly number[]): number[] {
  const sql = `SELECT number FROM issues WHERE repo_id = ? AND number IN (SELECT value FROM json_each(?))
    UNION SELECT number FROM deleted_items WHERE repo_id = ? AND number IN (SELECT value FROM json_each(?))`;
  const list = JSON.stringify(numbers);
  return db
    .query<{ number: number }>(sql)
    .all(repoId, list, repoId, list)
    .map(({ number }) => number);
}

/** Marks numbers up to this one as taken: the next one comes after it. */
export function raiseNumber(db: Database, repoId: number, number: number): void {
  db.query(
    `INSERT INTO issue_numbers (repo_id, last) VALUES (?, ?)
     ON CONFLICT (repo_id) DO UPDATE SET last = max(last, excluded.last)`,
  ).run(repoId, number);
}

/** An item that is not completely imported. */
export interface UnfinishedItem {
  readonly id: number;
  readonly number: number;
  /** How many have been imported so far, from the first. */
  readonly comments: number;
  readonly reviews: number;
}

export function unfinishedAmong(db: Database, repoId: number, numbers: readonly number[]): UnfinishedItem[] {
  return db
    .query<UnfinishedItem>(
      `SELECT issues.id, issues.number, unfinished_items.comments, unfinished_items.reviews
       FROM issues JOIN unfinished_items ON issue_id = issues.id
       WHERE repo_id = ? AND number IN (SELECT value FROM json_each(?))`,
    )
    .all(repoId, JSON.stringify(numbers));
}

export function setUnfinished(db: Database, { comments, id, reviews }: Omit<UnfinishedItem, "number">): void {
  db.query(
    `INSERT INTO unfinished_items (issue_id, comments, reviews) VALUES ($id, $comments, $reviews)
     ON CONFLICT (issue_id) DO UPDATE SET comments = excluded.comments, reviews = excluded.reviews`,
  ).run({ id, comments, reviews });
}

export function setFinished(db: Database, issueId: number): void {
  db.query("DELETE FROM unfinished_items WHERE issue_id = ?").run(issueId);
}

export function setImported(db: Database, issueId: number, row: ImportedRow): void {
  db.query(
    `UPDATE issues SET original_author = $originalAuthor, original_author_id = $originalAuthorId, is_closed = $isClosed,
       closed_at = $closedAt, is_locked = $isLocked, updated_at = $updatedAt, comments = $comments WHERE id = $id`,
  ).run({
    ...row,
    id: issueId,
    isClosed: row.isClosed ? 1 : 0,
    closedAt: row.closedAt ?? null,
    isLocked: row.isLocked ? 1 : 0,
  });
}
