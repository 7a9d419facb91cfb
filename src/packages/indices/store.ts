import type { Database } from "../../db/database.ts";
import { type FileRow, fileColumns, fileOf } from "../rows.ts";
import type { Viewer } from "../store.ts";
import type { PackageFile, PackageType } from "../types.ts";

/** The packages of one owner and type that an index may contain. */
export interface Indexed {
  readonly ownerId: number;
  readonly type: PackageType;
  /** Private repositories whose packages it also contains. */
  readonly repoIds: readonly number[];
}

/** A published file with its package. */
export interface IndexedFile extends PackageFile {
  readonly packageName: string;
  readonly version: string;
  /** The version's metadata, as JSON. */
  readonly metadata: string | null;
}

const from = `FROM package_files
  JOIN package_versions ON package_versions.id = package_files.version_id AND package_versions.is_internal = 0
  JOIN packages ON packages.id = package_versions.package_id AND packages.type = $type AND packages.is_internal = 0
  LEFT JOIN repositories ON repositories.id = packages.repo_id`;
const isVisible = `(repositories.id IS NULL OR repositories.binned_at IS NOT NULL OR repositories.is_private = 0
  OR repositories.id IN (SELECT value FROM json_each($repoIds)))`;

const paramsOf = ({ ownerId, repoIds, type }: Indexed) => ({ ownerId, type, repoIds: JSON.stringify(repoIds) });

/** Files of a part, in the order they were published, starting after the given one. */
export function filesOfPart(db: Database, indexed: Indexed, part: string, after: number, limit: number): IndexedFile[] {
  const sql = `SELECT ${fileColumns}, packages.name AS packageName, package_versions.version,
      package_versions.metadata ${from}
      JOIN package_blobs ON package_blobs.sha256 = package_files.sha256
    WHERE package_files.owner_id = $ownerId AND package_files.composite_key = $part AND package_files.id > $after
      AND ${isVisible} ORDER BY package_files.id LIMIT $limit`;
  return db
    .query<FileRow & Pick<IndexedFile, "metadata" | "packageName" | "version">>(sql)
    .all({ ...paramsOf(indexed), part, after, limit })
    .map((row) => ({ ...row, ...fileOf(row) }));
}

export function countOfPart(db: Database, indexed: Indexed, part: string): number {
  const sql = `SELECT count(*) AS n ${from}
    WHERE package_files.owner_id = $ownerId AND package_files.composite_key = $part AND ${isVisible}`;
  return db.query<{ n: number }>(sql).get({ ...paramsOf(indexed), part })?.n ?? 0;
}

/** The parts that have files, in order. */
export function partsOf(db: Database, indexed: Indexed): string[] {
  const sql = `SELECT DISTINCT package_files.composite_key AS part ${from}
    WHERE packages.owner_id = $ownerId AND ${isVisible} ORDER BY part`;
  return db
    .query<{ part: string }>(sql)
    .all(paramsOf(indexed))
    .map(({ part }) => part);
}

/** Private repositories with packages of a type that a viewer may see; all of them for viewers who see everything. */
export function privateReposOf(db: Database, ownerId: number, type: PackageType, viewer: Viewer): number[] {
  const sql = `SELECT DISTINCT repositories.id FROM packages JOIN repositories ON repositories.id = packages.repo_id
      JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE packages.owner_id = $ownerId AND packages.type = $type AND packages.latest_version_id IS NOT NULL
      AND repositories.is_private = 1 AND repositories.binned_at IS NULL AND ${viewer.isVisible} ORDER BY repositories.id`;
  return db
    .query<{ id: number }>(sql)
    .all({ ...viewer.params, ownerId, type })
    .map(({ id }) => id);
}

/** Whether packages of a type belong to private repositories. */
export function hasPrivate(db: Database, ownerId: number, type: PackageType): boolean {
  const sql = `SELECT 1 FROM packages JOIN repositories ON repositories.id = packages.repo_id
    WHERE packages.owner_id = ? AND packages.type = ? AND packages.latest_version_id IS NOT NULL
      AND repositories.is_private = 1 AND repositories.binned_at IS NULL LIMIT 1`;
  return db.query(sql).get(ownerId, type) !== null;
}

/** Records that the contents of a part have changed. */
export function noteChange(db: Database, ownerId: number, type: PackageType, part: string): void {
  db.query("INSERT OR REPLACE INTO package_index_changes (owner_id, type, part) VALUES (?, ?, ?)").run(
    ownerId,
    type,
    part,
  );
}

/** Parts that changed since the given change. */
export function changesSince(
  db: Database,
  { ownerId, type }: Pick<Indexed, "ownerId" | "type">,
  upTo: number,
): { readonly id: number; readonly part: string }[] {
  const sql = "SELECT id, part FROM package_index_changes WHERE owner_id = ? AND type = ? AND id > ? ORDER BY id";
  return db.query<{ id: number; part: string }>(sql).all(ownerId, type, upTo);
}

/** A file with a composite key and the given hash, whatever its name. @param algorithm a column */
export function fileByHash(
  db: Database,
  versionId: number,
  compositeKey: string,
  algorithm: "md5" | "sha1" | "sha256" | "sha512",
  hash: string,
): PackageFile | undefined {
  const sql = `SELECT ${fileColumns} FROM package_files JOIN package_blobs ON package_blobs.sha256 = package_files.sha256
    WHERE package_files.version_id = ? AND package_files.composite_key = ? AND package_blobs.${algorithm} = ? LIMIT 1`;
  const row = db.query<FileRow>(sql).get(versionId, compositeKey, hash);
  return row ? fileOf(row) : undefined;
}

/** Frees a file's name for its replacement, and keeps the file for a while. */
export function retireFile(db: Database, { id, name }: PackageFile, retiredName: string, now: number): void {
  if (name === retiredName) return;
  db.query("UPDATE package_files SET name = ?, lower_name = ?, created_at = ? WHERE id = ?").run(
    retiredName,
    retiredName.toLowerCase(),
    now,
    id,
  );
}

export function setFileTime(
  db: Database,
  versionId: number,
  { compositeKey, name }: Pick<PackageFile, "compositeKey" | "name">,
  at: number,
): void {
  db.query("UPDATE package_files SET created_at = ? WHERE version_id = ? AND lower_name = ? AND composite_key = ?").run(
    at,
    versionId,
    name.toLowerCase(),
    compositeKey,
  );
}

/** Deletes files of a version that were replaced before the given time. */
export function deleteRetired(db: Database, versionId: number, pattern: string, before: number): void {
  db.query("DELETE FROM package_files WHERE version_id = ? AND lower_name GLOB ? AND created_at < ?").run(
    versionId,
    pattern,
    before,
  );
}

/**
 * Deletes indices with private packages that were first built before the given time, up to `limit`.
 * @returns how many were deleted
 */
export function deletePrivateIndices(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM package_versions WHERE id IN (
    SELECT id FROM package_versions WHERE is_internal = 1 AND version GLOB '_repository:*' AND created_at < ? LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}
