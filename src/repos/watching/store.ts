import type { Database } from "../../db/database.ts";

export function addWatch(db: Database, repoId: number, userId: number, now: number): void {
  db.query("INSERT OR IGNORE INTO watches (repo_id, user_id, created_at) VALUES (?, ?, ?)").run(repoId, userId, now);
}

export function removeWatch(db: Database, repoId: number, userId: number): void {
  db.query("DELETE FROM watches WHERE repo_id = ? AND user_id = ?").run(repoId, userId);
}

export function removeWatchesOf(db: Database, repoId: number): void {
  db.query("DELETE FROM watches WHERE repo_id = ?").run(repoId);
}
