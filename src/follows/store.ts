import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";
import type { Side } from "./types.ts";

/** SQL for the number of followers of the account `user`, and of accounts it follows. */
export const countOf = {
  followers: (user: string) => `SELECT count(*) FROM follows WHERE followed_id = ${user}`,
  following: (user: string) => `SELECT count(*) FROM follows WHERE follower_id = ${user}`,
} as const satisfies Record<Side, (user: string) => string>;

/** SQL condition: the account `user` follows `$me`. */
export const followsMe = (user: string) =>
  `EXISTS (SELECT 1 FROM follows WHERE follows.follower_id = ${user} AND follows.followed_id = $me)`;

/** For each side: the column of the given account, and that of the listed accounts. */
const columns = {
  followers: { of: "followed_id", listed: "follower_id" },
  following: { of: "follower_id", listed: "followed_id" },
} as const satisfies Record<Side, object>;

export function follows(db: Database, followerId: number, followedId: number): boolean {
  return (
    db.query("SELECT 1 FROM follows WHERE follower_id = ? AND followed_id = ?").get(followerId, followedId) !== null
  );
}

/** @returns whether that is new */
export function insertFollow(db: Database, followerId: number, followedId: number, now: number): boolean {
  const sql = "INSERT OR IGNORE INTO follows (follower_id, followed_id, created_at) VALUES (?, ?, ?)";
  return db.query(sql).run(followerId, followedId, now).changes > 0;
}

/** @returns whether there was one */
export function deleteFollow(db: Database, followerId: number, followedId: number): boolean {
  return (
    db.query("DELETE FROM follows WHERE follower_id = ? AND followed_id = ?").run(followerId, followedId).changes > 0
  );
}

/**
 * The accounts on one side, oldest first. The viewer's followers are shown to them even if private.
 * @param viewer with the condition for `users`
 */
export function listFollows(
  db: Database,
  side: Side,
  userId: number,
  viewer: { readonly isVisible: string; readonly params: AccessParams },
  page: { readonly limit: number; readonly offset: number },
): { ids: number[]; total: number } {
  const { of, listed } = columns[side];
  const followsViewer = `(NOT $publicOnly AND EXISTS
    (SELECT 1 FROM follows AS own WHERE own.follower_id = users.id AND own.followed_id = $me))`;
  const from = `FROM follows JOIN users ON users.id = follows.${listed}
    WHERE follows.${of} = $user AND (${viewer.isVisible} OR ${followsViewer})`;
  const params = { ...viewer.params, user: userId };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT users.id ${from} ORDER BY follows.created_at, users.id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit: page.limit, offset: page.offset });
  return { ids: rows.map(({ id }) => id), total };
}
