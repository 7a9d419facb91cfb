import type { Database } from "../../db/database.ts";
import { isDue } from "../interval.ts";
import type { PullMirror } from "./types.ts";

interface Row {
  repo_id: number;
  address: string;
  username: string;
  has_password: number;
  interval_ms: number;
  prunes: number;
  has_wiki: number;
  has_lfs: number;
  lfs_is_whole: number;
  next_at: number | null;
  synced_at: number | null;
  changed_at: number;
  failures: number;
  last_error: string;
}

const columns = `repo_id, address, username, password <> '' AS has_password, interval_ms, prunes, has_wiki, has_lfs,
  lfs_is_whole, next_at, synced_at, changed_at, failures, last_error`;

const toMirror = (row: Row): PullMirror => ({
  repoId: row.repo_id,
  address: row.address,
  username: row.username,
  hasPassword: row.has_password === 1,
  intervalMs: row.interval_ms,
  prunes: row.prunes === 1,
  hasWiki: row.has_wiki === 1,
  hasLfs: row.has_lfs === 1,
  lfsIsWhole: row.lfs_is_whole === 1,
  nextAt: row.next_at ?? undefined,
  syncedAt: row.synced_at ?? undefined,
  changedAt: row.changed_at,
  failures: row.failures,
  lastError: row.last_error,
});

/** SQL for the mirror fields in the resource of the repository whose id is the expression `repo`. */
export const mirrorTimes = (repo: string) =>
  `SELECT coalesce((SELECT json_array(interval_ms, changed_at, synced_at) FROM pull_mirrors WHERE repo_id = ${repo}), '[]')`;

export function findPullMirror(db: Database, repoId: number): PullMirror | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM pull_mirrors WHERE repo_id = ?`).get(repoId);
  return row ? toMirror(row) : undefined;
}

/** Repositories whose mirroring is due, up to the limit. */
export function duePullMirrors(db: Database, now: number, limit: number): number[] {
  return db
    .query<{ repo_id: number }>(
      `SELECT repo_id FROM pull_mirrors WHERE next_at IS NOT NULL AND (${isDue}) ORDER BY next_at LIMIT $limit`,
    )
    .all({ now, limit })
    .map((row) => row.repo_id);
}

export function insertPullMirror(
  db: Database,
  mirror: Pick<PullMirror, "repoId" | "address" | "username" | "intervalMs" | "hasWiki" | "hasLfs" | "nextAt">,
  now: number,
): void {
  db.query(
    `INSERT INTO pull_mirrors (repo_id, address, username, interval_ms, prunes, has_wiki, has_lfs, next_at,
       changed_at)
     VALUES ($repoId, $address, $username, $intervalMs, 1, $hasWiki, $hasLfs, $nextAt, $now)`,
  ).run({
    ...mirror,
    hasWiki: Number(mirror.hasWiki),
    hasLfs: Number(mirror.hasLfs),
    nextAt: mirror.nextAt ?? null,
    now,
  });
}

export function updatePullMirror(db: Database, mirror: PullMirror, now: number): void {
  db.query(
    `UPDATE pull_mirrors SET address = $address, username = $username, interval_ms = $intervalMs, prunes = $prunes,
       has_wiki = $hasWiki, has_lfs = $hasLfs, next_at = $nextAt, changed_at = $now WHERE repo_id = $repoId`,
  ).run({
    repoId: mirror.repoId,
    address: mirror.address,
    username: mirror.username,
    intervalMs: mirror.intervalMs,
    prunes: Number(mirror.prunes),
    hasWiki: Number(mirror.hasWiki),
    hasLfs: Number(mirror.hasLfs),
    nextAt: mirror.nextAt ?? null,
    now,
  });
}

/** Records whether all large files that the refs name have been requested. */
export function setLfsWhole(db: Database, repoId: number, isWhole: boolean): void {
  db.query("UPDATE pull_mirrors SET lfs_is_whole = ? WHERE repo_id = ?").run(isWhole ? 1 : 0, repoId);
}

/** Records the result of a sync. */
export function recordSync(
  db: Database,
  repoId: number,
  result: Pick<PullMirror, "failures" | "lastError" | "nextAt" | "syncedAt">,
  now: number,
): void {
  db.query(
    `UPDATE pull_mirrors SET failures = $failures, last_error = $lastError, next_at = $nextAt, synced_at = $syncedAt,
       changed_at = $now WHERE repo_id = $repoId`,
  ).run({ ...result, nextAt: result.nextAt ?? null, syncedAt: result.syncedAt ?? null, repoId, now });
}

export const sealedNames = ["password", "lfs_endpoint"] as const;
export type SealedName = (typeof sealedNames)[number];

export function sealedOf(db: Database, repoId: number, name: SealedName): string {
  const sql = `SELECT ${name} AS sealed FROM pull_mirrors WHERE repo_id = ?`;
  return db.query<{ sealed: string }>(sql).get(repoId)?.sealed ?? "";
}

export function setSealed(db: Database, repoId: number, name: SealedName, sealed: string): void {
  db.query(`UPDATE pull_mirrors SET ${name} = ? WHERE repo_id = ?`).run(sealed, repoId);
}

export function deletePullMirror(db: Database, repoId: number): void {
  db.query("DELETE FROM pull_mirrors WHERE repo_id = ?").run(repoId);
}
