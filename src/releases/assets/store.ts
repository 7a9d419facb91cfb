import type { Database } from "../../db/database.ts";
import type { ReleaseAsset } from "../types.ts";

interface AssetRow {
  id: number;
  uuid: string;
  release_id: number;
  name: string;
  size_bytes: number;
  download_count: number;
  created_at: number;
}

function assetOf(row: AssetRow): ReleaseAsset {
  return {
    id: row.id,
    uuid: row.uuid,
    releaseId: row.release_id,
    name: row.name,
    sizeBytes: row.size_bytes,
    downloads: row.download_count,
    createdAt: row.created_at,
  };
}

/** Sorted by name. */
export function assetsOfReleases(db: Database, releaseIds: readonly number[]): ReleaseAsset[] {
  const sql = `SELECT * FROM release_assets WHERE release_id IN (SELECT value FROM json_each(?))
    ORDER BY release_id, name, id`;
  return db.query<AssetRow>(sql).all(JSON.stringify(releaseIds)).map(assetOf);
}

export function findAsset(db: Database, id: number): ReleaseAsset | undefined {
  const row = db.query<AssetRow>("SELECT * FROM release_assets WHERE id = ?").get(id);
  return row ? assetOf(row) : undefined;
}

export function findAssetByUuid(db: Database, uuid: string): ReleaseAsset | undefined {
  const row = db.query<AssetRow>("SELECT * FROM release_assets WHERE uuid = ?").get(uuid);
  return row ? assetOf(row) : undefined;
}

/** The first file with that name. */
export function findAssetNamed(db: Database, releaseId: number, name: string): ReleaseAsset | undefined {
  const sql = "SELECT * FROM release_assets WHERE release_id = ? AND name = ? ORDER BY id LIMIT 1";
  const row = db.query<AssetRow>(sql).get(releaseId, name);
  return row ? assetOf(row) : undefined;
}

export function insertAsset(db: Database, asset: Omit<ReleaseAsset, "id" | "downloads">): ReleaseAsset {
  const sql = `INSERT INTO release_assets (uuid, release_id, name, size_bytes, created_at)
    VALUES ($uuid, $releaseId, $name, $sizeBytes, $createdAt) RETURNING *`;
  const row = db.query<AssetRow>(sql).get({ ...asset });
  if (!row) throw new Error("an inserted file has a row");
  return assetOf(row);
}

export function renameAsset(db: Database, id: number, name: string): void {
  db.query("UPDATE release_assets SET name = ? WHERE id = ?").run(name, id);
}

/** A trigger deletes its bytes. */
export function deleteAsset(db: Database, id: number): void {
  db.query("DELETE FROM release_assets WHERE id = ?").run(id);
}

export function countAssetDownload(db: Database, id: number): void {
  db.query("UPDATE release_assets SET download_count = download_count + 1 WHERE id = ?").run(id);
}

const ofOwner = `FROM repositories JOIN releases ON releases.repo_id = repositories.id
  JOIN release_assets ON release_assets.release_id = releases.id
  WHERE repositories.owner_id = $owner AND repositories.binned_at IS NULL`;

/** A file with its release and repository. */
export interface AssetOfOwner {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly releaseId: number;
  readonly tag: string;
  readonly repo: string;
}

export function countAssetsOfOwner(db: Database, owner: number): number {
  return db.query<{ n: number }>(`SELECT count(*) AS n ${ofOwner}`).get({ owner })?.n ?? 0;
}

/** Sorted by repository. */
export function assetsOfOwner(
  db: Database,
  owner: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): AssetOfOwner[] {
  const sql = `SELECT release_assets.id, release_assets.uuid, release_assets.name,
    release_assets.size_bytes AS sizeBytes, releases.id AS releaseId, releases.tag, repositories.name AS repo
    ${ofOwner} ORDER BY repositories.lower_name, releases.created_at, releases.id, release_assets.name, release_assets.id
    LIMIT $limit OFFSET $offset`;
  return db.query<AssetOfOwner>(sql).all({ owner, limit, offset });
}
