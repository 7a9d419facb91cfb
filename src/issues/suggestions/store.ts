import type { Database } from "../../db/database.ts";

/** How many of the most recently changed items are examined: no index finds words inside titles. */
const LOOKED_THROUGH = 2_000;

/**
 * Items of a repository whose title contains the words or whose number begins with them, most recently changed first.
 */
export function suggestedIds(
  db: Database,
  repoId: number,
  kinds: { readonly issues: boolean; readonly pulls: boolean },
  words: string,
  limit: number,
): number[] {
  const recent = (isPull: 0 | 1, isClosed: 0 | 1) => `SELECT * FROM (SELECT id, number, title, updated_at FROM issues
    WHERE repo_id = $repoId AND is_pull = ${isPull} AND is_closed = ${isClosed}
    ORDER BY updated_at DESC, id DESC LIMIT ${LOOKED_THROUGH})`;
  const all = ([0, 1] as const)
    .filter((isPull) => (isPull ? kinds.pulls : kinds.issues))
    .flatMap((isPull) => [recent(isPull, 0), recent(isPull, 1)]);
  if (all.length === 0) return [];
  const sql = `SELECT id FROM (${all.join(" UNION ALL ")})
    WHERE $words = '' OR instr(lower(title), $words) > 0 OR CAST(number AS TEXT) LIKE $number
    ORDER BY number = $exact DESC, updated_at DESC, id DESC LIMIT $limit`;
  const digits = /^\d{1,9}$/.test(words) ? words : "";
  return db
    .query<{ id: number }>(sql)
    .all({ repoId, words, number: digits === "" ? "" : `${digits}%`, exact: Number(digits || "0"), limit })
    .map(({ id }) => id);
}
