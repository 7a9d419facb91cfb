import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { Ref } from "../../git/refs/types.ts";

interface Row {
  name: string;
  oid: string;
  peeled: string | null;
}

const toRef = (row: Row): Ref =>
  row.peeled === null ? { name: row.name, oid: row.oid } : { name: row.name, oid: row.oid, peeled: row.peeled };

const LAST_CODE_POINT = 0x10ffff;

/**
 * The first text that sorts after everything starting with `prefix`, so that a prefix becomes a key range: its last
 * character incremented by one. A name may continue with any character, including the highest one.
 */
export function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0;
    // Surrogates are not characters, and nothing sorts after the highest one.
    if (code < LAST_CODE_POINT) return characters.join("") + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
  // Every name begins with a letter.
  return String.fromCodePoint(LAST_CODE_POINT);
}

export function listRefs(db: Database, folderId: number, prefix = ""): Ref[] {
  return db
    .query<Row>("SELECT name, oid, peeled FROM refs WHERE folder_id = ? AND name >= ? AND name < ? ORDER BY name")
    .all(folderId, prefix, afterPrefix(prefix))
    .map(toRef);
}

export function pageOfRefs(
  db: Database,
  folderId: number,
  prefix: string,
  part: string,
  limit: number,
  offset: number,
): { items: Ref[]; total: number } {
  const params = [folderId, prefix, afterPrefix(prefix), part.toLowerCase(), part.toLowerCase()] as const;
  const where = "folder_id = ? AND name >= ? AND name < ? AND (? = '' OR instr(lower(name), ?) > 0)";
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM refs WHERE ${where}`).get(...params)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT name, oid, peeled FROM refs WHERE ${where} ORDER BY name LIMIT ? OFFSET ?`)
    .all(...params, limit, offset)
    .map(toRef);
  return { items, total };
}

export function countRefs(db: Database, folderId: number, prefix: string): number {
  return (
    db
      .query<{ n: number }>("SELECT count(*) AS n FROM refs WHERE folder_id = ? AND name >= ? AND name < ?")
      .get(folderId, prefix, afterPrefix(prefix))?.n ?? 0
  );
}

export function findRef(db: Database, folderId: number, name: string): Ref | undefined {
  const row = db.query<Row>("SELECT name, oid, peeled FROM refs WHERE folder_id = ? AND name = ?").get(folderId, name);
  return row ? toRef(row) : undefined;
}

/** Looks up refs in several folders at once. */
export function findRefs(
  db: Database,
  places: readonly (readonly [folderId: number, name: string])[],
): { readonly folderId: number; readonly name: string; readonly oid: Oid }[] {
  const sql = `SELECT refs.folder_id AS folderId, refs.name AS name, refs.oid AS oid FROM json_each(?) AS wanted
    CROSS JOIN refs ON refs.folder_id = wanted.value ->> 0 AND refs.name = wanted.value ->> 1`;
  return db.query<{ folderId: number; name: string; oid: Oid }>(sql).all(JSON.stringify(places));
}

export function putRef(db: Database, folderId: number, ref: Ref): void {
  db.query(
    "INSERT INTO refs (folder_id, name, oid, peeled) VALUES (?, ?, ?, ?) ON CONFLICT (folder_id, name) DO UPDATE SET oid = excluded.oid, peeled = excluded.peeled",
  ).run(folderId, ref.name, ref.oid, ref.peeled ?? null);
}

