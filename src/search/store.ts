import { existsSync, rmSync, statSync } from "node:fs";
import type { AccessParams } from "../access/conditions.ts";
import { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";

/**
 * The code index: a separate database next to the main one, which may be deleted at any time and is then recreated.
 * `texts` contains the trigrams of each text, not the text. A document is a text of one repository: its id is the
 * repository's times 2^24 plus a number, so that a search in one repository reads one range of the index.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS repos (
    repo_id INTEGER PRIMARY KEY,
    -- The commit whose files are indexed; empty while that is under way.
    commit_oid TEXT NOT NULL,
    next_document INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS files (
    repo_id INTEGER NOT NULL,
    -- As git has it, which need not be UTF-8.
    path BLOB NOT NULL,
    oid TEXT NOT NULL,
    -- 0: no text, or too large a one.
    document INTEGER NOT NULL,
    language TEXT NOT NULL,
    PRIMARY KEY (repo_id, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS files_by_document ON files (document);
  CREATE INDEX IF NOT EXISTS files_by_oid ON files (repo_id, oid);
  CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (
    body, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none
  );`;

/** Must be increased when the tables change: the index is then recreated. */
const VERSION = 1;
const DOCUMENTS = 2 ** 24;

/** Creates the index, replacing one of another version or one that cannot be read. */
export function createIndex(path: string): void {
  if (hasIndex(path)) return;
  removeIndex(path);
  const db = openIndex(path);
  try {
    db.execute(SCHEMA);
    db.execute(`PRAGMA user_version = ${VERSION}`);
  } finally {
    db.close();
  }
}

/** Opens the index for writing. Losing the latest writes only means indexing them again. */
export function openIndex(path: string): Database {
  const db = new Database(path);
  db.execute("PRAGMA synchronous = OFF");
  return db;
}

/** Whether there is an index of this version. */
export function hasIndex(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const db = new Database(path, { readonly: true });
    try {
      return db.query<{ user_version: number }>("PRAGMA user_version").get()?.user_version === VERSION;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

export function removeIndex(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}

/** Distinguishes a file from another one that replaced it; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Opens it for searching, with the main database attached to determine what the reader may see. */
export function openForSearch(path: string, mainPath: string): Database {
  const db = new Database(path, { readonly: true });
  db.query("ATTACH ? AS main_database").run(mainPath);
  return db;
}

export interface IndexedFile {
  readonly oid: Oid;
  readonly document: number;
}

/** The indexed commit of a repository; undefined if there is none. */
export function indexedCommit(db: Database, repoId: number): Oid | undefined {
  return (
    db.query<{ oid: string }>("SELECT commit_oid AS oid FROM repos WHERE repo_id = ?").get(repoId)?.oid || undefined
  );
}

/** By path as latin1 text, one character per byte. */
export function indexedFiles(db: Database, repoId: number): Map<string, IndexedFile> {
  const files = new Map<string, IndexedFile>();
  const rows = db.query<{ path: Uint8Array; oid: string; document: number }>(
    "SELECT path, oid, document FROM files WHERE repo_id = ?",
  );
  for (const { path, oid, document } of rows.iterate(repoId))
    files.set(Buffer.from(path).toString("latin1"), { oid, document });
  return files;
}

export function setIndexedCommit(db: Database, repoId: number, commit: Oid | ""): void {
  db.query(
    `INSERT INTO repos (repo_id, commit_oid, next_document) VALUES ($repo, $commit, $first)
     ON CONFLICT (repo_id) DO UPDATE SET commit_oid = $commit`,
  ).run({ repo: repoId, commit, first: repoId * DOCUMENTS });
}

export interface NewFile {
  readonly repoId: number;
  /** As latin1 text. */
  readonly path: string;
  readonly oid: Oid;
  readonly language: string;
  /** undefined if it is not searched. */
  readonly text: string | undefined;
}

/** Adds a file or replaces its content. @returns false if the repository has no document numbers left */
export function putFile(db: Database, { repoId, path, oid, language, text }: NewFile): boolean {
  const document = text === undefined ? 0 : (documentOf(db, repoId, oid) ?? newDocument(db, repoId, text));
  if (document === undefined) return false;
  removeFile(db, repoId, path);
  db.query("INSERT INTO files (repo_id, path, oid, document, language) VALUES (?, ?, ?, ?, ?)").run(
    repoId,
    Buffer.from(path, "latin1"),
    oid,
    document,
    language,
  );
  return true;
}

/** The document with the same content. */
function documentOf(db: Database, repoId: number, oid: Oid): number | undefined {
  return db
    .query<{ document: number }>("SELECT document FROM files WHERE repo_id = ? AND oid = ? LIMIT 1")
    .get(repoId, oid)?.document;
}

function newDocument(db: Database, repoId: number, text: string): number | undefined {
  const { document } = db
    .query<{ document: number }>(
      "UPDATE repos SET next_document = next_document + 1 WHERE repo_id = ? RETURNING next_document - 1 AS document",
    )
    .get(repoId)!;
  if (document >= (repoId + 1) * DOCUMENTS) return undefined;
  db.query("INSERT INTO texts (rowid, body) VALUES (?, ?)").run(document, text);
  return document;
}

/** Removes a file, and its text if no other file has it. */
export function removeFile(db: Database, repoId: number, path: string): void {
  const row = db
    .query<{ document: number }>("DELETE FROM files WHERE repo_id = ? AND path = ? RETURNING document")
    .get(repoId, Buffer.from(path, "latin1"));
  if (!row || row.document === 0) return;
  const isUsed = db.query("SELECT 1 FROM files WHERE document = ?").get(row.document) !== null;
  if (!isUsed) db.query("DELETE FROM texts WHERE rowid = ?").run(row.document);
}

/** Removes some files of a repository. @returns whether there may be more */
export function removeSome(db: Database, repoId: number, limit: number): boolean {
  const rows = db.query<{ path: Uint8Array }>("SELECT path FROM files WHERE repo_id = ? LIMIT ?").all(repoId, limit);
  for (const { path } of rows) removeFile(db, repoId, Buffer.from(path).toString("latin1"));
  if (rows.length < limit) db.query("DELETE FROM repos WHERE repo_id = ?").run(repoId);
  return rows.length === limit;
}

export interface Candidate {
  readonly repoId: number;
  readonly commit: Oid;
  readonly path: Uint8Array;
  readonly oid: Oid;
  readonly language: string;
}

export interface CandidateQuery {
  /** A full-text query; undefined to match every file. */
  readonly match: string | undefined;
  readonly language: string | undefined;
  /** The bytes of a path: matches it and anything below it. */
  readonly path: Uint8Array | undefined;
  readonly limit: number;
}

const COLUMNS = 'files.repo_id AS repoId, repos.commit_oid AS "commit", files.path, files.oid, files.language';
const FILTERS = `repos.commit_oid <> '' AND ($language IS NULL OR files.language = $language COLLATE NOCASE)
  AND ($path IS NULL OR files.path = $path OR (files.path > $below AND files.path < $behind))`;

/** Files of one repository that may match, in path order. */
export function candidatesOf(db: Database, repoId: number, query: CandidateQuery): Candidate[] {
  const from =
    query.match === undefined
      ? "FROM files JOIN repos ON repos.repo_id = files.repo_id WHERE files.repo_id = $repo AND files.document > 0"
      : `FROM files JOIN repos ON repos.repo_id = files.repo_id WHERE files.repo_id = $repo AND files.document IN
           (SELECT rowid FROM texts WHERE texts MATCH $match AND rowid BETWEEN $first AND $last)`;
  const stretch = { first: repoId * DOCUMENTS, last: (repoId + 1) * DOCUMENTS - 1 };
  return db
    .query<Candidate>(`SELECT ${COLUMNS} ${from} AND ${FILTERS} ORDER BY files.path LIMIT $limit`)
    .all({ ...valuesOf(query), repo: repoId, ...(query.match === undefined ? {} : stretch) });
}

/**
 * The same for every repository whose code the reader may see, as determined by the main database within this query.
 * @param isVisible SQL for `repositories` and their `owners` (src/access), which takes `params`
 */
export function candidatesSeen(
  db: Database,
  query: CandidateQuery & { readonly match: string },
  viewer: { readonly isVisible: string; readonly params: AccessParams },
): Candidate[] {
  return db
    .query<Candidate>(
      `SELECT ${COLUMNS} FROM texts CROSS JOIN files ON files.document = texts.rowid
         JOIN repos ON repos.repo_id = files.repo_id
         JOIN main_database.repositories AS repositories ON repositories.id = files.repo_id
         JOIN main_database.users AS owners ON owners.id = repositories.owner_id
       WHERE texts MATCH $match AND ${FILTERS} AND ${viewer.isVisible} LIMIT $limit`,
    )
    .all({ ...valuesOf(query), ...viewer.params });
}

function valuesOf({ match, language, path, limit }: CandidateQuery) {
  const around = (end: string) => (path ? Buffer.concat([path, Buffer.from(end)]) : null);
  return {
    ...(match === undefined ? {} : { match }),
    language: language ?? null,
    path: path ?? null,
    below: around("/"),
    // The character after the slash.
    behind: around("0"),
    limit,
  };
}
