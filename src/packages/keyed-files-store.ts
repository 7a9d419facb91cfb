import type { Database } from "../db/database.ts";
import { type FileRow, fileColumns, fileOf } from "./rows.ts";
import { fromVersions, type Viewer } from "./store.ts";
import type { PackageFile, PackageType } from "./types.ts";

/** Files by their composite keys. */

/** Files of a version with the given composite key, by name. */
export function filesWithKey(db: Database, versionId: number, key: string): PackageFile[] {
  return db
    .query<FileRow>(
      `SELECT ${fileColumns} FROM package_files
         JOIN package_blobs ON package_blobs.sha256 = package_files.sha256 WHERE package_files.version_id = $versionId
         AND package_files.composite_key = $key AND package_files.composite_key <> ''
       ORDER BY package_files.lower_name`,
    )
    .all({ versionId, key })
    .map(fileOf);
}

/** Files of a version with the given name and one of the composite keys. */
export function filesWithKeys(db: Database, versionId: number, name: string, keys: readonly string[]): PackageFile[] {
  return db
    .query<FileRow>(
      `SELECT ${fileColumns} FROM json_each($keys) AS asked
         CROSS JOIN package_files ON package_files.version_id = $versionId AND package_files.lower_name = $name
           AND package_files.composite_key = asked.value
         JOIN package_blobs ON package_blobs.sha256 = package_files.sha256`,
    )
    .all({ versionId, name: name.toLowerCase(), keys: JSON.stringify(keys) })
    .map(fileOf);
}

/** A composite key with its newest file. */
export interface KeyTime {
  readonly key: string;
  readonly newestAt: number;
  readonly newestFileId: number;
}

/** The range of keys that begin with the given one and `|`: from inclusive, to exclusive. */
const below = (key: string) => ({ from: `${key}|`, to: `${key}}` });

/** Composite keys of a version that begin with the given one and `|`, in order. */
export function keysBelow(db: Database, versionId: number, key: string): KeyTime[] {
  const sql = `SELECT composite_key AS key, max(created_at) AS newestAt, max(id) AS newestFileId FROM package_files
    WHERE version_id = $versionId AND composite_key <> '' AND composite_key >= $from AND composite_key < $to
    GROUP BY composite_key ORDER BY composite_key`;
  return db.query<KeyTime>(sql).all({ versionId, ...below(key) });
}

/**
 * Deletes files whose composite key is the given one or begins with it and `|`; if it ends with `|`, only the latter.
 */
export function deleteFilesUnder(db: Database, versionId: number, key: string): number {
  const sql = `DELETE FROM package_files WHERE version_id = $versionId AND composite_key <> ''
    AND (composite_key = $key OR (composite_key >= $from AND composite_key < $to))`;
  return db.query(sql).run({ versionId, key, ...below(key.replace(/\|$/, "")) }).changes;
}

/** Where a file with a given name is found. */
export interface FilePlace {
  readonly name: string;
  readonly version: string;
  readonly compositeKey: string;
}

/** Files with the given name in an owner's packages of one type, by package. @param name undefined: any package */
export function placesOfFile(
  db: Database,
  ownerId: number,
  type: PackageType,
  { file, name }: { readonly file: string; readonly name: string | undefined },
  viewer: Viewer,
): FilePlace[] {
  const sql = `SELECT packages.name, package_versions.version, package_files.composite_key AS compositeKey ${fromVersions}
      JOIN package_files ON package_files.version_id = package_versions.id AND package_files.lower_name = $file
    WHERE packages.owner_id = $ownerId AND packages.type = $type AND packages.is_internal = 0
      AND ($name IS NULL OR packages.lower_name = $name)
      AND package_versions.is_internal = 0 AND ${viewer.isVisible}
    ORDER BY packages.lower_name, package_versions.id, package_files.composite_key`;
  return db
    .query<FilePlace>(sql)
    .all({ ...viewer.params, ownerId, type, file: file.toLowerCase(), name: name?.toLowerCase() ?? null });
}

/** The fields of a file that an index lists. */
export type ListedFile = Pick<PackageFile, "id" | "md5" | "name" | "sha256" | "sizeBytes">;

/**
 * Files with that composite key in an owner's packages of a type, by package; only packages whose names have the prefix
 * and no slash after it.
 */
export function filesInFolder(
  db: Database,
  ownerId: number,
  type: PackageType,
  { compositeKey, prefix }: { readonly prefix: string; readonly compositeKey: string },
  viewer: Viewer,
): ListedFile[] {
  const sql = `SELECT package_files.id, package_files.name, package_files.size_bytes AS sizeBytes, package_blobs.sha256,
      package_blobs.md5 ${fromVersions}
      JOIN package_files ON package_files.version_id = package_versions.id
        AND package_files.composite_key = $compositeKey AND package_files.composite_key <> ''
      JOIN package_blobs ON package_blobs.sha256 = package_files.sha256
    WHERE packages.owner_id = $ownerId AND packages.type = $type AND packages.is_internal = 0
      AND substr(packages.lower_name, 1, length($prefix)) = $prefix
      AND instr(substr(packages.lower_name, length($prefix) + 1), '/') = 0
      AND package_versions.is_internal = 0 AND ${viewer.isVisible}
    ORDER BY packages.lower_name, package_versions.id, package_files.lower_name`;
  return db.query<ListedFile>(sql).all({ ...viewer.params, ownerId, type, compositeKey, prefix: prefix.toLowerCase() });
}
