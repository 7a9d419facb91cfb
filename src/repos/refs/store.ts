import type { Database } from "../../db/database.ts";
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
 * The first text that sorts after everything that begins with `prefix`, so that a prefix is a range of the key: its last
 * character raised by one. A name may go on with any character, the very last one included.
 */
export function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0;
    // Surrogates are no characters, and nothing comes after the last one.
    if (code < LAST_CODE_POINT) return characters.join("") + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
  // Every name begins with a letter.
  return String.fromCodePoint(LAST_CODE_POINT);
}

export function listRefs(db: Database, repoId: number, prefix = ""): Ref[] {
  return db
    .query<Row>("SELECT name, oid, peeled FROM refs WHERE repo_id = ? AND name >= ? AND name < ? ORDER BY name")
    .all(repoId, prefix, afterPrefix(prefix))
    .map(toRef);
}

export function pageOfRefs(
  db: Database,
  repoId: number,
  prefix: string,
  part: string,
  limit: number,
  offset: number,
): { items: Ref[]; total: number } {
  const params = [repoId, prefix, afterPrefix(prefix), part.toLowerCase(), part.toLowerCase()] as const;
  const where = "repo_id = ? AND name >= ? AND name < ? AND (? = '' OR instr(lower(name), ?) > 0)";
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM refs WHERE ${where}`).get(...params)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT name, oid, peeled FROM refs WHERE ${where} ORDER BY name LIMIT ? OFFSET ?`)
    .all(...params, limit, offset)
    .map(toRef);
  return { items, total };
}

export function countRefs(db: Database, repoId: number, prefix: string): number {
  return (
    db
      .query<{ n: number }>("SELECT count(*) AS n FROM refs WHERE repo_id = ? AND name >= ? AND name < ?")
      .get(repoId, prefix, afterPrefix(prefix))?.n ?? 0
  );
}

export function findRef(db: Database, repoId: number, name: string): Ref | undefined {
  const row = db.query<Row>("SELECT name, oid, peeled FROM refs WHERE repo_id = ? AND name = ?").get(repoId, name);
  return row ? toRef(row) : undefined;
}

export function putRef(db: Database, repoId: number, ref: Ref): void {
  db.query(
    "INSERT INTO refs (repo_id, name, oid, peeled) VALUES (?, ?, ?, ?) ON CONFLICT (repo_id, name) DO UPDATE SET oid = excluded.oid, peeled = excluded.peeled",
  ).run(repoId, ref.name, ref.oid, ref.peeled ?? null);
}

export function deleteRef(db: Database, repoId: number, name: string): void {
  db.query("DELETE FROM refs WHERE repo_id = ? AND name = ?").run(repoId, name);
}

/** Whether `name` as a file would collide with a folder or the other way round (`refs/heads/a` and `refs/heads/a/b`). */
export function conflictingRef(db: Database, repoId: number, name: string): string | undefined {
  const below = db
    .query<{ name: string }>("SELECT name FROM refs WHERE repo_id = ? AND name >= ? AND name < ? LIMIT 1")
    .get(repoId, `${name}/`, afterPrefix(`${name}/`));
  if (below) return below.name;
  const parts = name.split("/");
  const above = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
  return db
    .query<{ name: string }>(
      "SELECT name FROM refs WHERE repo_id = ? AND name IN (SELECT value FROM json_each(?)) LIMIT 1",
    )
    .get(repoId, JSON.stringify(above))?.name;
}

export function logRefChange(
  db: Database,
  repoId: number,
  name: string,
  oldOid: string | null,
  newOid: string | null,
  actorId: number | null,
  at: number,
): void {
  db.query("INSERT INTO ref_log (repo_id, name, old_oid, new_oid, actor_id, at) VALUES (?, ?, ?, ?, ?, ?)").run(
    repoId,
    name,
    oldOid,
    newOid,
    actorId,
    at,
  );
}

/** Lines of the log from before that time, at most so many. @returns how many went */
export function deleteLogBefore(db: Database, before: number, limit: number): number {
  return db
    .query("DELETE FROM ref_log WHERE id IN (SELECT id FROM ref_log WHERE at < ? ORDER BY at LIMIT ?)")
    .run(before, limit).changes;
}

/** Ids that the log of the refs names in its lines since `since`. */
export function loggedOids(db: Database, repoId: number, since: number): string[] {
  return db
    .query<{ oid: string }>(
      `SELECT old_oid AS oid FROM ref_log WHERE repo_id = ?1 AND at >= ?2 AND old_oid IS NOT NULL
       UNION SELECT new_oid FROM ref_log WHERE repo_id = ?1 AND at >= ?2 AND new_oid IS NOT NULL`,
    )
    .all(repoId, since)
    .map((row) => row.oid);
}

export function refsVersion(db: Database, repoId: number): number | undefined {
  return db.query<{ version: number }>("SELECT refs_version AS version FROM repositories WHERE id = ?").get(repoId)
    ?.version;
}

export function defaultBranchOf(db: Database, repoId: number): string | undefined {
  return db.query<{ name: string }>("SELECT default_branch AS name FROM repositories WHERE id = ?").get(repoId)?.name;
}

export function raiseRefsVersion(db: Database, repoId: number): void {
  db.query("UPDATE repositories SET refs_version = refs_version + 1 WHERE id = ?").run(repoId);
}

/** Notes what the folder says of a ref that is about to change; the first note since the folder was written counts. */
export function noteUnwritten(db: Database, repoId: number, name: string, writtenOid: string | null): void {
  db.query("INSERT OR IGNORE INTO unwritten_refs (repo_id, name, written_oid) VALUES (?, ?, ?)").run(
    repoId,
    name,
    writtenOid,
  );
}

export function unwrittenRefs(db: Database, repoId: number): { name: string; writtenOid: string | null }[] {
  return db
    .query<{ name: string; writtenOid: string | null }>(
      "SELECT name, written_oid AS writtenOid FROM unwritten_refs WHERE repo_id = ?",
    )
    .all(repoId);
}

export function markProjectionDue(db: Database, repoId: number): void {
  db.query("INSERT OR IGNORE INTO projections_due (repo_id) VALUES (?)").run(repoId);
}

export function clearProjectionDue(db: Database, repoIds: readonly number[]): void {
  const ids = JSON.stringify(repoIds);
  db.query("DELETE FROM projections_due WHERE repo_id IN (SELECT value FROM json_each(?))").run(ids);
  db.query("DELETE FROM unwritten_refs WHERE repo_id IN (SELECT value FROM json_each(?))").run(ids);
}

export function projectionsDue(db: Database): number[] {
  return db
    .query<{ repo_id: number }>("SELECT repo_id FROM projections_due")
    .all()
    .map((row) => row.repo_id);
}

export function setProjectionMark(db: Database, repoId: number, mark: string): void {
  db.query("UPDATE repositories SET projection_mark = ? WHERE id = ?").run(mark, repoId);
}

export function projectionMarks(db: Database): { repoId: number; mark: string }[] {
  return db
    .query<{ repoId: number; mark: string }>("SELECT id AS repoId, projection_mark AS mark FROM repositories")
    .all();
}
