import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import { actionsUser } from "../../identity/system-users.ts";

/** The viewer: the SQL condition for binned repositories they own (src/access), and its parameters. */
export interface Viewer {
  readonly owns: string;
  readonly params: AccessParams;
}

/** The row of a deleted repository. */
export interface BinnedRow {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly isPrivate: number;
  readonly binnedAt: number;
  readonly deletedBy: number | null;
  readonly forkOf: number | null;
}

const select = `SELECT repositories.id, repositories.owner_id AS ownerId, binned.name, repositories.size_bytes AS sizeBytes,
    repositories.is_private AS isPrivate,
    repositories.binned_at AS binnedAt, binned.deleted_by AS deletedBy, binned.fork_of AS forkOf
  FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id
    JOIN binned_repositories AS binned ON binned.repo_id = repositories.id`;

/**
 * Hides a repository: its name becomes free (its row gets one with a slash, which no name has), and its forks are
 * detached.
 * @param by the account that deletes it
 */
export function putIntoBin(db: Database, id: number, by: number | undefined, now: number): void {
  db.query(
    `INSERT INTO binned_repositories (repo_id, name, fork_of, deleted_by)
     SELECT id, name, fork_of, $by FROM repositories WHERE id = $id`,
  ).run({ id, by: by ?? null });
  takeOutOfSight(db, id, now);
}

function takeOutOfSight(db: Database, id: number, now: number): void {
  db.query(
    `UPDATE repositories SET binned_at = $now, name = 'bin/' || id, lower_name = 'bin/' || id, fork_of = NULL
     WHERE id = $id`,
  ).run({ id, now });
  db.query("UPDATE repositories SET fork_of = NULL WHERE fork_of = ?").run(id);
  db.query("DELETE FROM repository_redirects WHERE repo_id = ?").run(id);
}

// A binned repository without an entry in binned_repositories is being created or erased; it belongs to a built-in
// account that is never deleted.

/** A repository being created already has a row, so that other rows can refer to it, but is not visible yet. */
export function stage(db: Database, id: number, now: number): void {
  db.query(
    `INSERT INTO repositories (id, owner_id, name, lower_name, binned_at, created_at, updated_at)
     VALUES ($id, ${actionsUser.id}, 'bin/' || $id, 'bin/' || $id, $now, $now, $now)`,
  ).run({ id, now });
}

/** Makes a repository ownerless, whether or not it was in the bin. */
export function disown(db: Database, id: number, now: number): void {
  takeOutOfSight(db, id, now);
  db.query("DELETE FROM binned_repositories WHERE repo_id = ?").run(id);
  db.query(`UPDATE repositories SET owner_id = ${actionsUser.id} WHERE id = ?`).run(id);
}

/** Ids of ownerless repositories. */
export function disowned(db: Database): number[] {
  return db
    .query<{ id: number }>(
      `SELECT id FROM repositories
       WHERE binned_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM binned_repositories WHERE repo_id = repositories.id)`,
    )
    .all()
    .map(({ id }) => id);
}

export function takeOutOfBin(
  db: Database,
  id: number,
  to: { readonly name: string; readonly forkOf: number | null; readonly now: number },
): void {
  db.query(
    `UPDATE repositories SET binned_at = NULL, name = $name, lower_name = $lower, fork_of = $forkOf, updated_at = $now
     WHERE id = $id`,
  ).run({ ...to, id, lower: to.name.toLowerCase() });
  db.query("DELETE FROM binned_repositories WHERE repo_id = ?").run(id);
}

export function findBinned(db: Database, viewer: Viewer, id: number): BinnedRow | undefined {
  const row = db.query<BinnedRow>(`${select} WHERE repositories.id = $id AND ${viewer.owns}`);
  return row.get({ ...viewer.params, id }) ?? undefined;
}

/** Most recently deleted first. @param owners only those of these accounts; undefined: of any account */
export function binned(
  db: Database,
  viewer: Viewer,
  owners: readonly number[] | undefined,
  page: { readonly limit: number; readonly offset: number },
): { items: BinnedRow[]; total: number } {
  const where = `repositories.binned_at IS NOT NULL AND ${viewer.owns}
    AND ($owners = '' OR repositories.owner_id IN (SELECT value FROM json_each($owners)))`;
  const params = { ...viewer.params, owners: owners ? JSON.stringify(owners) : "" };
  const from = `FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id
    JOIN binned_repositories AS binned ON binned.repo_id = repositories.id`;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<BinnedRow>(`${select} WHERE ${where} ORDER BY repositories.binned_at DESC, repositories.id DESC
       LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit: page.limit, offset: page.offset });
  return { items, total };
}

/** Ids of an owner's binned repositories. */
export function binnedOf(db: Database, ownerId: number): number[] {
  return db
    .query<{ id: number }>("SELECT id FROM repositories WHERE owner_id = ? AND binned_at IS NOT NULL")
    .all(ownerId)
    .map(({ id }) => id);
}

export function binnedBefore(db: Database, before: number, limit: number): number[] {
  return db
    .query<{ id: number }>(
      `SELECT id FROM repositories JOIN binned_repositories ON repo_id = id
       WHERE binned_at < ? ORDER BY binned_at LIMIT ?`,
    )
    .all(before, limit)
    .map(({ id }) => id);
}
