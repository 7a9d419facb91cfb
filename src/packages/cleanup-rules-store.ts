import type { Database } from "../db/database.ts";
import type { CleanupRule, CleanupRuleValues } from "./cleanup-rule-types.ts";
import { type PackageRow, packageColumns, packageOf, type VersionRow, versionColumns, versionOf } from "./rows.ts";
import type { Package, PackageType, PackageVersion } from "./types.ts";

interface RuleRow {
  readonly id: number;
  readonly ownerId: number;
  readonly type: PackageType;
  readonly isEnabled: number;
  readonly keepCount: number;
  readonly keepPattern: string;
  readonly removeDays: number;
  readonly removePattern: string;
  readonly matchFullName: number;
}

const columns = `id, owner_id AS ownerId, type, is_enabled AS isEnabled, keep_count AS keepCount,
  keep_pattern AS keepPattern, remove_days AS removeDays, remove_pattern AS removePattern,
  match_full_name AS matchFullName`;

const ruleOf = (row: RuleRow): CleanupRule => ({
  ...row,
  isEnabled: row.isEnabled === 1,
  matchFullName: row.matchFullName === 1,
});

/** Sorted by type. */
export function rulesOf(db: Database, ownerId: number): CleanupRule[] {
  const sql = `SELECT ${columns} FROM package_cleanup_rules WHERE owner_id = ? ORDER BY type`;
  return db.query<RuleRow>(sql).all(ownerId).map(ruleOf);
}

export function findRule(db: Database, ownerId: number, id: number): CleanupRule | undefined {
  const sql = `SELECT ${columns} FROM package_cleanup_rules WHERE owner_id = ? AND id = ?`;
  const row = db.query<RuleRow>(sql).get(ownerId, id);
  return row ? ruleOf(row) : undefined;
}

/** All enabled rules with an ID above the given one. */
export function enabledRules(db: Database, afterId: number, limit: number): CleanupRule[] {
  const sql = `SELECT ${columns} FROM package_cleanup_rules WHERE id > ? AND is_enabled = 1 ORDER BY id LIMIT ?`;
  return db.query<RuleRow>(sql).all(afterId, limit).map(ruleOf);
}

const valuesOf = ({ isEnabled, matchFullName, ...values }: CleanupRuleValues) => ({
  keepCount: values.keepCount,
  keepPattern: values.keepPattern,
  removeDays: values.removeDays,
  removePattern: values.removePattern,
  type: values.type,
  isEnabled: isEnabled ? 1 : 0,
  matchFullName: matchFullName ? 1 : 0,
});

/** @returns its ID; undefined if the account already has a rule for the type */
export function insertRule(db: Database, ownerId: number, values: CleanupRuleValues, now: number): number | undefined {
  const sql = `INSERT INTO package_cleanup_rules (owner_id, type, is_enabled, keep_count, keep_pattern, remove_days,
      remove_pattern, match_full_name, created_at, updated_at)
    VALUES ($ownerId, $type, $isEnabled, $keepCount, $keepPattern, $removeDays, $removePattern, $matchFullName, $now, $now)
    ON CONFLICT (owner_id, type) DO NOTHING RETURNING id`;
  return db.query<{ id: number }>(sql).get({ ...valuesOf(values), ownerId, now })?.id;
}

/** @returns whether it was updated; false if the account has another rule for the type */
export function updateRule(db: Database, id: number, values: CleanupRuleValues, now: number): boolean {
  const sql = `UPDATE OR IGNORE package_cleanup_rules SET type = $type, is_enabled = $isEnabled, keep_count = $keepCount,
      keep_pattern = $keepPattern, remove_days = $removeDays, remove_pattern = $removePattern,
      match_full_name = $matchFullName, updated_at = $now
    WHERE id = $id`;
  return db.query(sql).run({ ...valuesOf(values), id, now }).changes > 0;
}

export function deleteRule(db: Database, ownerId: number, id: number): boolean {
  return db.query("DELETE FROM package_cleanup_rules WHERE owner_id = ? AND id = ?").run(ownerId, id).changes > 0;
}

/** Packages a rule applies to, by name, starting after the given one. */
export function packagesAfter(
  db: Database,
  { ownerId, type }: CleanupRule,
  lowerName: string,
  limit: number,
): Package[] {
  const sql = `SELECT ${packageColumns} FROM packages WHERE owner_id = ? AND type = ? AND lower_name > ?
    AND is_internal = 0 AND latest_version_id IS NOT NULL ORDER BY lower_name LIMIT ?`;
  return db.query<PackageRow>(sql).all(ownerId, type, lowerName, limit).map(packageOf);
}

/** A range of versions of a package, the newest first. */
export interface VersionRange {
  readonly packageId: number;
  readonly keepCount: number;
  /** Only versions published by this time. */
  readonly before: number;
  /** Only versions after this one; undefined: from the first. */
  readonly after: Pick<PackageVersion, "createdAt" | "id"> | undefined;
  readonly limit: number;
}

/**
 * Versions that neither their rank nor their age protects. Of images, `latest` is kept, and any version that another
 * lists as part of itself.
 */
export function removableVersions(db: Database, { after, ...range }: VersionRange): PackageVersion[] {
  const sql = `SELECT ${versionColumns} FROM package_versions
      JOIN packages ON packages.id = package_versions.package_id
    WHERE package_versions.package_id = $packageId AND package_versions.is_internal = 0
      AND package_versions.created_at <= $before
      AND (package_versions.created_at, package_versions.id) < ($afterCreated, $afterId)
      AND package_versions.id NOT IN (SELECT id FROM package_versions
        WHERE package_id = $packageId AND is_internal = 0 ORDER BY created_at DESC, id DESC LIMIT $keepCount)
      AND (packages.type <> 'container' OR (package_versions.lower_version <> 'latest'
        AND NOT EXISTS (SELECT 1 FROM package_properties
            JOIN package_versions AS naming ON naming.id = package_properties.ref_id
          WHERE package_properties.subject = 'version' AND package_properties.name = 'container.manifest.reference'
            AND package_properties.value = package_versions.lower_version
            AND naming.package_id = package_versions.package_id AND naming.id <> package_versions.id)))
    ORDER BY package_versions.created_at DESC, package_versions.id DESC LIMIT $limit`;
  const [afterCreated, afterId] = [after?.createdAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? 0];
  return db
    .query<VersionRow>(sql)
    .all({ ...range, afterCreated, afterId })
    .map(versionOf);
}
