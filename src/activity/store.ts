import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";
import type { Contributions } from "./types.ts";

export interface ActivityRow {
  id: number;
  actorId: number;
  repoId: number;
  kind: string;
  refName: string;
  content: string;
  /** The comment it is about. */
  entryId: number | null;
  issueId: number | null;
  createdAt: number;
}

export function insertActivity(
  db: Database,
  row: Omit<ActivityRow, "id"> & { readonly eventId: number; readonly unit: string },
): void {
  db.query(
    `INSERT INTO activities (event_id, actor_id, repo_id, kind, unit, ref_name, content, issue_id, entry_id, created_at)
     SELECT $eventId, $actorId, $repoId, $kind, $unit, $refName, $content, $issueId, $entryId, $createdAt
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
    activities.ref_name AS refName, activities.content, activities.issue_id AS issueId, activities.entry_id AS entryId, activities.created_at AS createdAt
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

/** SQL for entries of the repositories for which `condition` holds. */
export const inRepositories = (condition: string) =>
  `activities.repo_id IN (SELECT repositories.id FROM repositories WHERE ${condition})`;

/** SQL for what others may know of an account's doings: what is private is its own and the administrators' affair. */
const isPersonal = "($user = $me OR $ownsAll OR repositories.is_private = 0)";

/** SQL for what the account `$user` did. */
export const byAccount = `activities.actor_id = $user AND ${isPersonal}`;

/** SQL for what the account `$user` did, and what happened in its repositories. */
export const aroundAccount = `activities.id IN (SELECT id FROM activities WHERE actor_id = $user
    UNION SELECT own.id FROM repositories AS owned JOIN activities AS own ON own.repo_id = owned.id WHERE owned.owner_id = $user)
  AND ${isPersonal}`;

/** Which entries a feed over REST has. */
export interface FeedFilter {
  /** SQL condition for `activities`, `repositories` and `owners`; its parameters come in `params`. */
  readonly among: string;
  readonly params: Readonly<Record<string, number>>;
  /** Milliseconds since 1970: from the first, before the second. */
  readonly between: readonly [from: number, before: number] | undefined;
}

/** `seesActor` is the condition for the row of `users` that acted, as `actors`. */
export type FeedViewer = Viewer & { readonly seesActor: string };

function feedQuery(viewer: FeedViewer, { among, params, between }: FeedFilter) {
  const where = `${among}
    AND activities.kind <> 'more_refs' AND ($from IS NULL OR activities.created_at BETWEEN $from AND $before - 1)
    AND (actors.hide_activity = 0 OR actors.id = $me OR $ownsAll) AND ${viewer.seesActor} AND ${viewer.isVisible}`;
  // In this order: the entries meant, then where they happened, then who acted. SQLite would begin with all accounts.
  const from = `FROM activities CROSS JOIN repositories ON repositories.id = activities.repo_id
    CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    CROSS JOIN users AS actors ON actors.id = activities.actor_id`;
  return {
    sql: `${from} WHERE ${where}`,
    params: { ...viewer.params, ...params, from: between?.[0] ?? null, before: between?.[1] ?? null },
  };
}

/** A page of what happened in some repositories, newest first. */
export function feedOf(
  db: Database,
  viewer: FeedViewer,
  filter: FeedFilter,
  page: { readonly limit: number; readonly offset: number },
): ActivityRow[] {
  const { sql, params } = feedQuery(viewer, filter);
  return db
    .query<ActivityRow>(
      `SELECT activities.id, activities.actor_id AS actorId, activities.repo_id AS repoId, activities.kind,
         activities.ref_name AS refName, activities.content, activities.issue_id AS issueId, activities.entry_id AS entryId, activities.created_at AS createdAt
       ${sql} ORDER BY activities.id DESC LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit: page.limit, offset: page.offset });
}

/** How many entries a feed has; from `max` on, `max`. */
export function feedLength(db: Database, viewer: FeedViewer, filter: FeedFilter, max: number): number {
  const { sql, params } = feedQuery(viewer, filter);
  return (
    db.query<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 ${sql} LIMIT $max)`).get({ ...params, max })?.n ?? 0
  );
}

/** So many of the newest entries are counted, and no more: enough for 130 a day. */
const MAX_COUNTED = 50_000;

/**
 * How much an account did since a time, by spans, the oldest first, as far as the viewer may know of it.
 * @param viewer.isVisible condition for `repositories` and their `owners`, by the unit of `activities`
 */
export function contributionsOf(
  db: Database,
  viewer: Viewer,
  userId: number,
  { since, spanMs }: { readonly since: number; readonly spanMs: number },
): Contributions[] {
  // Who may see what is asked once for all that happened in a repository within a span.
  return db
    .query<Contributions>(
      `SELECT activities.span * $spanMs AS "from", sum(activities.n) AS count
       FROM (SELECT repo_id, unit, created_at / $spanMs AS span, count(*) AS n
             FROM (SELECT repo_id, unit, created_at FROM activities WHERE actor_id = $user AND created_at >= $since
                   ORDER BY created_at DESC LIMIT ${MAX_COUNTED})
             GROUP BY repo_id, unit, span) AS activities
         JOIN repositories ON repositories.id = activities.repo_id
         JOIN users AS owners ON owners.id = repositories.owner_id
       WHERE ${isPersonal} AND ${viewer.isVisible} GROUP BY activities.span ORDER BY activities.span`,
    )
    .all({ ...viewer.params, user: userId, since, spanMs });
}
