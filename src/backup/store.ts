import type { Database } from "../db/database.ts";

/** The uploaded files by digest, in its order. */
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

/** The git folders that hold something. */
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

/** Forgets in a copy of the database what waits for its removal: its files may be gone by now. */
export function forgetUnreferencedBlobs(db: Database): void {
  db.transaction(() => db.query("DELETE FROM blobs WHERE unreferenced_since IS NOT NULL").run());
}
