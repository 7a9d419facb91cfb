import type { Level } from "../access/levels.ts";
import type { Database } from "../db/database.ts";
import { formatOf } from "./folders/store.ts";
import {
  emptySummary,
  type Repo,
  type RepoCountName,
  type RepoListName,
  type RepoSettings,
  type RepoSummary,
} from "./types.ts";

export interface RepoRow {
  id: number;
  owner_id: number;
  name: string;
  description: string;
  website: string;
  avatar: string;
  is_private: number;
  is_template: number;
  fork_of: number | null;
  is_mirror: number;
  original_url: string;
  is_archived: number;
  archived_at: number | null;
  binned_at: number | null;
  is_empty: number;
  default_branch: string;
  object_format: string;
  size_bytes: number;
  primary_language: string;
  counted_tip: string;
  commit_count: number;
  languages: string;
  licenses: string;
  settings: string;
  refs_version: number;
  pushed_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A column of the code folder's row. */
const ofCode = (column: string) =>
  `(SELECT ${column} FROM git_folders WHERE git_folders.id = repositories.id) AS ${column}`;

export const repoColumns = `repositories.id, repositories.owner_id, repositories.name, repositories.description, repositories.website, repositories.avatar,
  repositories.is_private, repositories.is_template, repositories.fork_of, repositories.is_mirror, repositories.original_url, repositories.is_archived, repositories.archived_at, repositories.binned_at, ${ofCode("is_empty")},
  ${ofCode("default_branch")}, ${ofCode("object_format")}, repositories.size_bytes, repositories.primary_language, repositories.languages, repositories.licenses, repositories.counted_tip, repositories.commit_count,
  repositories.settings, ${ofCode("refs_version")}, repositories.pushed_at, repositories.created_at, repositories.updated_at`;

export function toRepo(row: RepoRow): Repo {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    description: row.description,
    website: row.website,
    avatar: row.avatar,
    isPrivate: row.is_private === 1,
    isTemplate: row.is_template === 1,
    forkOf: row.fork_of ?? undefined,
    isMirror: row.is_mirror === 1,
    originalUrl: row.original_url,
    isArchived: row.is_archived === 1,
    archivedAt: row.archived_at ?? undefined,
    isBinned: row.binned_at !== null,
    isEmpty: row.is_empty === 1,
    defaultBranch: row.default_branch,
    objectFormat: formatOf(row.object_format),
    sizeBytes: row.size_bytes,
    primaryLanguage: row.primary_language,
    languages: JSON.parse(row.languages) as Record<string, number>,
    licenses: JSON.parse(row.licenses) as string[],
    countedTip: row.counted_tip,
    commitCount: row.commit_count,
    settings: JSON.parse(row.settings) as RepoSettings,
    refsVersion: row.refs_version,
    pushedAt: row.pushed_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function repoIdByAvatar(db: Database, address: string): number | undefined {
  return db.query<{ id: number }>("SELECT id FROM repositories WHERE avatar = ? AND avatar <> ''").get(address)?.id;
}

export function ownerOf(db: Database, id: number): number | undefined {
  return db.query<{ ownerId: number }>("SELECT owner_id AS ownerId FROM repositories WHERE id = ?").get(id)?.ownerId;
}

export function findRepoById(db: Database, id: number): Repo | undefined {
  const row = db.query<RepoRow>(`SELECT ${repoColumns} FROM repositories WHERE id = ?`).get(id);
  return row ? toRepo(row) : undefined;
}

export function findReposById(db: Database, ids: readonly number[]): Repo[] {
  if (ids.length === 0) return [];
  return db
    .query<RepoRow>(`SELECT ${repoColumns} FROM repositories WHERE id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids))
    .map(toRepo);
}

export function findRepo(db: Database, ownerId: number, name: string): Repo | undefined {
  const row = db
    .query<RepoRow>(`SELECT ${repoColumns} FROM repositories WHERE owner_id = ? AND lower_name = ?`)
    .get(ownerId, name.toLowerCase());
  return row ? toRepo(row) : undefined;
}

/** Existing repositories with these owner and repository names, in no order. */
export function findReposByNames(db: Database, names: readonly (readonly [owner: string, name: string])[]): Repo[] {
  return db
    .query<RepoRow>(
      `SELECT DISTINCT ${repoColumns} FROM json_each(?) AS wanted
       JOIN users ON users.lower_login = wanted.value ->> 0
       JOIN repositories ON repositories.owner_id = users.id AND repositories.lower_name = wanted.value ->> 1`,
    )
    .all(JSON.stringify(names.map(([owner, name]) => [owner.toLowerCase(), name.toLowerCase()])))
    .map(toRepo);
}

export function countOwned(db: Database, ownerId: number): number {
  return (
    db
      .query<{ n: number }>("SELECT count(*) AS n FROM repositories WHERE owner_id = ? AND binned_at IS NULL")
      .get(ownerId)?.n ?? 0
  );
}

export function totals(db: Database): { count: number; sizeBytes: number } {
  const sql =
    "SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS sizeBytes FROM repositories WHERE binned_at IS NULL";
  return db.query<{ count: number; sizeBytes: number }>(sql).get() ?? { count: 0, sizeBytes: 0 };
}

/** Number of repositories per account; accounts without any are left out. */
export function countOwnedByEach(db: Database, ownerIds: readonly number[]): Map<number, number> {
  const rows = db
    .query<{ owner_id: number; n: number }>(
      "SELECT owner_id, count(*) AS n FROM repositories WHERE owner_id IN (SELECT value FROM json_each(?)) AND binned_at IS NULL GROUP BY owner_id",
    )
    .all(JSON.stringify(ownerIds));
  return new Map(rows.map((row) => [row.owner_id, row.n]));
}

/** The account's fork of a repository. */
export function findForkOf(db: Database, baseId: number, ownerId: number): Repo | undefined {
  const row = db
    .query<RepoRow>(`SELECT ${repoColumns} FROM repositories WHERE fork_of = ? AND owner_id = ?`)
    .get(baseId, ownerId);
  return row ? toRepo(row) : undefined;
}

/** All direct and indirect forks of a repository, in no order. */
export function forksBelow(db: Database, id: number): Repo[] {
  return db
    .query<RepoRow>(
      `WITH RECURSIVE below (id) AS (SELECT id FROM repositories WHERE fork_of = ?
         UNION SELECT repositories.id FROM below JOIN repositories ON repositories.fork_of = below.id)
       SELECT ${repoColumns} FROM below JOIN repositories ON repositories.id = below.id`,
    )
    .all(id)
    .map(toRepo);
}

export function ownedRepos(db: Database, ownerId: number): Repo[] {
  return db
    .query<RepoRow>(`SELECT ${repoColumns} FROM repositories WHERE owner_id = ? AND binned_at IS NULL ORDER BY id`)
    .all(ownerId)
    .map(toRepo);
}

export function redirectedRepoId(db: Database, ownerId: number, name: string): number | undefined {
  return db
    .query<{ repo_id: number }>("SELECT repo_id FROM repository_redirects WHERE owner_id = ? AND lower_name = ?")
    .get(ownerId, name.toLowerCase())?.repo_id;
}

export function removeRepoRedirect(db: Database, ownerId: number, name: string): void {
  db.query("DELETE FROM repository_redirects WHERE owner_id = ? AND lower_name = ?").run(ownerId, name.toLowerCase());
}

export function addRepoRedirect(db: Database, ownerId: number, name: string, repoId: number): void {
  db.query("INSERT OR REPLACE INTO repository_redirects (owner_id, lower_name, repo_id) VALUES (?, ?, ?)").run(
    ownerId,
    name.toLowerCase(),
    repoId,
  );
}

/** @param repo its row may already have been staged */
export function insertRepo(
  db: Database,
  repo: {
    id: number;
    ownerId: number;
    name: string;
    description: string;
    isPrivate: boolean;
    isTemplate: boolean;
    forkOf: number | undefined;
    isMirror: boolean;
    originalUrl: string;
    settings: RepoSettings;
    licenses: readonly string[];
    now: number;
  },
): void {
  db.query(
    `INSERT INTO repositories (id, owner_id, name, lower_name, description, is_private, is_template, fork_of, is_mirror, original_url, settings, licenses, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET owner_id = excluded.owner_id, name = excluded.name, lower_name = excluded.lower_name,
       description = excluded.description, is_private = excluded.is_private, is_template = excluded.is_template,
       fork_of = excluded.fork_of, is_mirror = excluded.is_mirror, original_url = excluded.original_url,
       settings = excluded.settings, licenses = excluded.licenses, binned_at = NULL,
       created_at = excluded.created_at, updated_at = excluded.updated_at`,
  ).run(
    repo.id,
    repo.ownerId,
    repo.name,
    repo.name.toLowerCase(),
    repo.description,
    repo.isPrivate ? 1 : 0,
    repo.isTemplate ? 1 : 0,
    repo.forkOf ?? null,
    repo.isMirror ? 1 : 0,
    repo.originalUrl,
    JSON.stringify(repo.settings),
    JSON.stringify(repo.licenses),
    repo.now,
    repo.now,
  );
}

const editable = {
  description: "description",
  website: "website",
  avatar: "avatar",
  isPrivate: "is_private",
  isTemplate: "is_template",
  isMirror: "is_mirror",
  originalUrl: "original_url",
  isArchived: "is_archived",
  archivedAt: "archived_at",
  sizeBytes: "size_bytes",
  primaryLanguage: "primary_language",
  languages: "languages",
  licenses: "licenses",
  countedTip: "counted_tip",
  commitCount: "commit_count",
  settings: "settings",
  pushedAt: "pushed_at",
} as const;

export type RepoEdit = Partial<{
  -readonly [K in keyof typeof editable]: K extends "archivedAt"
    ? number | null
    : K extends keyof Repo
      ? Repo[K]
      : never;
}>;

/** @param now undefined leaves `updated_at` alone, for derived facts such as the size */
export function updateRepo(db: Database, id: number, edit: RepoEdit, now: number | undefined): void {
  for (const [field, value] of Object.entries(edit)) {
    if (value === undefined || !(field in editable)) continue;
    const column = editable[field as keyof typeof editable];
    const stored =
      typeof value === "boolean"
        ? value
          ? 1
          : 0
        : typeof value === "object" && value !== null
          ? JSON.stringify(value)
          : value;
    db.query(`UPDATE repositories SET ${column} = ? WHERE id = ?`).run(stored, id);
  }
  if (now !== undefined) db.query("UPDATE repositories SET updated_at = ? WHERE id = ?").run(now, id);
}

export function addSize(db: Database, id: number, bytes: number): void {
  db.query("UPDATE repositories SET size_bytes = size_bytes + ? WHERE id = ?").run(bytes, id);
}

export function renameRepoRow(db: Database, id: number, name: string, now: number): void {
  db.query("UPDATE repositories SET name = ?, lower_name = ?, updated_at = ? WHERE id = ?").run(
    name,
    name.toLowerCase(),
    now,
    id,
  );
}

export function setOwner(db: Database, id: number, ownerId: number, now: number): void {
  db.query("UPDATE repositories SET owner_id = ?, updated_at = ? WHERE id = ?").run(ownerId, now, id);
}

export function endForking(db: Database, id: number, now: number): void {
  db.query("UPDATE repositories SET fork_of = NULL, updated_at = ? WHERE id = ?").run(now, id);
}

export function deleteRepoRow(db: Database, id: number): void {
  db.query("DELETE FROM repositories WHERE id = ?").run(id);
}

export function grantedLevel(db: Database, repoId: number, userId: number): Level {
  return (
    db.query<{ level: Level }>("SELECT level FROM collaborators WHERE repo_id = ? AND user_id = ?").get(repoId, userId)
      ?.level ?? "none"
  );
}

/**
 * SQL for the branch count of the repository whose id is the expression `repo`. '0' is the character after '/', which
 * makes this a primary key range.
 */
export const branchCount = (repo: string) =>
  `SELECT count(*) FROM refs WHERE folder_id = ${repo} AND name >= 'refs/heads/' AND name < 'refs/heads0'`;

/**
 * Counts and lists that areas contribute for each of these repositories, in one query.
 * @param counts SQL by name, as passed to `addCount`; `lists` likewise for `addList`
 */
export function repoSummariesOf(
  db: Database,
  counts: ReadonlyMap<RepoCountName, string>,
  lists: ReadonlyMap<RepoListName, string>,
  repoIds: readonly number[],
): Map<number, RepoSummary> {
  const columns = [...counts, ...lists].map(([name, sql]) => `, (${sql}) AS ${name}`).join("");
  const rows = db
    .query<{ readonly id: number; readonly [name: string]: number | string }>(
      `SELECT wanted.value AS id${columns} FROM json_each(?) AS wanted`,
    )
    .all(JSON.stringify(repoIds));
  return new Map(
    rows.map(({ id, ...columns }) => {
      const values = Object.entries(columns).map(([name, value]) => [
        name,
        typeof value === "string" ? JSON.parse(value) : value,
      ]);
      return [id, { ...emptySummary, ...Object.fromEntries(values) }];
    }),
  );
}

export function addAwaitingPush(db: Database, repoId: number): void {
  db.query("INSERT INTO repositories_awaiting_push (repo_id) VALUES (?)").run(repoId);
}

export function removeAwaitingPush(db: Database, repoId: number): void {
  db.query("DELETE FROM repositories_awaiting_push WHERE repo_id = ?").run(repoId);
}

export function awaitingPush(db: Database): number[] {
  return db
    .query<{ repo_id: number }>("SELECT repo_id FROM repositories_awaiting_push")
    .all()
    .map((row) => row.repo_id);
}

/** How many levels of a fork network are followed. */
const MAX_GENERATIONS = 10;

/** Id of the root of the fork network; the repository itself if it is not a fork. */
export function rootOf(db: Database, id: number): number {
  const sql = `WITH RECURSIVE ancestors (id, depth) AS (SELECT ?, 0 UNION ALL SELECT repositories.fork_of, depth + 1 FROM ancestors
      JOIN repositories ON repositories.id = ancestors.id WHERE repositories.fork_of IS NOT NULL AND depth < ${MAX_GENERATIONS})
    SELECT id FROM ancestors ORDER BY depth DESC LIMIT 1`;
  return db.query<{ id: number }>(sql).get(id)?.id ?? id;
}

/** The account's repository in the fork network with that root, the one nearest to it. */
export function relativeOf(db: Database, rootId: number, ownerId: number): number | undefined {
  const sql = `WITH RECURSIVE owned (id, ancestor, depth) AS (SELECT id, id, 0 FROM repositories WHERE owner_id = $ownerId
      UNION ALL SELECT owned.id, repositories.fork_of, depth + 1 FROM owned
      JOIN repositories ON repositories.id = owned.ancestor WHERE repositories.fork_of IS NOT NULL AND depth < ${MAX_GENERATIONS})
    SELECT id FROM owned WHERE ancestor = $rootId ORDER BY depth, id LIMIT 1`;
  return db.query<{ id: number }>(sql).get({ rootId, ownerId })?.id;
}
