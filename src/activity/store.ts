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
  /** The comment concerned. */
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

/** Deletes entries from before that time, up to the limit. @returns how many */
export function deleteActivitiesBefore(db: Database, before: number, limit: number): number {
  return db
    .query(
      "DELETE FROM activities WHERE id IN (SELECT id FROM activities WHERE created_at < ? ORDER BY created_at LIMIT ?)",
    )
    .run(before, limit).changes;
}

/** The viewer: the condition for entries they may see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

const select = `SELECT activities.id, activities.actor_id AS actorId, activities.repo_id AS repoId, activities.kind,
    activities.ref_name AS refName, activities.content, activities.issue_id AS issueId, activities.entry_id AS entryId, activities.created_at AS createdAt
  FROM activities JOIN repositories ON repositories.id = activities.repo_id
    JOIN users AS owners ON owners.id = repositories.owner_id`;

/**
 * Activities in repositories that someone owns or was given access to, and their own; newest first.
 * @param shared SQL queries for the ids of repositories shared with `$user`
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

/** SQL for entries of the repositories that fulfil `condition`. */
export const inRepositories = (condition: string) =>
  `activities.repo_id IN (SELECT repositories.id FROM repositories WHERE ${condition})`;

/** SQL for activities of an account that others may see: private ones are only for itself and administrators. */
const isPersonal = "($user = $me OR $ownsAll OR repositories.is_private = 0)";

/** SQL for the activities of the account `$user`. */
export const byAccount = `activities.actor_id = $user AND ${isPersonal}`;

/** SQL for the activities of the account `$user`, and those in its repositories. */
export const aroundAccount = `activities.id IN (SELECT id FROM activities WHERE actor_id = $user
    UNION SELECT own.id FROM repositories AS owned JOIN activities AS own ON own.repo_id = owned.id WHERE owned.owner_id = $user)
  AND ${isPersonal}`;

/** Filter for a feed over REST. */
export interface FeedFilter {
  /** SQL condition for `activities`, `repositories` and `owners`; its parameters come in `params`. */
  readonly among: string;
  readonly params: Readonly<Record<string, number>>;
  /** Milliseconds since 1970: start inclusive, end exclusive. */
  readonly between: readonly [from: number, before: number] | undefined;
}

/** `seesActor` is the condition for the actor's row of `users`, as `actors`. */
export type FeedViewer = Viewer & { readonly seesActor: string };

function feedQuery(viewer: FeedViewer, { among, params, between }: FeedFilter) {
  const where = `${among}
    AND activities.kind <> 'more_refs' AND ($from IS NULL OR activities.created_at BETWEEN $from AND $before - 1)
    AND (actors.hide_activity = 0 OR actors.id = $me OR $ownsAll) AND ${viewer.seesActor} AND ${viewer.isVisible}`;
  // The join order is fixed: entries, then repositories, then actors. SQLite would start with all accounts.
  const from = `FROM activities CROSS JOIN repositories ON repositories.id = activities.repo_id
    CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    CROSS JOIN users AS actors ON actors.id = activities.actor_id`;
  return {
    sql: `${from} WHERE ${where}`,
    params: { ...viewer.params, ...params, from: between?.[0] ?? null, before: between?.[1] ?? null },
  };
}

/** A page of activities in some repositories, newest first. */
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

/** The number of entries in a feed, at most `max`. */
export function feedLength(db: Database, viewer: FeedViewer, filter: FeedFilter, max: number): number {
  const { sql, params } = feedQuery(viewer, filter);
  return (
    db.query<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 ${sql} LIMIT $max)`).get({ ...params, max })?.n ?? 0
  );
}

/** Only this many of the newest entries are counted: enough for 130 a day. */
const MAX_COUNTED = 50_000;

/**
 * Numbers of an account's activities since a time, by span, oldest first, as far as the viewer may know.
 * @param viewer.isVisible condition for `repositories` and their `owners`, by the unit of `activities`
 */
export function contributionsOf(
  db: Database,
  viewer: Viewer,
  userId: number,
  { since, spanMs }: { readonly since: number; readonly spanMs: number },
): Contributions[] {
  // Visibility is checked once per repository and span.
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
