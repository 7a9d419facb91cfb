import type { Database } from "../db/database.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { type PackageRow, packageColumns, packageOf, type VersionRow, versionColumns, versionOf } from "./rows.ts";
import { countVersions, fromPackages, likePart, linked, type Viewer } from "./store.ts";
import type { Package, PackageType, PackageVersion } from "./types.ts";

/** The filter of a list of packages. */
export interface PackageFilter {
  readonly type?: PackageType | undefined;
  /** A substring of the name, ignoring letter case. */
  readonly text?: string | undefined;
  readonly repoId?: number | undefined;
  /** A property of the latest version, or of any. */
  readonly property?: { readonly name: string; readonly value: string; readonly ofAny?: boolean } | undefined;
}

function filtered({ property, repoId, text, type }: PackageFilter): {
  sql: string;
  params: Record<string, string | number>;
} {
  const conditions = ["packages.is_internal = 0"];
  const params: Record<string, string | number> = {};
  if (type !== undefined) {
    conditions.push("packages.type = $type");
    params["type"] = type;
  }
  if (text) {
    conditions.push("packages.lower_name LIKE $text ESCAPE '\\'");
    params["text"] = likePart(text);
  }
  if (repoId !== undefined) {
    conditions.push("packages.repo_id = $repoId");
    params["repoId"] = repoId;
  }
  if (property) {
    const versions = property.ofAny
      ? "IN (SELECT id FROM package_versions WHERE package_id = packages.id)"
      : "= packages.latest_version_id";
    conditions.push(`EXISTS (SELECT 1 FROM package_properties WHERE subject = 'version'
      AND ref_id ${versions} AND name = $property AND value = $propertyValue)`);
    params["property"] = property.name;
    params["propertyValue"] = property.value;
  }
  return { sql: conditions.join(" AND "), params };
}

/** Every version of every package of an owner, the newest first. */
export function versionsOfOwner(
  db: Database,
  ownerId: number,
  viewer: Viewer,
  filter: PackageFilter,
  { limit, offset }: Paging,
): Slice<PackageVersion> {
  const { params, sql } = filtered(filter);
  const from = `FROM package_versions JOIN packages ON packages.id = package_versions.package_id ${linked}
    WHERE package_versions.owner_id = $ownerId AND package_versions.is_internal = 0 AND ${sql} AND ${viewer.isVisible}`;
  const values = { ...viewer.params, ...params, ownerId };
  // Publishers see everything, so the index alone gives the count.
  const isAll = viewer.params.writes === 1 && Object.values(filter).every((wanted) => !wanted);
  const total = isAll
    ? countVersions(db, ownerId)
    : (db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(values)?.n ?? 0);
  const items = db
    .query<VersionRow>(
      `SELECT ${versionColumns} ${from} ORDER BY package_versions.created_at DESC, package_versions.id DESC
       LIMIT $limit OFFSET $offset`,
    )
    .all({ ...values, limit, offset })
    .map(versionOf);
  return { items, total };
}

/** Orders of package lists: last published first, or by name. */
export const packageOrders = { published: "packages.latest_version_id DESC", name: "packages.lower_name" } as const;
export type PackageOrder = keyof typeof packageOrders;

/** The latest version of each package. @param ownerId undefined: of all owners */
export function latestVersions(
  db: Database,
  ownerId: number | undefined,
  viewer: Viewer,
  filter: PackageFilter,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
  order: PackageOrder = "published",
): Slice<PackageVersion> {
  const { params, sql } = filtered(filter);
  const ofOwner = ownerId === undefined ? "" : "AND packages.owner_id = $ownerId";
  const where = `WHERE packages.latest_version_id IS NOT NULL ${ofOwner} AND ${sql} AND ${viewer.isVisible}`;
  const values = { ...viewer.params, ...params, ...(ownerId === undefined ? {} : { ownerId }) };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${fromPackages} ${where}`).get(values)?.n ?? 0;
  const items = db
    .query<VersionRow>(
      `SELECT ${versionColumns} FROM packages ${linked}
         JOIN package_versions ON package_versions.id = packages.latest_version_id
       ${where} ORDER BY ${packageOrders[order]} LIMIT $limit OFFSET $offset`,
    )
    .all({ ...values, limit, offset })
    .map(versionOf);
  return { items, total };
}

/** The types of an owner's packages. */
export function typesInUse(db: Database, ownerId: number): PackageType[] {
  const sql = `SELECT DISTINCT type FROM packages
    WHERE owner_id = ? AND is_internal = 0 AND latest_version_id IS NOT NULL ORDER BY type`;
  return db
    .query<{ type: PackageType }>(sql)
    .all(ownerId)
    .map(({ type }) => type);
}

/** All packages of one type that an owner has, by name. */
export function packagesOfType(db: Database, ownerId: number, type: PackageType, viewer: Viewer): Package[] {
  const sql = `SELECT ${packageColumns} ${fromPackages} WHERE packages.owner_id = $ownerId AND packages.type = $type
    AND packages.is_internal = 0 AND packages.latest_version_id IS NOT NULL AND ${viewer.isVisible}
    ORDER BY packages.lower_name`;
  return db
    .query<PackageRow>(sql)
    .all({ ...viewer.params, ownerId, type })
    .map(packageOf);
}

/**
 * Names of packages of a type that a principal may see, with their owners', in order.
 * @param isOwnerVisible an SQL condition on `package_owners`
 */
export function catalogOf(
  db: Database,
  type: PackageType,
  viewer: Viewer & { readonly isOwnerVisible: string },
  after: string,
  limit: number,
): string[] {
  const sql = `SELECT package_owners.lower_login || '/' || packages.lower_name AS name
    FROM packages JOIN users AS package_owners ON package_owners.id = packages.owner_id ${linked}
    WHERE packages.type = $type AND packages.is_internal = 0 AND packages.latest_version_id IS NOT NULL
      AND ${viewer.isOwnerVisible} AND (packages.owner_id = $me OR ${viewer.isVisible})
      AND package_owners.lower_login || '/' || packages.lower_name > $after
    ORDER BY name LIMIT $limit`;
  return db
    .query<{ name: string }>(sql)
    .all({ ...viewer.params, type, after, limit })
    .map(({ name }) => name);
}
