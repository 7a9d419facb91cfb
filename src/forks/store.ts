import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";

/** Who looks: the condition that holds for the `repositories` they see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

/** SQL for the number of forks of the repository `repo`. */
export const forkCount = (repo: string) => `SELECT count(*) FROM repositories AS forks WHERE forks.fork_of = ${repo}`;

export function countForks(db: Database, baseId: number): number {
  return db.query<{ n: number }>(`SELECT (${forkCount("?")}) AS n`).get(baseId)?.n ?? 0;
}

/** The forks of a repository that are seen, the first first, a page of their numbers. */
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

/** How far up and down a family of forks is looked through. */
const MAX_GENERATIONS = 10;

/** The repository that this one was forked from, or that one was, and so on; itself when it is no fork. */
export function rootOf(db: Database, id: number): number {
  const sql = `WITH RECURSIVE ancestors (id, depth) AS (SELECT ?, 0 UNION ALL SELECT repositories.fork_of, depth + 1 FROM ancestors
      JOIN repositories ON repositories.id = ancestors.id WHERE repositories.fork_of IS NOT NULL AND depth < ${MAX_GENERATIONS})
    SELECT id FROM ancestors ORDER BY depth DESC LIMIT 1`;
  return db.query<{ id: number }>(sql).get(id)?.id ?? id;
}

/** What an account has of the family with that root: the nearest to it. */
export function relativeOf(db: Database, rootId: number, ownerId: number): number | undefined {
  const sql = `WITH RECURSIVE owned (id, ancestor, depth) AS (SELECT id, id, 0 FROM repositories WHERE owner_id = $ownerId
      UNION ALL SELECT owned.id, repositories.fork_of, depth + 1 FROM owned
      JOIN repositories ON repositories.id = owned.ancestor WHERE repositories.fork_of IS NOT NULL AND depth < ${MAX_GENERATIONS})
    SELECT id FROM owned WHERE ancestor = $rootId ORDER BY depth, id LIMIT 1`;
  return db.query<{ id: number }>(sql).get({ rootId, ownerId })?.id;
}
