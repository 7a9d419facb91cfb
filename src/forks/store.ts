import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";

/** The viewer: the SQL condition on the `repositories` they can see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

/** SQL for the number of forks of the repository `repo`. */
export const forkCount = (repo: string) => `SELECT count(*) FROM repositories AS forks WHERE forks.fork_of = ${repo}`;

export function countForks(db: Database, baseId: number): number {
  return db.query<{ n: number }>(`SELECT (${forkCount("?")}) AS n`).get(baseId)?.n ?? 0;
}

/** A page of ids of a repository's visible forks, oldest first. */
export function forksOf(
  db: Database,
  baseId: number,
  viewer: Viewer,
  limit: number,
  offset: number,
): { ids: number[]; total: number } {
  const from = `FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE repositories.fork_of = $base AND ${viewer.isVisible}`;
  const params = { ...viewer.params, base: baseId };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT repositories.id ${from} ORDER BY repositories.id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { ids: rows.map(({ id }) => id), total };
}
