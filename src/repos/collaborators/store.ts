import type { Level } from "../../access/levels.ts";
import type { Database } from "../../db/database.ts";

export function putCollaborator(db: Database, repoId: number, userId: number, level: Level, now: number): void {
  db.query(
    "INSERT INTO collaborators (repo_id, user_id, level, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (repo_id, user_id) DO UPDATE SET level = excluded.level",
  ).run(repoId, userId, level, now);
}

export function deleteCollaborator(db: Database, repoId: number, userId: number): boolean {
  return db.query("DELETE FROM collaborators WHERE repo_id = ? AND user_id = ?").run(repoId, userId).changes > 0;
}

export function collaboratorsOf(
  db: Database,
  repoId: number,
  limit: number,
  offset: number,
): { items: { userId: number; level: Level; createdAt: number }[]; total: number } {
  const total =
    db.query<{ n: number }>("SELECT count(*) AS n FROM collaborators WHERE repo_id = ?").get(repoId)?.n ?? 0;
  const items = db
    .query<{ userId: number; level: Level; createdAt: number }>(
      "SELECT user_id AS userId, level, created_at AS createdAt FROM collaborators WHERE repo_id = ? ORDER BY user_id LIMIT ? OFFSET ?",
    )
    .all(repoId, limit, offset);
  return { items, total };
}

/** Which of these accounts are collaborators. */
export function collaboratorsAmong(db: Database, repoId: number, userIds: readonly number[]): number[] {
  return db
    .query<{ id: number }>(
      "SELECT user_id AS id FROM collaborators WHERE repo_id = ? AND user_id IN (SELECT value FROM json_each(?))",
    )
    .all(repoId, JSON.stringify(userIds))
    .map(({ id }) => id);
}

/** The owner's repositories on which the account is a collaborator. */
export function collaborationsWith(db: Database, ownerId: number, userId: number): number[] {
  return db
    .query<{ id: number }>(
      `SELECT repo_id AS id FROM collaborators JOIN repositories ON repositories.id = repo_id
       WHERE user_id = ? AND owner_id = ?`,
    )
    .all(userId, ownerId)
    .map(({ id }) => id);
}
