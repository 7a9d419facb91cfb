import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { type PackageRow, packageColumns, packageOf, type VersionRow, versionColumns, versionOf } from "./rows.ts";
import type { Package, PackageType, PackageVersion } from "./types.ts";

/** The viewer as SQL: a condition over packages joined with `repositories` and its `owners`, and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams & { readonly writes: number };
}

export const linked = `LEFT JOIN repositories ON repositories.id = packages.repo_id
  LEFT JOIN users AS owners ON owners.id = repositories.owner_id`;
export const fromPackages = `FROM packages ${linked}`;
export const fromVersions = `FROM packages ${linked} JOIN package_versions ON package_versions.package_id = packages.id`;

/** Escapes the wildcards of LIKE. */
export const likePart = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

/** Finds a package by name, ignoring letter case, and whether the viewer may see it. */
export function findPackage(
  db: Database,
  ownerId: number,
  type: PackageType,
  name: string,
  viewer: Viewer,
): { readonly package: Package; readonly isVisible: boolean; readonly hasVersions: boolean } | undefined {
  const sql = `SELECT ${packageColumns}, ${viewer.isVisible} AS isVisible,
      packages.latest_version_id IS NOT NULL AS hasVersions ${fromPackages}
    WHERE packages.owner_id = $ownerId AND packages.type = $type AND packages.lower_name = $name`;
  const row = db
    .query<PackageRow & { isVisible: number; hasVersions: number }>(sql)
    .get({ ...viewer.params, ownerId, type, name: name.toLowerCase() });
  return row
    ? { package: packageOf(row), isVisible: row.isVisible === 1, hasVersions: row.hasVersions === 1 }
    : undefined;
}

export function packageById(db: Database, id: number): Package | undefined {
  const row = db.query<PackageRow>(`SELECT ${packageColumns} FROM packages WHERE id = ?`).get(id);
  return row ? packageOf(row) : undefined;
}

export function findVersion(db: Database, packageId: number, version: string): PackageVersion | undefined {
  const row = db
    .query<VersionRow>(
      `SELECT ${versionColumns} ${fromVersions} WHERE packages.id = ? AND package_versions.lower_version = ?`,
    )
    .get(packageId, version.toLowerCase());
  return row ? versionOf(row) : undefined;
}

/** By the names of package and version, ignoring letter case. */
export function findVersionNamed(
  db: Database,
  ownerId: number,
  type: PackageType,
  name: string,
  version: string,
): PackageVersion | undefined {
  const row = db
    .query<VersionRow>(
      `SELECT ${versionColumns} ${fromVersions} WHERE packages.owner_id = ? AND packages.type = ?
         AND packages.lower_name = ? AND package_versions.lower_version = ?`,
    )
    .get(ownerId, type, name.toLowerCase(), version.toLowerCase());
  return row ? versionOf(row) : undefined;
}

/** Versions of a package with the given property, in the order they were published. */
export function versionsWithProperty(db: Database, packageId: number, name: string, value: string): PackageVersion[] {
  return db
    .query<VersionRow>(
      `SELECT ${versionColumns} ${fromVersions}
         JOIN package_properties ON package_properties.subject = 'version'
           AND package_properties.ref_id = package_versions.id AND package_properties.name = $name
           AND package_properties.value = $value
       WHERE package_versions.package_id = $packageId AND package_versions.is_internal = 0
       ORDER BY package_versions.id`,
    )
    .all({ packageId, name, value })
    .map(versionOf);
}

export function versionById(db: Database, id: number): PackageVersion | undefined {
  const row = db.query<VersionRow>(`SELECT ${versionColumns} ${fromVersions} WHERE package_versions.id = ?`).get(id);
  return row ? versionOf(row) : undefined;
}

/** The most recently published version. */
export function latestOf(db: Database, packageId: number): PackageVersion | undefined {
  const row = db
    .query<VersionRow>(
      `SELECT ${versionColumns} FROM packages
         JOIN package_versions ON package_versions.id = packages.latest_version_id WHERE packages.id = ?`,
    )
    .get(packageId);
  return row ? versionOf(row) : undefined;
}

/** All versions of a package in the order they were published. */
export function versionsOf(db: Database, packageId: number): PackageVersion[] {
  return db
    .query<VersionRow>(
      `SELECT ${versionColumns} ${fromVersions}
       WHERE package_versions.package_id = ? AND package_versions.is_internal = 0 ORDER BY package_versions.id`,
    )
    .all(packageId)
    .map(versionOf);
}

/** The same for several packages at once. */
export function versionsOfEach(db: Database, packageIds: readonly number[]): Map<number, PackageVersion[]> {
  const rows = db
    .query<VersionRow>(
      `SELECT ${versionColumns} FROM json_each(?) AS asked JOIN packages ON packages.id = asked.value
         JOIN package_versions ON package_versions.package_id = packages.id
       WHERE package_versions.is_internal = 0 ORDER BY package_versions.id`,
    )
    .all(JSON.stringify(packageIds))
    .map(versionOf);
  return Map.groupBy(rows, (version) => version.package.id);
}

