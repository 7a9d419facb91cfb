import type { Database } from "../db/database.ts";
import { type FileRow, fileColumns, fileOf, type VersionRow, versionColumns, versionOf } from "./rows.ts";
import type { ContentHashes, PackageFile, PackageType, PackageVersion } from "./types.ts";

const from = "FROM package_files JOIN package_blobs ON package_blobs.sha256 = package_files.sha256";

/** In the order the API lists them. */
export function filesOf(db: Database, versionId: number): PackageFile[] {
  return db
    .query<FileRow>(
      `SELECT ${fileColumns} ${from} WHERE package_files.version_id = ?
       ORDER BY package_files.lower_name, package_files.created_at, package_files.id`,
    )
    .all(versionId)
    .map(fileOf);
}

/** The files of several versions, keyed by version. */
export function filesOfEach(db: Database, versionIds: readonly number[]): Map<number, PackageFile[]> {
  const rows = db
    .query<FileRow>(
      `SELECT ${fileColumns} FROM json_each(?) AS asked
         JOIN package_files ON package_files.version_id = asked.value
         JOIN package_blobs ON package_blobs.sha256 = package_files.sha256
       ORDER BY package_files.lower_name, package_files.id`,
    )
    .all(JSON.stringify(versionIds))
    .map(fileOf);
  return Map.groupBy(rows, ({ versionId }) => versionId);
}

export function findFile(db: Database, versionId: number, name: string, compositeKey: string): PackageFile | undefined {
  const row = db
    .query<FileRow>(
      `SELECT ${fileColumns} ${from}
       WHERE package_files.version_id = ? AND package_files.lower_name = ? AND package_files.composite_key = ?`,
    )
    .get(versionId, name.toLowerCase(), compositeKey);
  return row ? fileOf(row) : undefined;
}

export function fileById(db: Database, versionId: number, id: number): PackageFile | undefined {
  const row = db
    .query<FileRow>(`SELECT ${fileColumns} ${from} WHERE package_files.version_id = ? AND package_files.id = ?`)
    .get(versionId, id);
  return row ? fileOf(row) : undefined;
}

/** Files of a package with the given name, in any version. */
export function filesNamed(db: Database, packageId: number, name: string): PackageFile[] {
  return db
    .query<FileRow>(
      `SELECT ${fileColumns} FROM package_versions
         JOIN package_files ON package_files.version_id = package_versions.id AND package_files.lower_name = $name
         JOIN package_blobs ON package_blobs.sha256 = package_files.sha256
       WHERE package_versions.package_id = $packageId AND package_versions.is_internal = 0`,
    )
    .all({ packageId, name: name.toLowerCase() })
    .map(fileOf);
}

/** Files of a package that hold a content, in any version. */
export function filesHolding(db: Database, packageId: number, sha256: string): PackageFile[] {
  return db
    .query<FileRow>(
      `SELECT ${fileColumns} ${from} JOIN package_versions ON package_versions.id = package_files.version_id
       WHERE package_files.sha256 = ? AND package_versions.package_id = ? ORDER BY package_files.id`,
    )
    .all(sha256, packageId)
    .map(fileOf);
}

/** Files with the given property, of one owner and type. */
export function filesWithProperty(
  db: Database,
  {
    name,
    ownerId,
    type,
    value,
  }: { readonly ownerId: number; readonly type: PackageType; readonly name: string; readonly value: string },
): PackageFile[] {
  return db
    .query<FileRow>(
      `SELECT ${fileColumns} FROM package_properties
         JOIN package_files ON package_files.id = package_properties.ref_id
         JOIN package_versions ON package_versions.id = package_files.version_id
         JOIN packages ON packages.id = package_versions.package_id
         JOIN package_blobs ON package_blobs.sha256 = package_files.sha256
       WHERE package_properties.subject = 'file' AND package_properties.name = $name
         AND package_properties.value = $value AND packages.owner_id = $ownerId AND packages.type = $type`,
    )
    .all({ name, value, ownerId, type })
    .map(fileOf);
}

