import type { Database } from "../../db/database.ts";
import type { LfsLock } from "../types.ts";

const COLUMNS = "id, repo_id AS repoId, path, owner_id AS ownerId, created_at AS createdAt";

/** Case does not distinguish files: some file systems ignore it. */
const lower = (path: string) => path.toLowerCase();

export function findLock(db: Database, repoId: number, id: number): LfsLock | undefined {
  return (
    db.query<LfsLock>(`SELECT ${COLUMNS} FROM lfs_locks WHERE repo_id = ? AND id = ?`).get(repoId, id) ?? undefined
  );
}

export function lockOn(db: Database, repoId: number, path: string): LfsLock | undefined {
  const sql = `SELECT ${COLUMNS} FROM lfs_locks WHERE repo_id = ? AND lower_path = ?`;
  return db.query<LfsLock>(sql).get(repoId, lower(path)) ?? undefined;
}

/** Oldest first. */
export function listLocks(db: Database, repoId: number, limit: number, offset: number): LfsLock[] {
  return db
    .query<LfsLock>(`SELECT ${COLUMNS} FROM lfs_locks WHERE repo_id = ? ORDER BY id LIMIT ? OFFSET ?`)
    .all(repoId, limit, offset);
}

export function countLocks(db: Database, repoId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM lfs_locks WHERE repo_id = ?").get(repoId)?.n ?? 0;
}

export function insertLock(db: Database, { repoId, path, ownerId, createdAt }: Omit<LfsLock, "id">): LfsLock {
  const sql = `INSERT INTO lfs_locks (repo_id, path, lower_path, owner_id, created_at) VALUES (?, ?, ?, ?, ?)
    RETURNING ${COLUMNS}`;
  const made = db.query<LfsLock>(sql).get(repoId, path, lower(path), ownerId, createdAt);
  if (!made) throw new Error("a lock was not inserted");
  return made;
}

export function deleteLock(db: Database, repoId: number, id: number): void {
  db.query("DELETE FROM lfs_locks WHERE repo_id = ? AND id = ?").run(repoId, id);
}
