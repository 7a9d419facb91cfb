import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { Issue } from "../types.ts";
import type { NewEntry, RefAction, TimelineEntry, TimelineKind, TimeSpan } from "./types.ts";

interface EntryRow {
  id: number;
  issue_id: number;
  repo_id: number;
  kind: TimelineKind;
  user_id: number | null;
  original_author: string;
  original_author_id: number;
  body: string;
  content_version: number;
  label_id: number | null;
  old_milestone_id: number | null;
  milestone_id: number | null;
  old_project_id: number | null;
  project_id: number | null;
  assignee_id: number | null;
  team_id: number | null;
  is_removal: number;
  old_text: string;
  new_text: string;
  other_issue_id: number | null;
  other_entry_id: number | null;
  ref_action: RefAction;
  commit_id: string;
  tracked_time_id: number | null;
  review_id: number | null;
  created_at: number;
  updated_at: number;
}

function entryOf(row: EntryRow): TimelineEntry {
  return {
    id: row.id,
    issueId: row.issue_id,
    repoId: row.repo_id,
    kind: row.kind,
    userId: row.user_id ?? undefined,
    originalAuthor: row.original_author,
    originalAuthorId: row.original_author_id,
    body: row.body,
    contentVersion: row.content_version,
    labelId: row.label_id ?? undefined,
    oldMilestoneId: row.old_milestone_id ?? undefined,
    milestoneId: row.milestone_id ?? undefined,
    oldProjectId: row.old_project_id ?? 0,
    projectId: row.project_id ?? 0,
    assigneeId: row.assignee_id ?? undefined,
    teamId: row.team_id ?? undefined,
    isRemoval: row.is_removal === 1,
    oldText: row.old_text,
    newText: row.new_text,
    otherIssueId: row.other_issue_id ?? undefined,
    otherEntryId: row.other_entry_id ?? undefined,
    refAction: row.ref_action,
    commitId: row.commit_id,
    trackedTimeId: row.tracked_time_id ?? undefined,
    reviewId: row.review_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function insertEntry(
  db: Database,
  issue: Pick<Issue, "id" | "repoId">,
  userId: number | undefined,
  entry: NewEntry,
  now: number,
): TimelineEntry {
  const sql = `INSERT INTO timeline (issue_id, repo_id, kind, user_id, body, label_id, old_milestone_id, milestone_id,
      old_project_id, project_id, assignee_id, team_id, is_removal, old_text, new_text, other_issue_id, other_entry_id,
      ref_action, commit_id, tracked_time_id, review_id, original_author, original_author_id, created_at, updated_at)
    VALUES ($issueId, $repoId, $kind, $userId, $body, $labelId, $oldMilestoneId, $milestoneId,
      $oldProjectId, $projectId, $assigneeId, $teamId, $isRemoval, $oldText, $newText, $otherIssueId, $otherEntryId,
      $refAction, $commitId, $trackedTimeId, $reviewId, $originalAuthor, $originalAuthorId, $createdAt, $updatedAt)
    RETURNING *`;
  const row = db.query<EntryRow>(sql).get({
    issueId: issue.id,
    repoId: issue.repoId,
    kind: entry.kind,
    userId: userId ?? null,
    body: entry.body ?? "",
    labelId: entry.labelId ?? null,
    oldMilestoneId: entry.oldMilestoneId ?? null,
    milestoneId: entry.milestoneId ?? null,
    oldProjectId: entry.oldProjectId ?? null,
    projectId: entry.projectId ?? null,
    assigneeId: entry.assigneeId ?? null,
    teamId: entry.teamId ?? null,
    isRemoval: entry.isRemoval ? 1 : 0,
    oldText: entry.oldText ?? "",
    newText: entry.newText ?? "",
    otherIssueId: entry.otherIssueId ?? null,
    otherEntryId: entry.otherEntryId ?? null,
    refAction: entry.refAction ?? "none",
    commitId: entry.commitId ?? "",
    trackedTimeId: entry.trackedTimeId ?? null,
    reviewId: entry.reviewId ?? null,
    originalAuthor: entry.originalAuthor ?? "",
    originalAuthorId: entry.originalAuthorId ?? 0,
    createdAt: entry.createdAt ?? now,
    updatedAt: entry.updatedAt ?? entry.createdAt ?? now,
  });
  if (!row) throw new Error("an inserted entry has a row");
  return entryOf(row);
}

/** The newest comment of each of these items. */
export function latestComments(db: Database, issueIds: readonly number[]): Map<number, number> {
  const sql = `SELECT wanted.value AS issueId, (SELECT id FROM timeline
      WHERE timeline.issue_id = wanted.value AND timeline.kind = 'comment' ORDER BY created_at DESC, id DESC LIMIT 1) AS id
    FROM json_each(?) AS wanted`;
  const rows = db.query<{ issueId: number; id: number | null }>(sql).all(JSON.stringify(issueIds));
  return new Map(rows.flatMap(({ issueId, id }) => (id === null ? [] : [[issueId, id]])));
}

/** A timeline's viewer: entries referring to items they may not read are hidden. */
export interface TimelineViewer {
  /** Conditions on `repositories` with their `owners`, by kind of the item referred to. */
  readonly readsIssues: string;
  readonly readsPulls: string;
  readonly params: AccessParams;
}

/** The API shows whole seconds: a time taken from it must include the entry it was shown for. */
const within = `($since IS NULL OR timeline.updated_at / 1000 >= $since / 1000)
  AND ($before IS NULL OR timeline.updated_at / 1000 <= $before / 1000)`;

const spanOf = ({ since, before }: TimeSpan) => ({ since: since ?? null, before: before ?? null });

/** An item's entries visible to the viewer, without comments on lines, which belong to reviews. */
const isListed = ({ readsIssues, readsPulls }: TimelineViewer) => `timeline.issue_id = $issueId
  AND timeline.kind <> 'code' AND (timeline.other_issue_id IS NULL OR EXISTS (
    SELECT 1 FROM issues AS others
    JOIN repositories ON repositories.id = others.repo_id
    JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE others.id = timeline.other_issue_id AND CASE others.is_pull WHEN 1 THEN ${readsPulls} ELSE ${readsIssues} END))`;

export function listEntries(
  db: Database,
  issueId: number,
  viewer: TimelineViewer,
  span: TimeSpan,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<TimelineEntry> {
  const where = `${isListed(viewer)} AND ${within}`;
  const params = { ...viewer.params, ...spanOf(span), issueId };
  const rows = db
    .query<EntryRow>(
      `SELECT timeline.* FROM timeline WHERE ${where} ORDER BY created_at, id LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset });
  const { total } = db
    .query<{ total: number }>(`SELECT count(*) AS total FROM timeline WHERE ${where}`)
    .get(params) ?? {
    total: 0,
  };
  return { items: rows.map(entryOf), total };
}

export function findEntry(db: Database, repoId: number, id: number): TimelineEntry | undefined {
  const row = db.query<EntryRow>("SELECT * FROM timeline WHERE id = ? AND repo_id = ?").get(id, repoId);
  return row ? entryOf(row) : undefined;
}

export function findReviewEntry(db: Database, reviewId: number): number | undefined {
  const sql = "SELECT id FROM timeline WHERE review_id = ? AND kind = 'review'";
  return db.query<{ id: number }>(sql).get(reviewId)?.id;
}

export function findEntries(db: Database, ids: readonly number[]): Map<number, TimelineEntry> {
  const sql = "SELECT * FROM timeline WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<EntryRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, entryOf(row)]),
  );
}

/** All comments of an item, oldest first. */
export function commentsOf(db: Database, issueId: number, span: TimeSpan): TimelineEntry[] {
  const sql = `SELECT timeline.* FROM timeline WHERE issue_id = $issueId AND kind = 'comment' AND ${within}
    ORDER BY created_at, id`;
  return db
    .query<EntryRow>(sql)
    .all({ issueId, ...spanOf(span) })
    .map(entryOf);
}

/** Comments of a repository's issues, pull requests or both, oldest first. */
export function commentsIn(
  db: Database,
  repoId: number,
  kinds: { readonly issues: boolean; readonly pulls: boolean },
  span: TimeSpan,
  { limit, offset }: Paging,
): Slice<TimelineEntry> {
  const from = `FROM timeline JOIN issues ON issues.id = timeline.issue_id
    WHERE timeline.repo_id = $repoId AND timeline.kind = 'comment' AND ${within}
      AND (($issues AND issues.is_pull = 0) OR ($pulls AND issues.is_pull = 1))`;
  const params = { repoId, ...spanOf(span), issues: kinds.issues ? 1 : 0, pulls: kinds.pulls ? 1 : 0 };
  const rows = db
    .query<EntryRow>(`SELECT timeline.* ${from} ORDER BY timeline.created_at, timeline.id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  const isWhole = span.since === undefined && span.before === undefined;
  const total = isWhole
    ? (kinds.issues ? commentsOfIssues(db, repoId) : 0) + (kinds.pulls ? commentsOfPulls(db, repoId) : 0)
    : (db.query<{ total: number }>(`SELECT count(*) AS total ${from}`).get(params)?.total ?? 0);
  return { items: rows.map(entryOf), total };
}

/** From the issues' counters: visiting a million comments takes a second. */
function commentsOfIssues(db: Database, repoId: number): number {
  const sql = "SELECT total(comments) AS total FROM issues WHERE repo_id = ? AND is_pull = 0";
  return db.query<{ total: number }>(sql).get(repoId)?.total ?? 0;
}

/** Counters of pull requests include their reviews, so comments are counted one by one. */
function commentsOfPulls(db: Database, repoId: number): number {
  const sql = `SELECT count(*) AS total FROM issues CROSS JOIN timeline ON timeline.issue_id = issues.id
    WHERE issues.repo_id = ? AND issues.is_pull = 1 AND timeline.kind = 'comment'`;
  return db.query<{ total: number }>(sql).get(repoId)?.total ?? 0;
}

/** Comments and reviews are counted as they are added and removed. */
export function countComment(db: Database, issueId: number, by: number): void {
  db.query("UPDATE issues SET comments = max(0, comments + ?) WHERE id = ?").run(by, issueId);
}

/** @returns undefined if its text changed meanwhile */
export function updateBody(
  db: Database,
  { id, contentVersion }: TimelineEntry,
  body: string,
  now: number,
): TimelineEntry | undefined {
  const sql = `UPDATE timeline SET body = ?, content_version = content_version + 1, updated_at = ?
    WHERE id = ? AND content_version = ? RETURNING *`;
  const row = db.query<EntryRow>(sql).get(body, now, id, contentVersion);
  return row ? entryOf(row) : undefined;
}

export function deleteEntry(db: Database, id: number): void {
  db.query("DELETE FROM timeline WHERE id = ?").run(id);
}

/** Accounts that wrote something under an item, in order of their first entry. */
export function participantsOf(db: Database, issueId: number, limit: number): number[] {
  const sql = `SELECT user_id AS id FROM timeline
    WHERE issue_id = ? AND kind IN ('comment', 'code', 'review') AND user_id IS NOT NULL
    GROUP BY user_id ORDER BY min(id) LIMIT ?`;
  return db
    .query<{ id: number }>(sql)
    .all(issueId, limit)
    .map(({ id }) => id);
}

/** How many entries precede that one in its item's list. */
export function countBefore(db: Database, { createdAt, id, issueId }: TimelineEntry, viewer: TimelineViewer): number {
  const sql = `SELECT count(*) AS count FROM timeline
    WHERE ${isListed(viewer)} AND (timeline.created_at, timeline.id) < ($createdAt, $id)`;
  return db.query<{ count: number }>(sql).get({ ...viewer.params, issueId, createdAt, id })?.count ?? 0;
}