/** Inserts refs into a folder that has none; its files do not show them yet. */
export function insertRefs(db: Database, folderId: number, refs: readonly Ref[]): void {
  db.query(
    `INSERT INTO refs (folder_id, name, oid, peeled)
     SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
  ).run(folderId, JSON.stringify(refs.map(({ name, oid, peeled }) => [name, oid, peeled ?? null])));
  db.query("INSERT INTO unwritten_refs (folder_id, name) SELECT folder_id, name FROM refs WHERE folder_id = ?").run(
    folderId,
  );
}

export function deleteRef(db: Database, folderId: number, name: string): void {
  db.query("DELETE FROM refs WHERE folder_id = ? AND name = ?").run(folderId, name);
}

/**
 * Returns a ref that conflicts because one would be both a file and a directory (`refs/heads/a` and `refs/heads/a/b`).
 */
export function conflictingRef(db: Database, folderId: number, name: string): string | undefined {
  const below = db
    .query<{ name: string }>("SELECT name FROM refs WHERE folder_id = ? AND name >= ? AND name < ? LIMIT 1")
    .get(folderId, `${name}/`, afterPrefix(`${name}/`));
  if (below) return below.name;
  const parts = name.split("/");
  const above = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
  return db
    .query<{ name: string }>(
      "SELECT name FROM refs WHERE folder_id = ? AND name IN (SELECT value FROM json_each(?)) LIMIT 1",
    )
    .get(folderId, JSON.stringify(above))?.name;
}

export function logRefChange(
  db: Database,
  folderId: number,
  name: string,
  oldOid: string | null,
  newOid: string | null,
  actorId: number | null,
  at: number,
): void {
  db.query("INSERT INTO ref_log (folder_id, name, old_oid, new_oid, actor_id, at) VALUES (?, ?, ?, ?, ?, ?)").run(
    folderId,
    name,
    oldOid,
    newOid,
    actorId,
    at,
  );
}

/** A ref deletion in the log. */
export interface DeletionRow {
  readonly id: number;
  readonly name: string;
  readonly oid: string;
  readonly actorId: number | null;
  readonly at: number;
}

const deletion = "SELECT id, name, old_oid AS oid, actor_id AS actorId, at FROM ref_log";

/** The most recent ref deletions, newest first. */
export function lastDeletions(db: Database, folderId: number, limit: number): DeletionRow[] {
  return db
    .query<DeletionRow>(`${deletion} WHERE folder_id = ? AND new_oid IS NULL ORDER BY id DESC LIMIT ?`)
    .all(folderId, limit);
}

export function findDeletion(db: Database, folderId: number, id: number): DeletionRow | undefined {
  return (
    db.query<DeletionRow>(`${deletion} WHERE id = ? AND folder_id = ? AND new_oid IS NULL`).get(id, folderId) ??
    undefined
  );
}

/** Deletes up to `limit` log entries older than that time. @returns how many */
export function deleteLogBefore(db: Database, before: number, limit: number): number {
  return db
    .query("DELETE FROM ref_log WHERE id IN (SELECT id FROM ref_log WHERE at < ? ORDER BY at LIMIT ?)")
    .run(before, limit).changes;
}

/** Oids named in the folder's ref log since `since`. */
export function loggedOids(db: Database, folderId: number, since: number): string[] {
  return db
    .query<{ oid: string }>(
      `SELECT old_oid AS oid FROM ref_log WHERE folder_id = ?1 AND at >= ?2 AND old_oid IS NOT NULL
       UNION SELECT new_oid FROM ref_log WHERE folder_id = ?1 AND at >= ?2 AND new_oid IS NOT NULL`,
    )
    .all(folderId, since)
    .map((row) => row.oid);
}

export function refsVersion(db: Database, folderId: number): number | undefined {
  return db.query<{ version: number }>("SELECT refs_version AS version FROM git_folders WHERE id = ?").get(folderId)
    ?.version;
}

export function defaultBranchOf(db: Database, folderId: number): string | undefined {
  return db.query<{ name: string }>("SELECT default_branch AS name FROM git_folders WHERE id = ?").get(folderId)?.name;
}

export function raiseRefsVersion(db: Database, folderId: number): void {
  db.query("UPDATE git_folders SET refs_version = refs_version + 1 WHERE id = ?").run(folderId);
}

/** Records what the folder on disk shows for a ref about to change; only the first call since it was written counts. */
export function noteUnwritten(db: Database, folderId: number, name: string, writtenOid: string | null): void {
  db.query("INSERT OR IGNORE INTO unwritten_refs (folder_id, name, written_oid) VALUES (?, ?, ?)").run(
    folderId,
    name,
    writtenOid,
  );
}

export function unwrittenRefs(db: Database, folderId: number): { name: string; writtenOid: string | null }[] {
  return db
    .query<{ name: string; writtenOid: string | null }>(
      "SELECT name, written_oid AS writtenOid FROM unwritten_refs WHERE folder_id = ?",
    )
    .all(folderId);
}

export function markProjectionDue(db: Database, folderId: number): void {
  db.query("INSERT OR IGNORE INTO projections_due (folder_id) VALUES (?)").run(folderId);
}

export function clearProjectionDue(db: Database, folderIds: readonly number[]): void {
  const ids = JSON.stringify(folderIds);
  db.query("DELETE FROM projections_due WHERE folder_id IN (SELECT value FROM json_each(?))").run(ids);
  db.query("DELETE FROM unwritten_refs WHERE folder_id IN (SELECT value FROM json_each(?))").run(ids);
}

export function projectionsDue(db: Database): number[] {
  return db
    .query<{ folder_id: number }>("SELECT folder_id FROM projections_due")
    .all()
    .map((row) => row.folder_id);
}

export function setProjectionMark(db: Database, folderId: number, mark: string): void {
  db.query("UPDATE git_folders SET projection_mark = ? WHERE id = ?").run(mark, folderId);
}

export function projectionMarks(db: Database): { folderId: number; mark: string }[] {
  return db
    .query<{ folderId: number; mark: string }>("SELECT id AS folderId, projection_mark AS mark FROM git_folders")
    .all();
}

export interface MovedRow {
  readonly folderId: number;
  readonly name: string;
  /** When it was last moved, in milliseconds since 1970. */
  readonly at: number;
}

/** Refs below a prefix that an account moved since then, in all folders, most recent first. */
export function refsMovedBy(db: Database, actorId: number, since: number, prefix: string, limit: number): MovedRow[] {
  const sql = `SELECT folder_id AS folderId, name, max(at) AS at FROM ref_log
    WHERE actor_id = $actorId AND at >= $since AND new_oid IS NOT NULL AND substr(name, 1, length($prefix)) = $prefix
    GROUP BY folder_id, name ORDER BY max(at) DESC LIMIT $limit`;
  return db.query<MovedRow>(sql).all({ actorId, since, prefix, limit });
}

/** The account that last moved a ref; undefined if it was no account, or the log does not say. */
export function lastMoverOf(db: Database, folderId: number, name: string): number | undefined {
  const sql = "SELECT actor_id AS id FROM ref_log WHERE folder_id = ? AND name = ? ORDER BY id DESC LIMIT 1";
  return db.query<{ id: number | null }>(sql).get(folderId, name)?.id ?? undefined;
}
