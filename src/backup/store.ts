import type { Database } from "../db/database.ts";

/** The digests of uploaded files, in order. */
export function* digests(db: Database): Generator<string> {
  for (let after = ""; ; ) {
    const some = db
      .query<{ digest: string }>("SELECT digest FROM blobs WHERE digest > ? ORDER BY digest LIMIT 1000")
      .all(after);
    for (const { digest } of some) yield digest;
    const last = some.at(-1);
    if (!last) return;
    after = last.digest;
  }
}

/** The non-empty git directories. */
export function folderIds(db: Database): number[] {
  return db
    .query<{ id: number }>(
      "SELECT git_folders.id FROM git_folders JOIN repository_storage USING (id) WHERE state = 'live' ORDER BY id",
    )
    .all()
    .map(({ id }) => id);
}

export function refsOf(db: Database, folderId: number): { name: string; oid: string }[] {
  return db.query<{ name: string; oid: string }>("SELECT name, oid FROM refs WHERE folder_id = ?").all(folderId);
}

/** Deletes blobs awaiting removal from a copy of the database: their files may be gone by now. */
export function forgetUnreferencedBlobs(db: Database): void {
  db.transaction(() => db.query("DELETE FROM blobs WHERE unreferenced_since IS NOT NULL").run());
}
