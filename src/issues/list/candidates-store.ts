import type { Database } from "../../db/database.ts";
import { ownedBy, subscriptionsOf } from "./repositories-store.ts";
import type { Candidates, ItemScope } from "./store.ts";
import type { ItemFilter } from "./types.ts";

/** Filters that match few items are evaluated by looking those up instead of walking an index. */

/** SQL for the ids of the repositories around an account, given the parameter that names it. */
export type Around = (account: string) => string;

/** Results of a word search, in `$found` as JSON; with a number, also the item with that number, in `$number`. */
export function foundCandidates(scope: ItemScope, filter: ItemFilter): Candidates {
  const found = "SELECT value AS id FROM json_each($found)";
  if (filter.number === undefined) return { sql: found };
  const numbered =
    "repoId" in scope
      ? "SELECT id FROM issues WHERE repo_id = $repo AND number = $number"
      : "SELECT id FROM (SELECT id FROM issues WHERE number = $number ORDER BY id DESC LIMIT 5000)";
  return { sql: `${found} UNION ${numbered}` };
}

/** The filter that matches the fewest items, if it matches at most `max`. */
export function fewCandidates(
  db: Database,
  scope: ItemScope,
  filter: ItemFilter,
  around: Around,
  max: number,
): Candidates | undefined {
  const labels = (filter.labels ?? []).map((ids, at) => ({
    count: labelled(db, ids),
    sql: `SELECT DISTINCT issue_id AS id FROM issue_labels WHERE label_id IN (SELECT value FROM json_each($labels${at}))`,
  }));
  const [rarest] = labels.toSorted((a, b) => a.count - b.count);
  if (rarest && rarest.count <= max) return { sql: rarest.sql };
  const isFew = (from: string, id: number) => countFew(db, from, id, max === Infinity ? 1 : max + 1) <= max;
  if (typeof filter.assignee === "number" && isFew("issue_assignees WHERE user_id = $id", filter.assignee))
    return { sql: "SELECT issue_id AS id FROM issue_assignees WHERE user_id = $assignee" };
  if (filter.mentionedId !== undefined && isFew("issue_mentions WHERE user_id = $id", filter.mentionedId))
    return { sql: "SELECT issue_id AS id FROM issue_mentions WHERE user_id = $mentioned" };
  if (filter.milestoneIds?.length === 1 && isFew("issues WHERE milestone_id = $id", filter.milestoneIds[0] ?? 0))
    return { sql: "SELECT id FROM issues WHERE milestone_id = $milestone" };
  if (filter.subscriberId !== undefined) return { sql: subscriptionsOf("$subscriber") };
  if ("repoId" in scope) return undefined;
  if (filter.labelNames !== undefined)
    return {
      sql: `SELECT DISTINCT issue_labels.issue_id AS id FROM labels CROSS JOIN issue_labels ON issue_labels.label_id = labels.id
        WHERE labels.name IN (SELECT value FROM json_each($labelNames))`,
    };
  if (filter.ownerId !== undefined && itemsIn(db, ownedBy("$id"), filter.ownerId) <= max)
    return { sql: `SELECT id FROM issues WHERE repo_id IN (${ownedBy("$owner")})` };
  if (filter.aroundId !== undefined && itemsIn(db, around("$id"), filter.aroundId) <= max)
    return { sql: `SELECT id FROM issues WHERE repo_id IN (${around("$around")})` };
  return undefined;
}

/** How many items, open and closed, have one of these labels; from the labels' counters. */
function labelled(db: Database, labelIds: readonly number[]): number {
  const sql = "SELECT total(open_items + closed_items) AS n FROM labels WHERE id IN (SELECT value FROM json_each(?))";
  return db.query<{ n: number }>(sql).get(JSON.stringify(labelIds))?.n ?? 0;
}

/** The number of rows, at most `max`. @param from constant SQL after FROM, with `$id` */
function countFew(db: Database, from: string, id: number, max: number): number {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT $max)`;
  return db.query<{ n: number }>(sql).get({ id, max })?.n ?? 0;
}

/** How many items some repositories have, from the stored counters. @param repos SQL for their ids, with `$id` */
function itemsIn(db: Database, repos: string, id: number): number {
  const sql = `SELECT total(open_items + closed_items) AS n FROM issue_counts WHERE repo_id IN (${repos})`;
  return db.query<{ n: number }>(sql).get({ id })?.n ?? 0;
}

/** Max authors of a repository examined. */
const MAX_POSTERS = 2_000;

/** Authors of items of a kind in a repository, by name: one index seek per author, not one per item. */
export function posterIds(
  db: Database,
  { isPull, repoId }: { readonly repoId: number; readonly isPull: boolean },
  start: string,
  limit: number,
): number[] {
  const sql = `WITH RECURSIVE posters (id, n) AS (
      SELECT min(poster_id), 1 FROM issues INDEXED BY issues_by_poster_in_repo WHERE repo_id = $repoId
      UNION ALL
      SELECT (SELECT min(poster_id) FROM issues INDEXED BY issues_by_poster_in_repo
        WHERE repo_id = $repoId AND poster_id > posters.id), n + 1
      FROM posters WHERE posters.id IS NOT NULL AND n < ${MAX_POSTERS})
    SELECT users.id FROM posters CROSS JOIN users ON users.id = posters.id
    WHERE substr(users.lower_login, 1, length($start)) = $start
      AND EXISTS (SELECT 1 FROM issues INDEXED BY issues_by_poster_in_repo
        WHERE repo_id = $repoId AND poster_id = users.id AND is_pull = $isPull)
    ORDER BY users.lower_login LIMIT $limit`;
  return db
    .query<{ id: number }>(sql)
    .all({ repoId, isPull: isPull ? 1 : 0, start, limit })
    .map(({ id }) => id);
}
