import type { Database } from "../db/database.ts";
import type { ContentHashes } from "./types.ts";

/** A content uploaded in chunks. */
export interface PackageUpload {
  readonly id: string;
  readonly ownerId: number;
  readonly image: string;
  readonly bytesReceived: number;
}

export interface UploadChunk extends ContentHashes {
  readonly position: number;
}

export function insertUpload(
  db: Database,
  { id, image, ownerId }: Omit<PackageUpload, "bytesReceived">,
  now: number,
): void {
  db.query("INSERT INTO package_uploads (id, owner_id, image, created_at, updated_at) VALUES (?, ?, ?, ?, ?)").run(
    id,
    ownerId,
    image,
    now,
    now,
  );
}

export function findUpload(db: Database, id: string): PackageUpload | undefined {
  const sql = `SELECT id, owner_id AS ownerId, image, bytes_received AS bytesReceived FROM package_uploads WHERE id = ?`;
  return db.query<PackageUpload>(sql).get(id) ?? undefined;
}

export function deleteUpload(db: Database, id: string): void {
  db.query("DELETE FROM package_uploads WHERE id = ?").run(id);
}

/** @returns the position of the chunk */
export function addChunk(db: Database, uploadId: string, chunk: ContentHashes, now: number): number {
  const { md5, sha1, sha256, sha512, sizeBytes } = chunk;
  const row = db
    .query<{ position: number }>(
      `INSERT INTO package_upload_chunks (upload_id, position, sha256, size_bytes, md5, sha1, sha512)
       VALUES ($uploadId, (SELECT count(*) FROM package_upload_chunks WHERE upload_id = $uploadId), $sha256,
         $sizeBytes, $md5, $sha1, $sha512) RETURNING position`,
    )
    .get({ uploadId, sha256, sizeBytes, md5, sha1, sha512 });
  db.query("UPDATE package_uploads SET bytes_received = bytes_received + ?, updated_at = ? WHERE id = ?").run(
    sizeBytes,
    now,
    uploadId,
  );
  if (!row) throw new Error("an inserted piece has a row");
  return row.position;
}

/** In order. */
export function chunksOf(db: Database, uploadId: string): UploadChunk[] {
  return db
    .query<UploadChunk>(
      `SELECT position, sha256, size_bytes AS sizeBytes, md5, sha1, sha512 FROM package_upload_chunks
       WHERE upload_id = ? ORDER BY position`,
    )
    .all(uploadId);
}

/** Deletes uploads that have received nothing since the given time, up to `limit`. @returns how many were deleted */
export function deleteStaleUploads(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM package_uploads WHERE id IN
    (SELECT id FROM package_uploads WHERE updated_at < ? ORDER BY updated_at LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}
