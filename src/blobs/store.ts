import type { Database } from "../db/database.ts";
import type { Blob } from "./types.ts";

const COLUMNS = "digest, size AS sizeBytes, media_type AS mediaType";

export function findBlob(db: Database, digest: string): Blob | undefined {
  return db.query<Blob>(`SELECT ${COLUMNS} FROM blobs WHERE digest = ?`).get(digest) ?? undefined;
}

export function findReferenced(db: Database, area: string, ownerKey: string): Blob | undefined {
  return (
    db
      .query<Blob>(
        `SELECT ${COLUMNS} FROM blobs WHERE digest = (SELECT digest FROM blob_references WHERE area = ? AND owner_key = ?)`,
      )
      .get(area, ownerKey) ?? undefined
  );
}

/** Triggers on the tables record which files are no longer referred to. */
export function putReference(db: Database, area: string, ownerKey: string, blob: Blob, now: number): void {
  db.query("INSERT INTO blobs (digest, size, media_type, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
    blob.digest,
    blob.sizeBytes,
    blob.mediaType,
    now,
  );
  db.query(
    `INSERT INTO blob_references (area, owner_key, digest, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (area, owner_key) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at`,
  ).run(area, ownerKey, blob.digest, now);
}

/** @returns whether there was one */
export function deleteReference(db: Database, area: string, ownerKey: string): boolean {
  return db.query("DELETE FROM blob_references WHERE area = ? AND owner_key = ?").run(area, ownerKey).changes > 0;
}

/** Moves the reference to the same key of another area. */
export function moveReference(db: Database, ownerKey: string, from: string, to: string): void {
  db.query("UPDATE blob_references SET area = ? WHERE area = ? AND owner_key = ?").run(to, from, ownerKey);
}

/** Digests of at most `limit` files that nothing has referred to since before that time. */
export function unreferencedBefore(db: Database, before: number, limit: number): string[] {
  return db
    .query<{ digest: string }>(
      "SELECT digest FROM blobs WHERE unreferenced_since <= ? ORDER BY unreferenced_since LIMIT ?",
    )
    .all(before, limit)
    .map(({ digest }) => digest);
}

export function deleteBlob(db: Database, digest: string): void {
  db.query("DELETE FROM blobs WHERE digest = ?").run(digest);
}

export interface CountedBlob extends Blob {
  readonly references: number;
  readonly unreferencedSince: number | null;
}

/** All files in order of their digests, `limit` at a time, after `after`. */
export function blobsAfter(db: Database, after: string, limit: number): CountedBlob[] {
  return db
    .query<CountedBlob>(
      `SELECT ${COLUMNS}, unreferenced_since AS unreferencedSince,
         (SELECT count(*) FROM blob_references WHERE blob_references.digest = blobs.digest) AS "references"
       FROM blobs WHERE digest > ? ORDER BY digest LIMIT ?`,
    )
    .all(after, limit);
}

export function countBlobs(db: Database): number {
  return db.query<{ count: number }>("SELECT count(*) AS count FROM blobs").get()?.count ?? 0;
}

/** At most `limit` references to a file. */
export function referencesTo(db: Database, digest: string, limit: number): { area: string; ownerKey: string }[] {
  return db
    .query<{ area: string; ownerKey: string }>(
      "SELECT area, owner_key AS ownerKey FROM blob_references WHERE digest = ? ORDER BY area, owner_key LIMIT ?",
    )
    .all(digest, limit);
}

/** Recomputes for each blob whether anything refers to it now. */
export function recountReferences(db: Database): void {
  db.execute(
    `UPDATE blobs SET unreferenced_since = CASE
       WHEN EXISTS (SELECT 1 FROM blob_references WHERE blob_references.digest = blobs.digest) THEN NULL
       ELSE coalesce(unreferenced_since, unixepoch() * 1000) END`,
  );
}
