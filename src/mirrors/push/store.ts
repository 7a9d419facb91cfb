import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { isDue } from "../interval.ts";
import type { PushMirror } from "./types.ts";

interface Row {
  id: number;
  repo_id: number;
  remote_name: string;
  address: string;
  username: string;
  has_password: number;
  interval_ms: number;
  sync_on_commit: number;
  branches: string;
  next_at: number | null;
  pushed_at: number | null;
  failures: number;
  last_error: string;
  created_at: number;
}

const columns = `id, repo_id, remote_name, address, username, password <> '' AS has_password, interval_ms,
  sync_on_commit, branches, next_at, pushed_at, failures, last_error, created_at`;

const toMirror = (row: Row): PushMirror => ({
  id: row.id,
  repoId: row.repo_id,
  remoteName: row.remote_name,
  address: row.address,
  username: row.username,
  hasPassword: row.has_password === 1,
  intervalMs: row.interval_ms,
  syncOnCommit: row.sync_on_commit === 1,
  branches: row.branches === "" ? [] : row.branches.split(","),
  nextAt: row.next_at ?? undefined,
  pushedAt: row.pushed_at ?? undefined,
  failures: row.failures,
  lastError: row.last_error,
  createdAt: row.created_at,
});

export function findPushMirror(db: Database, id: number): PushMirror | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM push_mirrors WHERE id = ?`).get(id);
  return row ? toMirror(row) : undefined;
}

export function pushMirrorNamed(db: Database, repoId: number, remoteName: string): PushMirror | undefined {
  const sql = `SELECT ${columns} FROM push_mirrors WHERE remote_name = ? AND repo_id = ?`;
  const row = db.query<Row>(sql).get(remoteName, repoId);
  return row ? toMirror(row) : undefined;
}

/** Oldest first. */
export function pushMirrorsOf(
  db: Database,
  repoId: number,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<PushMirror> {
  const sql = `SELECT ${columns} FROM push_mirrors WHERE repo_id = ? ORDER BY id LIMIT ? OFFSET ?`;
  return { items: db.query<Row>(sql).all(repoId, limit, offset).map(toMirror), total: countPushMirrors(db, repoId) };
}

export function countPushMirrors(db: Database, repoId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM push_mirrors WHERE repo_id = ?").get(repoId)?.n ?? 0;
}

/** Mirrors that are pushed to on every change of a repository. */
export function mirrorsOnCommit(db: Database, repoId: number): number[] {
  return db
    .query<{ id: number }>("SELECT id FROM push_mirrors WHERE repo_id = ? AND sync_on_commit = 1 ORDER BY id")
    .all(repoId)
    .map(({ id }) => id);
}

export function duePushMirrors(db: Database, now: number, limit: number): number[] {
  return db
    .query<{ id: number }>(
      `SELECT id FROM push_mirrors WHERE next_at IS NOT NULL AND (${isDue}) ORDER BY next_at LIMIT $limit`,
    )
    .all({ now, limit })
    .map(({ id }) => id);
}

/** @returns its id; the password is sealed for it afterwards */
export function insertPushMirror(
  db: Database,
  mirror: Pick<
    PushMirror,
    "repoId" | "remoteName" | "address" | "username" | "intervalMs" | "syncOnCommit" | "branches" | "nextAt"
  >,
  now: number,
): number {
  const sql = `INSERT INTO push_mirrors (repo_id, remote_name, address, username, interval_ms, sync_on_commit, branches,
      next_at, created_at)
    VALUES ($repoId, $remoteName, $address, $username, $intervalMs, $syncOnCommit, $branches, $nextAt, $now) RETURNING id`;
  const row = db.query<{ id: number }>(sql).get({
    ...mirror,
    syncOnCommit: Number(mirror.syncOnCommit),
    branches: mirror.branches.join(","),
    nextAt: mirror.nextAt ?? null,
    now,
  });
  if (!row) throw new Error("a row was inserted and is not there");
  return row.id;
}

export function updatePushMirror(db: Database, { id, intervalMs, syncOnCommit, branches, nextAt }: PushMirror): void {
  const sql = `UPDATE push_mirrors SET interval_ms = $intervalMs, sync_on_commit = $syncOnCommit, branches = $branches,
      next_at = $nextAt WHERE id = $id`;
  const values = { syncOnCommit: Number(syncOnCommit), branches: branches.join(","), nextAt: nextAt ?? null };
  db.query(sql).run({ id, intervalMs, ...values });
}

/** Records the result of a push. */
export function recordPush(
  db: Database,
  id: number,
  { failures, lastError, nextAt }: Pick<PushMirror, "failures" | "lastError" | "nextAt">,
  now: number,
): void {
  const sql = `UPDATE push_mirrors SET failures = $failures, last_error = $lastError, next_at = $nextAt, pushed_at = $now
    WHERE id = $id`;
  db.query(sql).run({ id, failures, lastError, nextAt: nextAt ?? null, now });
}

export function sealedPassword(db: Database, id: number): string {
  return db.query<{ password: string }>("SELECT password FROM push_mirrors WHERE id = ?").get(id)?.password ?? "";
}

export function setSealedPassword(db: Database, id: number, sealed: string): void {
  db.query("UPDATE push_mirrors SET password = ? WHERE id = ?").run(sealed, id);
}

export function deletePushMirror(db: Database, id: number): void {
  db.query("DELETE FROM push_mirrors WHERE id = ?").run(id);
}
