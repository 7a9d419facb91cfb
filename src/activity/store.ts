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

/**
 * What happened in the repositories someone owns or was given, and what they did themselves; newest first.
 * @param shared SQL queries for the ids of what `$user` was given
 */
export function activitiesAround(
  db: Database,
  viewer: Viewer,
  userId: number,
  shared: readonly string[],
  limit: number,
): ActivityRow[] {
  return db
    .query<ActivityRow>(
      `${select} WHERE (activities.actor_id = $user OR repositories.owner_id = $user
         OR activities.repo_id IN (${shared.join(" UNION ")}))
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

/** Which entries a feed over REST has. */
export interface FeedFilter {
  /** SQL condition for `repositories`; its parameters come in `params`. */
  readonly among: string;
  readonly params: Readonly<Record<string, number>>;
  /** Milliseconds since 1970: from the first, before the second. */
  readonly between: readonly [from: number, before: number] | undefined;
}

/**
 * A page of what happened in some repositories, newest first, and how much there is.
 * @param viewer.seesActor condition for the row of `users` that acted, as `actors`
 */
export function feedOf(
  db: Database,
  viewer: Viewer & { readonly seesActor: string },
  { among, params, between }: FeedFilter,
  page: { readonly limit: number; readonly offset: number },
): { items: ActivityRow[]; total: number } {
  const where = `activities.repo_id IN (SELECT repositories.id FROM repositories WHERE ${among})
    AND activities.kind <> 'more_refs' AND ($from IS NULL OR activities.created_at BETWEEN $from AND $before - 1)
    AND (actors.hide_activity = 0 OR actors.id = $me OR $ownsAll) AND ${viewer.seesActor} AND ${viewer.isVisible}`;
  const from = `FROM activities JOIN repositories ON repositories.id = activities.repo_id
    JOIN users AS owners ON owners.id = repositories.owner_id JOIN users AS actors ON actors.id = activities.actor_id`;
  const all = { ...viewer.params, ...params, from: between?.[0] ?? null, before: between?.[1] ?? null };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${where}`).get(all)?.n ?? 0;
  const items = db
    .query<ActivityRow>(
      `SELECT activities.id, activities.actor_id AS actorId, activities.repo_id AS repoId, activities.kind,
         activities.ref_name AS refName, activities.content, activities.created_at AS createdAt
       ${from} WHERE ${where} ORDER BY activities.id DESC LIMIT $limit OFFSET $offset`,
    )
    .all({ ...all, limit: page.limit, offset: page.offset });
  return { items, total };
}
