import type { Database } from "../db/database.ts";

export interface BlockRow {
  readonly id: number;
  readonly blockedId: number;
  readonly note: string;
  readonly createdAt: number;
}

const columns = "id, blocked_id AS blockedId, note, created_at AS createdAt";

/** Oldest first. */
export function blocksOf(
  db: Database,
  blockerId: number,
  page: { readonly limit: number; readonly offset: number },
): { items: BlockRow[]; total: number } {
  const total = db.query<{ n: number }>("SELECT count(*) AS n FROM blocks WHERE blocker_id = ?").get(blockerId)?.n ?? 0;
  const items = db
    .query<BlockRow>(`SELECT ${columns} FROM blocks WHERE blocker_id = ? ORDER BY id LIMIT ? OFFSET ?`)
    .all(blockerId, page.limit, page.offset);
  return { items, total };
}

export function isBlocked(db: Database, blockerId: number, blockedId: number): boolean {
  return db.query("SELECT 1 FROM blocks WHERE blocker_id = ? AND blocked_id = ?").get(blockerId, blockedId) !== null;
}

/** @returns whether that is new */
export function insertBlock(db: Database, blockerId: number, blockedId: number, note: string, now: number): boolean {
  const sql = "INSERT OR IGNORE INTO blocks (blocker_id, blocked_id, note, created_at) VALUES (?, ?, ?, ?)";
  return db.query(sql).run(blockerId, blockedId, note, now).changes > 0;
}

/** @returns whether there was one */
export function deleteBlock(db: Database, blockerId: number, blockedId: number): boolean {
  return db.query("DELETE FROM blocks WHERE blocker_id = ? AND blocked_id = ?").run(blockerId, blockedId).changes > 0;
}

/** @returns whether there is a block */
export function updateNote(db: Database, blockerId: number, blockedId: number, note: string): boolean {
  const sql = "UPDATE blocks SET note = ? WHERE blocker_id = ? AND blocked_id = ?";
  return db.query(sql).run(note, blockerId, blockedId).changes > 0;
}
