import type { Database } from "../db/database.ts";
import type { LfsObject } from "./types.ts";

const COLUMNS = "id, repo_id AS repoId, oid, size_bytes AS sizeBytes, updated_at AS updatedAt";

/** The total size of a repository's large files. */
export function usedBytes(db: Database, repoId: number): number {
  return db.query<{ lfs: number }>(`SELECT (${lfsBytes("?")}) AS lfs`).get(repoId)?.lfs ?? 0;
}

/** SQL for the total size of the large files of the repository `repo`. */
export const lfsBytes = (repo: string) => `SELECT lfs FROM repository_usage WHERE repo_id = ${repo}`;

export function findObject(db: Database, repoId: number, oid: string): LfsObject | undefined {
  return (
    db.query<LfsObject>(`SELECT ${COLUMNS} FROM lfs_objects WHERE repo_id = ? AND oid = ?`).get(repoId, oid) ??
    undefined
  );
}

/** The objects with these ids that a repository has. */
export function objectsAmong(db: Database, repoId: number, oids: readonly string[]): LfsObject[] {
  return db
    .query<LfsObject>(
      `SELECT ${COLUMNS} FROM lfs_objects WHERE repo_id = ? AND oid IN (SELECT value FROM json_each(?))`,
    )
    .all(repoId, JSON.stringify(oids));
}

export function hasObjects(db: Database, repoId: number): boolean {
  return db.query("SELECT 1 FROM lfs_objects WHERE repo_id = ? LIMIT 1").get(repoId) !== null;
}

/** Newest first. */
export function listObjects(db: Database, repoId: number, limit: number, offset: number): LfsObject[] {
  return db
    .query<LfsObject>(`SELECT ${COLUMNS} FROM lfs_objects WHERE repo_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`)
    .all(repoId, limit, offset);
}

/** By id, those after `after`. */
export function objectsAfter(db: Database, repoId: number, after: number, limit: number): LfsObject[] {
  return db
    .query<LfsObject>(`SELECT ${COLUMNS} FROM lfs_objects WHERE repo_id = ? AND id > ? ORDER BY id LIMIT ?`)
    .all(repoId, after, limit);
}

export function objectTotals(db: Database, repoId: number): { count: number; bytes: number } {
  const sql = "SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes FROM lfs_objects WHERE repo_id = ?";
  return db.query<{ count: number; bytes: number }>(sql).get(repoId) ?? { count: 0, bytes: 0 };
}

/** Existing ones stay as they are. The database's triggers count it and reference its blob. */
export function insertObject(db: Database, { repoId, oid, sizeBytes, updatedAt }: Omit<LfsObject, "id">): void {
  db.query(
    "INSERT INTO lfs_objects (repo_id, oid, size_bytes, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
  ).run(repoId, oid, sizeBytes, updatedAt);
}

/** The next ids after `after`. */
export function oidsAfter(db: Database, repoId: number, after: string, limit: number): string[] {
  return db
    .query<{ oid: string }>("SELECT oid FROM lfs_objects WHERE repo_id = ? AND oid > ? ORDER BY oid LIMIT ?")
    .all(repoId, after, limit)
    .map(({ oid }) => oid);
}

/** The id of the latest one; 0: there are none. */
export function lastNumber(db: Database, repoId: number): number {
  const sql = "SELECT coalesce(max(id), 0) AS last FROM lfs_objects WHERE repo_id = ?";
  return db.query<{ last: number }>(sql).get(repoId)?.last ?? 0;
}

/** Copies the objects with these ids from one repository to another. */
export function copyObjectsNamed(
  db: Database,
  { fromRepoId, toRepoId, oids, now }: { fromRepoId: number; toRepoId: number; oids: readonly string[]; now: number },
): void {
  db.query(
    `INSERT INTO lfs_objects (repo_id, oid, size_bytes, updated_at)
     SELECT ?, oid, size_bytes, ? FROM lfs_objects WHERE repo_id = ? AND oid IN (SELECT value FROM json_each(?))
     ON CONFLICT DO NOTHING`,
  ).run(toRepoId, now, fromRepoId, JSON.stringify(oids));
}

/** The total size of the objects with these ids that one repository has and the other lacks. */
export function bytesToCopy(db: Database, fromRepoId: number, toRepoId: number, oids: readonly string[]): number {
  const sql = `SELECT coalesce(sum(size_bytes), 0) AS bytes FROM lfs_objects WHERE repo_id = ?
    AND oid IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM lfs_objects AS theirs WHERE theirs.repo_id = ? AND theirs.oid = lfs_objects.oid)`;
  return db.query<{ bytes: number }>(sql).get(fromRepoId, JSON.stringify(oids), toRepoId)?.bytes ?? 0;
}

/** The first repositories that have an object, up to the limit. */
export function reposWith(db: Database, oid: string, limit: number): number[] {
  return db
    .query<{ id: number }>("SELECT repo_id AS id FROM lfs_objects WHERE oid = ? ORDER BY repo_id LIMIT ?")
    .all(oid, limit)
    .map(({ id }) => id);
}

/** Marks the objects with these ids as relied upon by clients, unless last marked at or after `before`. */
export function touchObjects(db: Database, repoId: number, oids: readonly string[], before: number, now: number): void {
  db.query(
    `UPDATE lfs_objects SET updated_at = $now WHERE repo_id = $repoId AND updated_at < $before
       AND oid IN (SELECT value FROM json_each($oids))`,
  ).run({ now, repoId, before, oids: JSON.stringify(oids) });
}

/** @returns whether it existed */
export function deleteObject(db: Database, repoId: number, oid: string): boolean {
  return db.query("DELETE FROM lfs_objects WHERE repo_id = ? AND oid = ?").run(repoId, oid).changes > 0;
}

/** Repositories that have objects, by id, after `after`. */
export function reposWithObjects(db: Database, after: number, limit: number): number[] {
  return db
    .query<{ id: number }>("SELECT DISTINCT repo_id AS id FROM lfs_objects WHERE repo_id > ? ORDER BY repo_id LIMIT ?")
    .all(after, limit)
    .map(({ id }) => id);
}
