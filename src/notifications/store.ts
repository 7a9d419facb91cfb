import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type {
  Notification,
  NotificationFilter,
  NotificationReason,
  NotificationStatus,
  NotificationSubject,
  Receiver,
} from "./types.ts";

/** The owner of threads, with the condition for still seeing their subjects. */
export interface Viewer {
  /** Condition for `repositories` and their `owners`, with the unit in `threads.unit` (src/access). */
  readonly isVisible: string;
  readonly params: AccessParams;
}

interface Row {
  id: number;
  user_id: number;
  repo_id: number;
  issue_id: number | null;
  subject: NotificationSubject;
  status: NotificationStatus;
  reason: NotificationReason;
  created_at: number;
  updated_at: number;
}

function notificationOf(row: Row): Notification {
  return {
    id: row.id,
    userId: row.user_id,
    repoId: row.repo_id,
    issueId: row.issue_id ?? undefined,
    subject: row.subject,
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Threads with the unit that their owner must be allowed to read. */
const THREADS = `(SELECT *, CASE subject WHEN 'issue' THEN 'issues' WHEN 'pull' THEN 'pulls' ELSE '' END AS unit
  FROM notifications) AS threads`;

const WANTED = `threads.user_id = $user
  AND ($statuses = '[]' OR threads.status IN (SELECT value FROM json_each($statuses)))
  AND ($subjects = '[]' OR threads.subject IN (SELECT value FROM json_each($subjects)))
  AND ($repo IS NULL OR threads.repo_id = $repo)
  AND ($since IS NULL OR threads.updated_at >= $since)
  AND ($before IS NULL OR threads.updated_at <= $before)`;

function wantedParams(userId: number, { before, repoId, since, statuses, subjects }: NotificationFilter) {
  return {
    user: userId,
    statuses: JSON.stringify(statuses),
    subjects: JSON.stringify(subjects),
    repo: repoId ?? null,
    since: since ?? null,
    before: before ?? null,
  };
}

const fromVisible = ({ isVisible }: Viewer) => `FROM ${THREADS}
  JOIN repositories ON repositories.id = threads.repo_id
  JOIN users AS owners ON owners.id = repositories.owner_id
  WHERE ${WANTED} AND ${isVisible}`;

/** Pinned ones first if `pinnedFirst`, then last changed first. */
export function pageOfNotifications(
  db: Database,
  viewer: Viewer,
  userId: number,
  filter: NotificationFilter,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
  pinnedFirst: boolean,
): Slice<Notification> {
  const params = { ...viewer.params, ...wantedParams(userId, filter) };
  const from = fromVisible(viewer);
  const order = `${pinnedFirst ? "threads.status = 'pinned' DESC, " : ""}threads.updated_at DESC, threads.id DESC`;
  const items = db
    .query<Row>(`SELECT threads.* ${from} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset })
    .map(notificationOf);
  return { items, total: db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0 };
}

/** Keyed by the viewer's condition, a shared text of many kilobytes: every page counts unread threads. */
const unreadSql = new Map<string, string>();

export function countUnread(db: Database, { isVisible, params }: Viewer, userId: number): number {
  // Most people have none, which one index row shows.
  const any = "SELECT 1 FROM notifications WHERE user_id = ? AND status = 'unread' LIMIT 1";
  if (db.query(any).get(userId) === null) return 0;
  const sql =
    unreadSql.get(isVisible) ??
    `SELECT count(*) AS n FROM ${THREADS}
      JOIN repositories ON repositories.id = threads.repo_id
      JOIN users AS owners ON owners.id = repositories.owner_id
      WHERE threads.user_id = $user AND threads.status = 'unread' AND ${isVisible}`;
  unreadSql.set(isVisible, sql);
  return db.query<{ n: number }>(sql).get({ ...params, user: userId })?.n ?? 0;
}

export function findNotification(db: Database, id: number): Notification | undefined {
  const row = db.query<Row>("SELECT * FROM notifications WHERE id = ?").get(id);
  return row ? notificationOf(row) : undefined;
}

/** Sets the status of one thread. */
export function setStatus(db: Database, id: number, status: NotificationStatus, now: number): void {
  db.query("UPDATE notifications SET status = ?, updated_at = ? WHERE id = ?").run(status, now, id);
}

/** @returns the changed threads, last changed first */
export function setStatusOfMany(
  db: Database,
  userId: number,
  filter: NotificationFilter,
  status: NotificationStatus,
  now: number,
): Notification[] {
  const sql = `UPDATE notifications SET status = $status, updated_at = $now
    WHERE id IN (SELECT threads.id FROM notifications AS threads WHERE ${WANTED}) AND status <> $status RETURNING *`;
  const rows = db.query<Row>(sql).all({ ...wantedParams(userId, filter), status, now });
  return rows.map(notificationOf).sort((a, b) => b.id - a.id);
}

/** Marks an item's thread as read; a pinned one stays pinned. @returns whether that changed it */
export function markRead(db: Database, userId: number, issueId: number, now: number): boolean {
  const sql = `UPDATE notifications SET status = 'read', updated_at = ?
    WHERE user_id = ? AND issue_id = ? AND status = 'unread'`;
  return db.query(sql).run(now, userId, issueId).changes > 0;
}

export interface Subject {
  readonly kind: NotificationSubject;
  readonly repoId: number;
  readonly issueId: number | undefined;
}

/** Notifies someone about a subject: creates the thread, marks it unread or, if it is pinned, updates its time. */
export function notify(db: Database, { userId, reason }: Receiver, subject: Subject, now: number): void {
  const sql = `INSERT INTO notifications (user_id, repo_id, issue_id, subject, status, reason, created_at, updated_at)
    VALUES ($user, $repo, $issue, $kind, 'unread', $reason, $now, $now)
    ON CONFLICT (user_id, repo_id, coalesce(issue_id, 0)) DO UPDATE SET
      status = CASE status WHEN 'pinned' THEN 'pinned' ELSE 'unread' END, reason = $reason, updated_at = $now`;
  const { issueId, kind, repoId } = subject;
  db.query(sql).run({ user: userId, repo: repoId, issue: issueId ?? null, kind, reason, now });
}
