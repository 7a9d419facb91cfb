import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";
import { type IdList, readIds } from "../db/id-lists.ts";
import type { Follow } from "./types.ts";

const tables = { star: "stars", watch: "watches" } as const satisfies Record<Follow, string>;

/** The viewer: the SQL condition for what they can see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

/** One page of ids, and the total over all pages. */
export interface Ids {
  readonly ids: number[];
  readonly total: number;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * SQL for the number of accounts that follow the repository `repo`, and of repositories that the account `user`
 * starred.
 */
export const followerCount = (follow: Follow) => (repo: string) =>
  `SELECT count(*) FROM ${tables[follow]} WHERE repo_id = ${repo}`;
export const starredCount = (user: string) => `SELECT count(*) FROM stars WHERE user_id = ${user}`;

/**
 * SQL condition on repositories starred by the account `user`, as far as the viewer may see that list.
 * @param seesAccount SQL condition on the account, as `starrer`
 */
export const starredBy = (user: string, seesAccount: string) =>
  `EXISTS (SELECT 1 FROM stars JOIN users AS starrer ON starrer.id = stars.user_id
     WHERE stars.repo_id = repositories.id AND stars.user_id = ${user}
       AND (stars.user_id = $me OR (${seesAccount} AND ${isPublic})))`;

/** SQL expression for sorting `repositories` by number of stars. */
export const starOrder = `(${followerCount("star")("repositories.id")})`;

const isPublic = "(repositories.is_private = 0 AND owners.visibility = 'public')";

export function countFollowers(db: Database, follow: Follow, repoId: number): number {
  return db.query<{ n: number }>(`SELECT (${followerCount(follow)("?")}) AS n`).get(repoId)?.n ?? 0;
}

export function follows(db: Database, follow: Follow, repoId: number, userId: number): boolean {
  const sql = `SELECT 1 FROM ${tables[follow]} WHERE repo_id = ? AND user_id = ?`;
  return db.query(sql).get(repoId, userId) !== null;
}

/** @returns whether it is new */
export function addFollow(db: Database, follow: Follow, repoId: number, userId: number, now: number): boolean {
  const sql = `INSERT OR IGNORE INTO ${tables[follow]} (repo_id, user_id, created_at) VALUES (?, ?, ?)`;
  return db.query(sql).run(repoId, userId, now).changes > 0;
}

/**
 * Adds an automatic watch unless the account refused it before; the site's built-in accounts, whose ids are negative,
 * watch nothing.
 */
export function addAutoWatch(db: Database, repoId: number, userId: number, now: number): void {
  db.query(
    `INSERT OR IGNORE INTO watches (repo_id, user_id, created_at, is_auto) SELECT $repo, $user, $now, 1
     WHERE $user > 0 AND NOT EXISTS (SELECT 1 FROM watch_refusals WHERE repo_id = $repo AND user_id = $user)`,
  ).run({ repo: repoId, user: userId, now });
}

/** Turns an automatic watch into an explicit one, and forgets a refusal. */
export function settleWatch(db: Database, repoId: number, userId: number): void {
  db.query("UPDATE watches SET is_auto = 0 WHERE repo_id = ? AND user_id = ? AND is_auto = 1").run(repoId, userId);
  db.query("DELETE FROM watch_refusals WHERE repo_id = ? AND user_id = ?").run(repoId, userId);
}

/** Records that an automatic watch was refused. */
export function refuseAutoWatch(db: Database, repoId: number, userId: number): void {
  db.query(
    `INSERT OR IGNORE INTO watch_refusals (repo_id, user_id)
     SELECT repo_id, user_id FROM watches WHERE repo_id = ? AND user_id = ? AND is_auto = 1`,
  ).run(repoId, userId);
}

/** @returns whether it existed */
export function removeFollow(db: Database, follow: Follow, repoId: number, userId: number): boolean {
  const sql = `DELETE FROM ${tables[follow]} WHERE repo_id = ? AND user_id = ?`;
  return db.query(sql).run(repoId, userId).changes > 0;
}

export function removeFollowsOf(db: Database, follow: Follow, repoId: number): void {
  db.query(`DELETE FROM ${tables[follow]} WHERE repo_id = ?`).run(repoId);
}

const ofOwner = "SELECT id FROM repositories WHERE owner_id = $owner";

export function removeFollowsWithOwner(db: Database, follow: Follow, ownerId: number, userId: number): void {
  const sql = `DELETE FROM ${tables[follow]} WHERE user_id = $user AND repo_id IN (${ofOwner})`;
  db.query(sql).run({ owner: ownerId, user: userId });
}

/** @param viewer with the condition on `repositories` and their `owners`: what the account can see stays */
export function removeUnseen(db: Database, follow: Follow, ownerId: number, userId: number, viewer: Viewer): void {
  db.query(
    `DELETE FROM ${tables[follow]} WHERE user_id = $user AND repo_id IN
       (SELECT repositories.id FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id
        WHERE repositories.owner_id = $owner AND NOT ${viewer.isVisible})`,
  ).run({ ...viewer.params, owner: ownerId, user: userId });
}

export function followersOfOwner(db: Database, follow: Follow, ownerId: number): number[] {
  return db
    .query<{ id: number }>(`SELECT DISTINCT user_id AS id FROM ${tables[follow]} WHERE repo_id IN (${ofOwner})`)
    .all({ owner: ownerId })
    .map(({ id }) => id);
}

export function followerIds(db: Database, follow: Follow, repoId: number): number[] {
  return db
    .query<{ id: number }>(`SELECT user_id AS id FROM ${tables[follow]} WHERE repo_id = ?`)
    .all(repoId)
    .map(({ id }) => id);
}

/** Followers of a repository, oldest first. @param viewer with the condition on `users` */
export function followersOf(db: Database, follow: Follow, repoId: number, viewer: Viewer, page: Page): Ids {
  const from = `FROM ${tables[follow]} AS followed JOIN users ON users.id = followed.user_id
    WHERE followed.repo_id = $repo AND ${viewer.isVisible}`;
  return pageOf(db, from, "users.id", "followed.created_at, users.id", { ...viewer.params, repo: repoId }, page);
}

/**
 * Ids of what an account follows, newest first; others see only public repositories of public owners.
 * @param viewer with the condition on `repositories` and their `owners`
 */
export function followedBy(db: Database, follow: Follow, userId: number, viewer: Viewer): IdList {
  const sql = `SELECT repositories.id FROM ${tables[follow]} AS followed JOIN repositories ON repositories.id = followed.repo_id
    JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE followed.user_id = $user AND ($user = $me OR ${isPublic}) AND ${viewer.isVisible}
    ORDER BY followed.created_at DESC, repositories.id DESC`;
  return readIds(db, sql, { ...viewer.params, user: userId });
}

function pageOf(
  db: Database,
  from: string,
  id: string,
  order: string,
  params: Record<string, number | string>,
  { limit, offset }: Page,
): Ids {
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT ${id} AS id ${from} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { ids: rows.map((row) => row.id), total };
}
