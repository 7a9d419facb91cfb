import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";

/** An account's explicit choice; undefined: none. */
export function findWatch(db: Database, issueId: number, userId: number): boolean | undefined {
  const sql = "SELECT is_watching AS isWatching FROM issue_watches WHERE issue_id = ? AND user_id = ?";
  const row = db.query<{ isWatching: number }>(sql).get(issueId, userId);
  return row ? row.isWatching === 1 : undefined;
}

/** @returns whether the choice changed */
export function putWatch(db: Database, issueId: number, userId: number, isWatching: boolean): boolean {
  const sql = `INSERT INTO issue_watches (issue_id, user_id, is_watching) VALUES ($issue, $user, $watching)
    ON CONFLICT (issue_id, user_id) DO UPDATE SET is_watching = $watching WHERE is_watching <> $watching`;
  return db.query(sql).run({ issue: issueId, user: userId, watching: isWatching ? 1 : 0 }).changes > 0;
}

/** Whether the account wrote the item, or something under it. */
export function takesPart(db: Database, issueId: number, userId: number): boolean {
  const sql = `SELECT 1 FROM issues WHERE id = $issue AND poster_id = $user
    UNION ALL SELECT 1 FROM timeline WHERE user_id = $user AND issue_id = $issue AND kind IN ('comment', 'code', 'review')
    LIMIT 1`;
  return db.query(sql).get({ issue: issueId, user: userId }) !== null;
}

/** Accounts that chose to watch it and are visible to the viewer. @param isVisible condition on `users` */
export function watchersOf(
  db: Database,
  issueId: number,
  viewer: { readonly isVisible: string; readonly params: AccessParams },
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<number> {
  const from = `FROM issue_watches JOIN users ON users.id = issue_watches.user_id
    WHERE issue_watches.issue_id = $issue AND issue_watches.is_watching = 1
      AND users.is_active = 1 AND users.prohibit_login = 0 AND ${viewer.isVisible}`;
  const params = { ...viewer.params, issue: issueId };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT users.id ${from} ORDER BY users.id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { items: rows.map(({ id }) => id), total };
}
