import type { Database } from "../db/database.ts";

/** Deletes image blobs not named by a manifest since the given time, up to `limit`. @returns how many were deleted */
export function deleteWaitingFiles(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM package_files WHERE id IN (
    SELECT package_files.id FROM package_versions
      JOIN package_files ON package_files.version_id = package_versions.id
    WHERE package_versions.is_internal = 1 AND package_versions.version = '_upload'
      AND package_files.created_at < ? LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}

/** Deletes the versions that held such blobs and are now empty. @returns how many were deleted */
export function deleteEmptyUploads(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM package_versions WHERE id IN (
    SELECT id FROM package_versions WHERE is_internal = 1 AND version = '_upload' AND created_at < ?
      AND NOT EXISTS (SELECT 1 FROM package_files WHERE version_id = package_versions.id) LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}

/** Deletes packages without versions, except locked ones, which are about to get one. @returns how many were deleted */
export function deleteEmptyPackages(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM packages WHERE id IN (
    SELECT id FROM packages WHERE latest_version_id IS NULL AND created_at < ?
      AND NOT EXISTS (SELECT 1 FROM package_versions WHERE package_id = packages.id)
      AND NOT EXISTS (SELECT 1 FROM package_properties
        WHERE subject = 'package' AND ref_id = packages.id AND name LIKE '%.lock') LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}
