import type { Database } from "../../db/database.ts";

export interface NewHappening {
  readonly repoId: number;
  readonly type: string;
  readonly detail: string;
  readonly userId: number | undefined;
  readonly payload: string;
  readonly isSource: boolean;
}

export interface StoredHappening extends NewHappening {
  readonly id: number;
}

export function insertHappening(db: Database, { isSource, userId, ...row }: NewHappening, now: number): void {
  db.query(
    `INSERT INTO actions_happenings (repo_id, type, detail, user_id, payload, is_source, created_at)
     VALUES ($repoId, $type, $detail, $userId, $payload, $isSource, $now)`,
  ).run({ ...row, userId: userId ?? null, isSource: Number(isSource), now });
}

/** The oldest unprocessed event of a repository. */
export function firstHappening(db: Database, repoId: number): StoredHappening | undefined {
  const sql = `SELECT id, repo_id AS repoId, type, detail, user_id AS userId, payload, is_source AS isSource
    FROM actions_happenings WHERE repo_id = ? ORDER BY id LIMIT 1`;
  const row = db
    .query<Omit<StoredHappening, "isSource" | "userId"> & { isSource: number; userId: number | null }>(sql)
    .get(repoId);
  return row ? { ...row, userId: row.userId ?? undefined, isSource: row.isSource === 1 } : undefined;
}

export function deleteHappening(db: Database, id: number): void {
  db.query("DELETE FROM actions_happenings WHERE id = ?").run(id);
}
