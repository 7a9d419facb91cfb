import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { ReactionCount, ReactionGiver } from "./types.ts";

/** A reaction to an item (`entryId` undefined) or a comment. */
export interface Reaction {
  readonly id: number;
  readonly issueId: number;
  readonly entryId: number | undefined;
  /** undefined: someone on the forge it was imported from, who has no account here. */
  readonly userId: number | undefined;
  /** The short name of an emoji. */
  readonly content: string;
  readonly createdAt: number;
}

/** The target of a reaction. */
export interface Target {
  readonly issueId: number;
  readonly entryId: number | undefined;
}

interface ReactionRow {
  id: number;
  issue_id: number;
  entry_id: number | null;
  user_id: number | null;
  content: string;
  created_at: number;
}

const reactionOf = (row: ReactionRow): Reaction => ({
  id: row.id,
  issueId: row.issue_id,
  entryId: row.entry_id ?? undefined,
  userId: row.user_id ?? undefined,
  content: row.content,
  createdAt: row.created_at,
});

const isOn = "issue_id = $issueId AND coalesce(entry_id, 0) = $entryId";
const isOffered = "content IN (SELECT value FROM json_each($offered))";
const onTarget = ({ issueId, entryId }: Target) => ({ issueId, entryId: entryId ?? 0 });

/** @returns undefined if it already exists */
export function insertReaction(
  db: Database,
  { issueId, entryId }: Target,
  userId: number,
  content: string,
  now: number,
): Reaction | undefined {
  const sql = `INSERT INTO reactions (issue_id, entry_id, user_id, content, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING *`;
  const row = db.query<ReactionRow>(sql).get(issueId, entryId ?? null, userId, content, now);
  return row ? reactionOf(row) : undefined;
}

/** A reaction given on another forge; inserting it again changes nothing. */
export function insertImportedReaction(
  db: Database,
  { issueId, entryId }: Target,
  giver: { readonly userId: number | undefined; readonly originalAuthor: string; readonly originalAuthorId: number },
  { content, createdAt }: Pick<Reaction, "content" | "createdAt">,
): void {
  const sql = `INSERT INTO reactions (issue_id, entry_id, user_id, original_author, original_author_id, content, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
  const { originalAuthor, originalAuthorId, userId } = giver;
  db.query(sql).run(issueId, entryId ?? null, userId ?? null, originalAuthor, originalAuthorId, content, createdAt);
}

export function findReaction(db: Database, target: Target, userId: number, content: string): Reaction | undefined {
  const sql = `SELECT * FROM reactions WHERE ${isOn} AND user_id = $userId AND content = $content`;
  const row = db.query<ReactionRow>(sql).get({ ...onTarget(target), userId, content });
  return row ? reactionOf(row) : undefined;
}

/** @returns whether it existed */
export function deleteReaction(db: Database, target: Target, userId: number, content: string): boolean {
  const sql = `DELETE FROM reactions WHERE ${isOn} AND user_id = $userId AND content = $content`;
  return db.query(sql).run({ ...onTarget(target), userId, content }).changes > 0;
}

/** Oldest first, only offered emoji. */
export function reactionsOn(
  db: Database,
  target: Target,
  offered: readonly string[],
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<Reaction> {
  const params = { ...onTarget(target), offered: JSON.stringify(offered) };
  const from = `FROM reactions WHERE ${isOn} AND ${isOffered}`;
  const rows = db
    .query<ReactionRow>(`SELECT * ${from} ORDER BY id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  const { total } = db.query<{ total: number }>(`SELECT count(*) AS total ${from}`).get(params) ?? { total: 0 };
  return { items: rows.map(reactionOf), total };
}

/** All reactions to an item and the given comments, counted in one query. */
export function countReactions(
  db: Database,
  issueId: number,
  entryIds: readonly number[],
  viewerId: number,
  offered: readonly string[],
): ReactionCount[] {
  const sql = `SELECT entry_id AS entryId, content, count(*) AS count, max(user_id IS $viewerId) AS mine,
      json_group_array(json_object('userId', user_id, 'originalAuthor', original_author)) FILTER (WHERE place <= 10) AS givers
    FROM (SELECT *, row_number() OVER (PARTITION BY entry_id, content ORDER BY id) AS place FROM reactions
      WHERE issue_id = $issueId AND (entry_id IS NULL OR entry_id IN (SELECT value FROM json_each($entryIds)))
        AND ${isOffered})
    GROUP BY entry_id, content ORDER BY min(id)`;
  return db
    .query<{ entryId: number | null; content: string; count: number; mine: number; givers: string }>(sql)
    .all({ issueId, entryIds: JSON.stringify(entryIds), viewerId, offered: JSON.stringify(offered) })
    .map(({ entryId, content, count, mine, givers }) => ({
      entryId: entryId ?? undefined,
      content,
      count,
      mine: mine === 1,
      givers: JSON.parse(givers) as ReactionGiver[],
    }));
}
