import type { AccessParams } from "../access/conditions.ts";
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

export function insertActivity(
  db: Database,
  row: Omit<ActivityRow, "id"> & { readonly eventId: number; readonly unit: string },
): void {
  db.query(
    `INSERT INTO activities (event_id, actor_id, repo_id, kind, unit, ref_name, content, created_at)
     SELECT $eventId, $actorId, $repoId, $kind, $unit, $refName, $content, $createdAt
     WHERE EXISTS (SELECT 1 FROM users WHERE id = $actorId) AND EXISTS (SELECT 1 FROM repositories WHERE id = $repoId)`,
  ).run({ ...row });
}

/** Entries of before that time, at most so many. @returns how many went */
export function deleteActivitiesBefore(db: Database, before: number, limit: number): number {
  return db
    .query(
      "DELETE FROM activities WHERE id IN (SELECT id FROM activities WHERE created_at < ? ORDER BY created_at LIMIT ?)",
    )
    .run(before, limit).changes;
}

/** Who looks: the condition that holds for the entries they may see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

const select = `SELECT activities.id, activities.actor_id AS actorId, activities.repo_id AS repoId, activities.kind,
    activities.ref_name AS refName, activities.content, activities.created_at AS createdAt
  FROM activities JOIN repositories ON repositories.id = activities.repo_id
    JOIN users AS owners ON owners.id = repositories.owner_id`;

/** What happened in the repositories someone owns or collaborates on, and what they did themselves; newest first. */
export function activitiesAround(db: Database, viewer: Viewer, userId: number, limit: number): ActivityRow[] {
  return db
    .query<ActivityRow>(
      `${select} WHERE (activities.actor_id = $user OR repositories.owner_id = $user
         OR activities.repo_id IN (SELECT repo_id FROM collaborators WHERE user_id = $user))
         AND ${viewer.isVisible} ORDER BY activities.id DESC LIMIT $limit`,
    )
    .all({ ...viewer.params, user: userId, limit });
}

export function activitiesBy(db: Database, viewer: Viewer, actorId: number, limit: number): ActivityRow[] {
  return db
    .query<ActivityRow>(
      `${select} WHERE activities.actor_id = $actor AND ${viewer.isVisible} ORDER BY activities.id DESC LIMIT $limit`,
    )
    .all({ ...viewer.params, actor: actorId, limit });
}

/** What happened in a repository, newest first. */
export function activitiesIn(db: Database, viewer: Viewer, repoId: number, limit: number): ActivityRow[] {
  return db
    .query<ActivityRow>(
      `${select} WHERE activities.repo_id = $repo AND ${viewer.isVisible} ORDER BY activities.id DESC LIMIT $limit`,
    )
    .all({ ...viewer.params, repo: repoId, limit });
}