/** Records a content; a known one stays as it is. */
export function putBlob(db: Database, { md5, sha1, sha256, sha512, sizeBytes }: ContentHashes, now: number): void {
  db.query(
    `INSERT INTO package_blobs (sha256, size_bytes, md5, sha1, sha512, created_at, unused_at)
     VALUES ($sha256, $sizeBytes, $md5, $sha1, $sha512, $now, $now)
     ON CONFLICT (sha256) DO UPDATE SET unused_at = CASE WHEN unused_at IS NULL THEN NULL ELSE $now END`,
  ).run({ sha256, sizeBytes, md5, sha1, sha512, now });
}

export function findBlob(db: Database, sha256: string): ContentHashes | undefined {
  const sql = "SELECT sha256, size_bytes AS sizeBytes, md5, sha1, sha512 FROM package_blobs WHERE sha256 = ?";
  return db.query<ContentHashes>(sql).get(sha256) ?? undefined;
}

/** SHA-256 of contents, in order, starting after the given one. */
export function blobsAfter(db: Database, sha256: string, limit: number): string[] {
  return db
    .query<{ sha256: string }>("SELECT sha256 FROM package_blobs WHERE sha256 > ? ORDER BY sha256 LIMIT ?")
    .all(sha256, limit)
    .map((row) => row.sha256);
}

export function countBlobs(db: Database): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM package_blobs").get()?.n ?? 0;
}

/** All files that hold a content, with their versions and owners' names. */
export function holdersOf(
  db: Database,
  sha256: string,
  limit: number,
): { readonly file: string; readonly login: string; readonly version: PackageVersion }[] {
  const sql = `SELECT package_files.name AS file, users.login, ${versionColumns} FROM package_files
      JOIN package_versions ON package_versions.id = package_files.version_id
      JOIN packages ON packages.id = package_versions.package_id JOIN users ON users.id = packages.owner_id
    WHERE package_files.sha256 = ? ORDER BY package_files.id LIMIT ?`;
  return db
    .query<VersionRow & { readonly file: string; readonly login: string }>(sql)
    .all(sha256, limit)
    .map((row) => ({ file: row.file, login: row.login, version: versionOf(row) }));
}

export function insertFile(
  db: Database,
  file: Pick<PackageFile, "compositeKey" | "isLead" | "name" | "sha256" | "sizeBytes" | "versionId"> & {
    readonly ownerId: number;
    readonly isCounted: boolean;
  },
  now: number,
): number {
  const { compositeKey, isCounted, isLead, name, ownerId, sha256, sizeBytes, versionId } = file;
  const made = db
    .query<{ id: number }>(
      `INSERT INTO package_files (version_id, owner_id, sha256, size_bytes, counted_bytes, name, lower_name,
         composite_key, is_lead, created_at)
       VALUES ($versionId, $ownerId, $sha256, $sizeBytes, $countedBytes, $name, $lower, $compositeKey, $isLead, $now)
       RETURNING id`,
    )
    .get({
      versionId,
      ownerId,
      sha256,
      sizeBytes,
      countedBytes: isCounted ? sizeBytes : 0,
      name,
      lower: name.toLowerCase(),
      compositeKey,
      isLead: isLead ? 1 : 0,
      now,
    });
  if (!made) throw new Error("an inserted file has a row");
  return made.id;
}

export function deleteFile(db: Database, id: number): void {
  db.query("DELETE FROM package_files WHERE id = ?").run(id);
}

export function countFiles(db: Database, versionId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM package_files WHERE version_id = ?").get(versionId)?.n ?? 0;
}

/** Total size of an owner's packages. */
export function bytesOfOwner(db: Database, ownerId: number): number {
  const sql = "SELECT packages AS bytes FROM account_usage WHERE user_id = ?";
  return db.query<{ bytes: number }>(sql).get(ownerId)?.bytes ?? 0;
}

/** Total size of all packages. */
export function bytesOfAll(db: Database): number {
  return db.query<{ bytes: number | null }>("SELECT sum(packages) AS bytes FROM account_usage").get()?.bytes ?? 0;
}

/** Deletes contents that no file has held since the given time, up to `limit`. @returns how many were deleted */
export function deleteUnusedBlobs(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM package_blobs WHERE sha256 IN
    (SELECT sha256 FROM package_blobs WHERE unused_at < ? ORDER BY unused_at LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}
