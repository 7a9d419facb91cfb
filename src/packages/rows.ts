import type { Package, PackageFile, PackageType, PackageVersion } from "./types.ts";

/** Maps the rows of packages, versions and files. */

export interface VersionRow {
  readonly id: number;
  readonly packageId: number;
  readonly ownerId: number;
  readonly repoId: number | null;
  readonly type: PackageType;
  readonly name: string;
  readonly packageIsInternal: number;
  readonly creatorId: number | null;
  readonly version: string;
  readonly isInternal: number;
  readonly metadata: string | null;
  readonly downloadCount: number;
  readonly createdAt: number;
}

export const versionColumns = `package_versions.id, packages.id AS packageId, packages.owner_id AS ownerId,
  packages.repo_id AS repoId, packages.type, packages.name, packages.is_internal AS packageIsInternal,
  package_versions.creator_id AS creatorId, package_versions.version, package_versions.is_internal AS isInternal,
  package_versions.metadata, package_versions.download_count AS downloadCount,
  package_versions.created_at AS createdAt`;

export function versionOf(row: VersionRow): PackageVersion {
  const { createdAt, downloadCount, id, version } = row;
  return {
    id,
    package: packageOf({ ...row, id: row.packageId, isInternal: row.packageIsInternal }),
    creatorId: row.creatorId ?? undefined,
    version,
    isInternal: row.isInternal === 1,
    metadata: row.metadata ?? undefined,
    downloadCount,
    createdAt,
  };
}

export interface PackageRow {
  readonly id: number;
  readonly ownerId: number;
  readonly repoId: number | null;
  readonly type: PackageType;
  readonly name: string;
  readonly isInternal: number;
}

export const packageColumns = `packages.id, packages.owner_id AS ownerId, packages.repo_id AS repoId, packages.type,
  packages.name, packages.is_internal AS isInternal`;

export function packageOf({ id, isInternal, name, ownerId, repoId, type }: PackageRow): Package {
  return { id, ownerId, repoId: repoId ?? undefined, type, name, isInternal: isInternal === 1 };
}

export type FileRow = Omit<PackageFile, "isLead"> & { readonly isLead: number };

export const fileColumns = `package_files.id, package_files.version_id AS versionId, package_files.name,
  package_files.composite_key AS compositeKey, package_files.is_lead AS isLead,
  package_files.created_at AS createdAt, package_blobs.sha256, package_blobs.size_bytes AS sizeBytes,
  package_blobs.md5, package_blobs.sha1, package_blobs.sha512`;

export const fileOf = (row: FileRow): PackageFile => ({ ...row, isLead: row.isLead === 1 });
