import type { Database } from "../../db/database.ts";
import { type ObjectFormat, SHA1, SHA256 } from "../../git/objects/format.ts";
import { type FolderKind, type GitFolder, isFolderKind } from "./types.ts";

interface Row {
  readonly id: number;
  readonly repoId: number;
  readonly kind: string;
  readonly objectFormat: string;
  readonly defaultBranch: string;
  readonly isEmpty: number;
  readonly refsVersion: number;
}

const columns = `id, repo_id AS repoId, kind, object_format AS objectFormat, default_branch AS defaultBranch,
  is_empty AS isEmpty, refs_version AS refsVersion`;

function toFolder(row: Row): GitFolder {
  const { kind } = row;
  if (!isFolderKind(kind)) throw new Error(`git folder ${row.id} is of the unknown kind ${kind}`);
  return { ...row, kind, objectFormat: formatOf(row.objectFormat), isEmpty: row.isEmpty === 1 };
}

export function formatOf(name: string): ObjectFormat {
  return name === SHA256.name ? SHA256 : SHA1;
}

export function findFolder(db: Database, id: number): GitFolder | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM git_folders WHERE id = ?`).get(id);
  return row ? toFolder(row) : undefined;
}

export function findFolderOf(db: Database, repoId: number, kind: FolderKind): GitFolder | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM git_folders WHERE repo_id = ? AND kind = ?`).get(repoId, kind);
  return row ? toFolder(row) : undefined;
}

export function foldersOf(db: Database, repoId: number): GitFolder[] {
  return db.query<Row>(`SELECT ${columns} FROM git_folders WHERE repo_id = ? ORDER BY id`).all(repoId).map(toFolder);
}

/** SQL: a JSON array of the default branch of the wiki of the repository whose id is `repo`; empty if it has none. */
export const wikiBranchList = (repo: string) =>
  `SELECT json_group_array(default_branch) FROM git_folders WHERE git_folders.repo_id = ${repo} AND kind = 'wiki'`;

export function allFolders(db: Database): GitFolder[] {
  return db.query<Row>(`SELECT ${columns} FROM git_folders ORDER BY id`).all().map(toFolder);
}

export function insertFolder(
  db: Database,
  folder: Pick<GitFolder, "id" | "repoId" | "kind" | "objectFormat" | "defaultBranch">,
): void {
  db.query("INSERT INTO git_folders (id, repo_id, kind, object_format, default_branch) VALUES (?, ?, ?, ?, ?)").run(
    folder.id,
    folder.repoId,
    folder.kind,
    folder.objectFormat.name,
    folder.defaultBranch,
  );
}

export function setDefaultBranch(db: Database, id: number, branch: string): void {
  db.query("UPDATE git_folders SET default_branch = ? WHERE id = ?").run(branch, id);
}

export function setFilled(db: Database, id: number): void {
  db.query("UPDATE git_folders SET is_empty = 0 WHERE id = ?").run(id);
}

export function setSize(db: Database, id: number, sizeBytes: number): void {
  db.query("UPDATE git_folders SET size_bytes = ? WHERE id = ?").run(sizeBytes, id);
}

export function deleteFolder(db: Database, id: number): void {
  db.query("DELETE FROM git_folders WHERE id = ?").run(id);
}

// The repository_storage row is inserted first and deleted last: see the migration.

export type StorageState = "making" | "live" | "trash";

export function reserveStorage(db: Database, now: number): number {
  const row = db
    .query<{ id: number }>("INSERT INTO repository_storage (state, changed_at) VALUES ('making', ?) RETURNING id")
    .get(now);
  if (!row) throw new Error("the storage row was not returned");
  return row.id;
}

export function setStorageState(db: Database, id: number, state: StorageState, now: number): void {
  db.query("UPDATE repository_storage SET state = ?, changed_at = ? WHERE id = ?").run(state, now, id);
}

export function storageState(db: Database, id: number): StorageState | undefined {
  return db.query<{ state: StorageState }>("SELECT state FROM repository_storage WHERE id = ?").get(id)?.state;
}

/** Ids without a repository row, not even one being erased. */
export function unownedStorageIn(db: Database, state: "making" | "trash"): number[] {
  return db
    .query<{ id: number }>(
      `SELECT id FROM repository_storage
       WHERE state = ? AND NOT EXISTS (SELECT 1 FROM repositories WHERE repositories.id = repository_storage.id)`,
    )
    .all(state)
    .map(({ id }) => id);
}

export function forgetStorage(db: Database, id: number): void {
  db.query("DELETE FROM repository_storage WHERE id = ? AND state <> 'live'").run(id);
}

export interface StorageRow {
  readonly id: number;
  readonly state: StorageState;
  readonly changedAt: number;
  /** null if no repository has that folder. */
  readonly name: string | null;
  readonly login: string | null;
  readonly kind: string | null;
}

/** Every folder in the database, with the repository it belongs to. */
export function storageOverview(db: Database): StorageRow[] {
  return db
    .query<StorageRow>(
      `SELECT repository_storage.id, state, changed_at AS changedAt, repositories.name, users.login, git_folders.kind
       FROM repository_storage LEFT JOIN git_folders ON git_folders.id = repository_storage.id
       LEFT JOIN repositories ON repositories.id = git_folders.repo_id
       LEFT JOIN users ON users.id = repositories.owner_id ORDER BY repository_storage.id`,
    )
    .all();
}
