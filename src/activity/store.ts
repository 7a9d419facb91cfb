import type { Database } from "../db/database.ts";

export interface ActivityRow {
  id: number;
  actorId: number;
  repoId: number;
  kind: string;
  refName: string;
  content: string;
  createdAt: number;
}

export function insertActivity(db: Database, row: Omit<ActivityRow, "id"> & { eventId: number }): void {
  db.query(
    `INSERT INTO activities (event_id, actor_id, repo_id, kind, ref_name, content, created_at)
     SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM users WHERE id = ?) AND EXISTS (SELECT 1 FROM repositories WHERE id = ?)`,
  ).run(
    row.eventId,
    row.actorId,
    row.repoId,
    row.kind,
    row.refName,
    row.content,
    row.createdAt,
    row.actorId,
    row.repoId,
  );
}

/** Entries of before that time, at most so many. @returns how many went */
export function deleteActivitiesBefore(db: Database, before: number, limit: number): number {
  return db
    .query(
      "DELETE FROM activities WHERE id IN (SELECT id FROM activities WHERE created_at < ? ORDER BY created_at LIMIT ?)",
    )
    .run(before, limit).changes;
}

const columns =
  "id, actor_id AS actorId, repo_id AS repoId, kind, ref_name AS refName, content, created_at AS createdAt";

/** What happened in the repositories someone owns or collaborates on, and what he did himself; newest first. */
export function activitiesAround(db: Database, userId: number, before: number, limit: number): ActivityRow[] {
  return db
    .query<ActivityRow>(
      `SELECT ${columns} FROM activities WHERE id < $before AND (actor_id = $user
         OR repo_id IN (SELECT id FROM repositories WHERE owner_id = $user UNION SELECT repo_id FROM collaborators WHERE user_id = $user))
       ORDER BY id DESC LIMIT $limit`,
    )
    .all({ before, user: userId, limit });
}

export function activitiesBy(db: Database, actorId: number, before: number, limit: number): ActivityRow[] {
  return db
    .query<ActivityRow>(`SELECT ${columns} FROM activities WHERE actor_id = ? AND id < ? ORDER BY id DESC LIMIT ?`)
    .all(actorId, before, limit);
}
