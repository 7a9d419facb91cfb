import type { Database } from "../db/database.ts";
import type { ImportCounts, ImportPart, ImportServiceName, ImportStep, RepoImport } from "./types.ts";

interface Row {
  repo_id: number;
  service: string;
  address: string;
  username: string;
  parts: string;
  doer_id: number | null;
  done: string;
  counts: string;
  pull_offset: number;
  waits_until: number | null;
  failure: string;
  is_awaited: number;
  created_at: number;
}

const columns = `repo_id, service, address, username, parts, doer_id, done, counts, pull_offset, waits_until, failure,
  is_awaited, created_at`;

const toImport = (row: Row): RepoImport => ({
  repoId: row.repo_id,
  // All of these were written here.
  service: row.service as ImportServiceName,
  parts: JSON.parse(row.parts) as ImportPart[],
  address: row.address,
  username: row.username,
  doerId: row.doer_id ?? undefined,
  done: JSON.parse(row.done) as ImportStep[],
  counts: JSON.parse(row.counts) as ImportCounts,
  pullOffset: row.pull_offset,
  waitsUntil: row.waits_until ?? undefined,
  failure: row.failure,
  isAwaited: row.is_awaited === 1,
  createdAt: row.created_at,
});

export function findImport(db: Database, repoId: number): RepoImport | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM repository_imports WHERE repo_id = ?`).get(repoId);
  return row ? toImport(row) : undefined;
}

/** Repositories being imported. */
export function importsUnderWay(db: Database): number[] {
  return db
    .query<{ repo_id: number }>("SELECT repo_id FROM repository_imports WHERE failure = ''")
    .all()
    .map((row) => row.repo_id);
}

export function insertImport(
  db: Database,
  entry: Pick<RepoImport, "repoId" | "service" | "address" | "username" | "parts" | "doerId" | "isAwaited">,
  now: number,
): void {
  db.query(
    `INSERT INTO repository_imports (repo_id, service, address, username, parts, doer_id, is_awaited, created_at)
     VALUES ($repoId, $service, $address, $username, $parts, $doerId, $isAwaited, $now)`,
  ).run({
    ...entry,
    parts: JSON.stringify(entry.parts),
    doerId: entry.doerId ?? null,
    isAwaited: Number(entry.isAwaited),
    now,
  });
}

export function setDone(db: Database, repoId: number, done: readonly ImportStep[]): void {
  db.query("UPDATE repository_imports SET done = ? WHERE repo_id = ?").run(JSON.stringify(done), repoId);
}

export function setCounts(db: Database, repoId: number, counts: ImportCounts): void {
  db.query("UPDATE repository_imports SET counts = ? WHERE repo_id = ?").run(JSON.stringify(counts), repoId);
}

export function setPullOffset(db: Database, repoId: number, offset: number): void {
  db.query("UPDATE repository_imports SET pull_offset = ? WHERE repo_id = ?").run(offset, repoId);
}

/** @param until undefined: the import continues */
export function setWaitsUntil(db: Database, repoId: number, until: number | undefined): void {
  db.query("UPDATE repository_imports SET waits_until = ? WHERE repo_id = ?").run(until ?? null, repoId);
}

/** @param failure empty: it is retried */
export function setFailure(db: Database, repoId: number, failure: string): void {
  db.query("UPDATE repository_imports SET failure = ?, waits_until = NULL WHERE repo_id = ?").run(failure, repoId);
}

export function deleteImport(db: Database, repoId: number): void {
  db.query("DELETE FROM repository_imports WHERE repo_id = ?").run(repoId);
}

export const sealedNames = ["password", "token", "lfs_endpoint"] as const;
export type SealedName = (typeof sealedNames)[number];

export function sealedOf(db: Database, repoId: number, name: SealedName): string {
  const row = db
    .query<{ sealed: string }>(`SELECT ${name} AS sealed FROM repository_imports WHERE repo_id = ?`)
    .get(repoId);
  return row?.sealed ?? "";
}

export function setSealed(db: Database, repoId: number, name: SealedName, sealed: string): void {
  db.query(`UPDATE repository_imports SET ${name} = ? WHERE repo_id = ?`).run(sealed, repoId);
}
