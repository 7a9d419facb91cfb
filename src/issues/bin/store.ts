import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";

/** An entry in the bin. */
export interface DeletedRow {
  readonly id: number;
  readonly repoId: number;
  readonly issueId: number;
  /** Set if only a comment was deleted; `null`: the item. */
  readonly entryId: number | null;
  readonly number: number;
  readonly isPull: number;
  readonly title: string;
  readonly excerpt: string;
  readonly deletedBy: number | null;
  readonly deletedAt: number;
}

const columns = `id, repo_id AS repoId, issue_id AS issueId, entry_id AS entryId, number, is_pull AS isPull, title, excerpt,
  deleted_by AS deletedBy, deleted_at AS deletedAt`;

/** What can be restored: an item, or a comment whose item still exists. */
const isRestorable = "(entry_id IS NULL OR EXISTS (SELECT 1 FROM issues WHERE issues.id = deleted_items.issue_id))";

export function insertDeleted(db: Database, row: Omit<DeletedRow, "id">): number {
  const sql = `INSERT INTO deleted_items
      (repo_id, issue_id, entry_id, number, is_pull, title, excerpt, deleted_by, deleted_at)
    VALUES ($repoId, $issueId, $entryId, $number, $isPull, $title, $excerpt, $deletedBy, $deletedAt) RETURNING id`;
  const made = db.query<{ id: number }>(sql).get({ ...row });
  if (!made) throw new Error("an inserted row has an id");
  return made.id;
}

export function findDeleted(db: Database, repoId: number, id: number): DeletedRow | undefined {
  const sql = `SELECT ${columns} FROM deleted_items WHERE id = ? AND repo_id = ? AND ${isRestorable}`;
  return db.query<DeletedRow>(sql).get(id, repoId) ?? undefined;
}

/** Most recently deleted first. */
export function listDeleted(
  db: Database,
  repoId: number,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<DeletedRow> {
  const where = `repo_id = $repo AND ${isRestorable}`;
  const sql = `SELECT ${columns} FROM deleted_items WHERE ${where}
    ORDER BY deleted_at DESC, id DESC LIMIT $limit OFFSET $offset`;
  const items = db.query<DeletedRow>(sql).all({ repo: repoId, limit, offset });
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM deleted_items WHERE ${where}`).get({ repo: repoId });
  return { items, total: total?.n ?? 0 };
}

/** A trigger also deletes those of its files that no restored row uses. */
export function forgetDeleted(db: Database, id: number): void {
  db.query("DELETE FROM deleted_items WHERE id = ?").run(id);
}

/** @returns how many */
export function forgetDeletedBefore(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM deleted_items WHERE id IN
    (SELECT id FROM deleted_items WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}

/** The uuids of its attachments. */
export function filesOf(db: Database, id: number): string[] {
  const sql = `SELECT content ->> '$.uuid' AS uuid FROM deleted_rows WHERE deleted_id = ? AND table_name = 'attachments'`;
  return db
    .query<{ uuid: string }>(sql)
    .all(id)
    .map(({ uuid }) => uuid);
}

/** Whether the root row exists again. */
export function isBack(db: Database, { entryId, issueId }: DeletedRow): boolean {
  const sql = entryId === null ? "SELECT 1 FROM issues WHERE id = ?" : "SELECT 1 FROM timeline WHERE id = ?";
  return db.query(sql).get(entryId ?? issueId) !== null;
}
