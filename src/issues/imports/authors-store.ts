import type { Database } from "../../db/database.ts";

const TABLES = {
  issues: { repo: "repo_id", user: "poster_id" },
  timeline: { repo: "(SELECT repo_id FROM issues WHERE issues.id = issue_id)", user: "user_id" },
  reactions: { repo: "(SELECT repo_id FROM issues WHERE issues.id = issue_id)", user: "user_id" },
} as const;

/**
 * Assigns some of an imported author's rows in one table to their account here; an imported reaction that they have
 * also given here is left alone.
 * @param origin the server's, without a trailing slash
 * @returns whether there may be more
 */
export function giveSome(
  db: Database,
  table: keyof typeof TABLES,
  author: { readonly origin: string; readonly id: number; readonly userId: number },
  limit: number,
): boolean {
  const { repo, user } = TABLES[table];
  const sql = `UPDATE OR IGNORE ${table} SET ${user} = $userId, original_author = '', original_author_id = 0
    WHERE id IN (SELECT id FROM ${table} WHERE original_author_id = $id AND original_author_id <> 0 AND ${user} IS NULL
      AND EXISTS (SELECT 1 FROM repositories WHERE repositories.id = ${repo}
        AND substr(original_url, 1, length($origin) + 1) = $origin || '/') LIMIT $limit)`;
  return db.query(sql).run({ ...author, limit }).changes === limit;
}