/** Only the version strings of several packages, by package. */
export function versionNumbersOfEach(db: Database, packageIds: readonly number[]): Map<number, string[]> {
  const rows = db
    .query<{ packageId: number; version: string }>(
      `SELECT package_id AS packageId, version FROM json_each(?) AS asked
         CROSS JOIN package_versions ON package_id = asked.value AND is_internal = 0`,
    )
    .all(JSON.stringify(packageIds));
  const found = new Map<number, string[]>();
  for (const { packageId, version } of rows) {
    const numbers = found.get(packageId);
    if (numbers) numbers.push(version);
    else found.set(packageId, [version]);
  }
  return found;
}

export const versionOrders = {
  created_desc: "package_versions.created_at DESC, package_versions.id DESC",
  created_asc: "package_versions.created_at, package_versions.id DESC",
  version_asc: "package_versions.lower_version, package_versions.id DESC",
  version_desc: "package_versions.lower_version DESC, package_versions.id DESC",
} as const;
export type VersionOrder = keyof typeof versionOrders;

export interface VersionFilter {
  /** A substring of the version, ignoring letter case. */
  readonly text?: string | undefined;
  /** Whether the version has a property with that name. */
  readonly property?: { readonly name: string; readonly has: boolean } | undefined;
  readonly order?: VersionOrder;
}

export function pageOfVersions(
  db: Database,
  packageId: number,
  { order = "created_desc", property, text }: VersionFilter,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<PackageVersion> {
  const conditions = ["package_versions.package_id = $packageId", "package_versions.is_internal = 0"];
  const params: Record<string, string | number> = { packageId };
  if (text) {
    conditions.push("package_versions.lower_version LIKE $text ESCAPE '\\'");
    params["text"] = likePart(text);
  }
  if (property) {
    conditions.push(`${property.has ? "" : "NOT "}EXISTS (SELECT 1 FROM package_properties
      WHERE subject = 'version' AND ref_id = package_versions.id AND name = $property)`);
    params["property"] = property.name;
  }
  const where = `WHERE ${conditions.join(" AND ")}`;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM package_versions ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<VersionRow>(
      `SELECT ${versionColumns} ${fromVersions} ${where} ORDER BY ${versionOrders[order]} LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset })
    .map(versionOf);
  return { items, total };
}

export function countVersions(db: Database, ownerId: number): number {
  const sql = "SELECT count(*) AS n FROM package_versions WHERE owner_id = ? AND is_internal = 0";
  return db.query<{ n: number }>(sql).get(ownerId)?.n ?? 0;
}

/** @returns its ID, and whether it is new */
export function putPackage(
  db: Database,
  { isInternal, name, ownerId, type }: Pick<Package, "isInternal" | "name" | "ownerId" | "type">,
  now: number,
): { readonly id: number; readonly isNew: boolean } {
  const made = db
    .query<{ id: number }>(
      `INSERT INTO packages (owner_id, type, name, lower_name, is_internal, created_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner_id, type, lower_name) DO NOTHING RETURNING id`,
    )
    .get(ownerId, type, name, name.toLowerCase(), isInternal ? 1 : 0, now);
  if (made) return { id: made.id, isNew: true };
  const found = db
    .query<{ id: number }>("SELECT id FROM packages WHERE owner_id = ? AND type = ? AND lower_name = ?")
    .get(ownerId, type, name.toLowerCase());
  if (!found) throw new Error("a package that is not new is there");
  return { id: found.id, isNew: false };
}

export function insertVersion(
  db: Database,
  version: {
    readonly packageId: number;
    readonly ownerId: number;
    readonly creatorId: number | null;
    readonly version: string;
    readonly isInternal: boolean;
    readonly metadata: string | null;
    readonly downloadCount: number;
  },
  now: number,
): number {
  const { creatorId, downloadCount, isInternal, metadata, ownerId, packageId } = version;
  const made = db
    .query<{ id: number }>(
      `INSERT INTO package_versions (package_id, owner_id, creator_id, version, lower_version, is_internal, metadata,
         download_count, created_at)
       VALUES ($packageId, $ownerId, $creatorId, $version, $lower, $isInternal, $metadata, $downloadCount, $now)
       RETURNING id`,
    )
    .get({
      packageId,
      ownerId,
      creatorId,
      version: version.version,
      lower: version.version.toLowerCase(),
      isInternal: isInternal ? 1 : 0,
      metadata,
      downloadCount,
      now,
    });
  if (!made) throw new Error("an inserted version has a row");
  return made.id;
}

export function setMetadata(db: Database, versionId: number, metadata: string): void {
  db.query("UPDATE package_versions SET metadata = ? WHERE id = ?").run(metadata, versionId);
}

/** Its files and all properties are deleted too. */
export function deleteVersion(db: Database, versionId: number): void {
  db.query("DELETE FROM package_versions WHERE id = ?").run(versionId);
}

export function addDownloads(db: Database, counts: ReadonlyMap<number, number>): void {
  const sql = `UPDATE package_versions SET download_count = download_count + counted.value
    FROM json_each(?) AS counted WHERE package_versions.id = CAST(counted.key AS INTEGER)`;
  db.query(sql).run(JSON.stringify(Object.fromEntries(counts)));
}

/** Whether an account has packages visible to others. */
export function hasPackages(db: Database, ownerId: number): boolean {
  return (
    db.query("SELECT 1 FROM packages WHERE owner_id = ? AND latest_version_id IS NOT NULL LIMIT 1").get(ownerId) !==
    null
  );
}

export function deleteAllOf(db: Database, ownerId: number): void {
  db.query("DELETE FROM packages WHERE owner_id = ?").run(ownerId);
}
