import type { Database } from "../db/database.ts";
import type { Paging } from "../kernel/paging.ts";
import { type VersionRow, versionColumns, versionOf } from "./rows.ts";
import type { PackageVersion } from "./types.ts";

/** All versions of an owner with the total size of their files, in the order they were published. */
export function versionsWithSizes(
  db: Database,
  ownerId: number,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): { readonly version: PackageVersion; readonly sizeBytes: number }[] {
  const sql = `SELECT ${versionColumns}, (SELECT coalesce(sum(counted_bytes), 0) FROM package_files
      WHERE version_id = package_versions.id) AS sizeBytes
    FROM package_versions JOIN packages ON packages.id = package_versions.package_id
    WHERE package_versions.owner_id = $ownerId AND package_versions.is_internal = 0
    ORDER BY package_versions.created_at, package_versions.id LIMIT $limit OFFSET $offset`;
  return db
    .query<VersionRow & { sizeBytes: number }>(sql)
    .all({ ownerId, limit, offset })
    .map((row) => ({ version: versionOf(row), sizeBytes: row.sizeBytes }));
}
