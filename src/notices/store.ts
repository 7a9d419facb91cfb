import type { Database } from "../db/database.ts";

export interface NoticeRow {
  readonly id: number;
  readonly kind: string;
  /** JSON */
  readonly facts: string;
  readonly createdAt: number;
}

export function insertNotice(db: Database, kind: string, facts: string, now: number): void {
  db.query("INSERT INTO notices (kind, facts, created_at) VALUES (?, ?, ?)").run(kind, facts, now);
}

/** Newest first. */
export function listNotices(
  db: Database,
  page: { readonly limit: number; readonly offset: number },
): { items: NoticeRow[]; total: number } {
  const total = db.query<{ n: number }>("SELECT count(*) AS n FROM notices").get()?.n ?? 0;
  const items = db
    .query<NoticeRow>("SELECT id, kind, facts, created_at AS createdAt FROM notices ORDER BY id DESC LIMIT ? OFFSET ?")
    .all(page.limit, page.offset);
  return { items, total };
}

export function deleteNotices(db: Database, ids: readonly number[]): void {
  db.query("DELETE FROM notices WHERE id IN (SELECT value FROM json_each(?))").run(JSON.stringify(ids));
}

/** @param upTo the last one to delete: those added after it was viewed stay */
export function deleteNoticesUpTo(db: Database, upTo: number): void {
  db.query("DELETE FROM notices WHERE id <= ?").run(upTo);
}

/** Deletes notices from before that time, up to the limit. @returns how many */
export function deleteNoticesBefore(db: Database, before: number, limit: number): number {
  return db
    .query("DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE created_at < ? ORDER BY created_at LIMIT ?)")
    .run(before, limit).changes;
}
