import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { CodeComment, CodeLine, Review, ReviewKind } from "./types.ts";

interface ReviewRow {
  id: number;
  issue_id: number;
  kind: ReviewKind;
  reviewer_id: number | null;
  team_id: number | null;
  body: string;
  commit_id: string;
  is_official: number;
  is_stale: number;
  is_dismissed: number;
  created_at: number;
  updated_at: number;
  comments: number;
  entry_id: number | null;
  original_author: string;
}

const COLUMNS = `reviews.*,
  (SELECT count(*) FROM timeline WHERE timeline.review_id = reviews.id AND timeline.kind = 'code') AS comments,
  (SELECT min(id) FROM timeline WHERE timeline.review_id = reviews.id AND timeline.kind IN ('review', 'review_request')) AS entry_id,
  coalesce((SELECT max(original_author) FROM timeline WHERE timeline.review_id = reviews.id AND timeline.kind = 'review'), '')
    AS original_author`;

function reviewOf(row: ReviewRow): Review {
  return {
    id: row.id,
    issueId: row.issue_id,
    kind: row.kind,
    reviewerId: row.reviewer_id ?? undefined,
    originalAuthor: row.original_author,
    teamId: row.team_id ?? undefined,
    body: row.body,
    commitId: row.commit_id,
    isOfficial: row.is_official === 1,
    isStale: row.is_stale === 1,
    isDismissed: row.is_dismissed === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    comments: row.comments,
    entryId: row.entry_id ?? undefined,
  };
}

export interface NewReviewRow {
  readonly issueId: number;
  readonly kind: ReviewKind;
  readonly reviewerId: number | undefined;
  readonly teamId: number | undefined;
  readonly isOfficial: boolean;
  readonly createdAt: number;
}

/** @returns its id */
export function insertReview(db: Database, row: NewReviewRow): number {
  const sql = `INSERT INTO reviews (issue_id, kind, reviewer_id, team_id, is_official, created_at, updated_at)
    VALUES ($issueId, $kind, $reviewerId, $teamId, $isOfficial, $createdAt, $createdAt) RETURNING id`;
  const made = db.query<{ id: number }>(sql).get({
    ...row,
    reviewerId: row.reviewerId ?? null,
    teamId: row.teamId ?? null,
    isOfficial: row.isOfficial ? 1 : 0,
  });
  if (!made) throw new Error("an inserted review has a row");
  return made.id;
}

/** @param viewerId the account whose pending ones are included; "all": everyone's */
export function reviewsOf(db: Database, issueId: number, viewerId: number | "all"): Review[] {
  const sql = `SELECT ${COLUMNS} FROM reviews WHERE issue_id = $issueId AND (kind <> 'pending' OR $all OR reviewer_id = $viewerId)
    ORDER BY created_at, id`;
  const params = { issueId, all: viewerId === "all" ? 1 : 0, viewerId: viewerId === "all" ? 0 : viewerId };
  return db.query<ReviewRow>(sql).all(params).map(reviewOf);
}

/** The submitted reviews of many items, in order. */
export function reviewsOfEach(db: Database, issueIds: readonly number[]): Review[] {
  const sql = `SELECT *, 0 AS comments, NULL AS entry_id, '' AS original_author FROM reviews
    WHERE issue_id IN (SELECT value FROM json_each(?)) AND kind <> 'pending' ORDER BY updated_at, id`;
  return db.query<ReviewRow>(sql).all(JSON.stringify(issueIds)).map(reviewOf);
}

export function findReview(db: Database, id: number): Review | undefined {
  const row = db.query<ReviewRow>(`SELECT ${COLUMNS} FROM reviews WHERE id = ?`).get(id);
  return row ? reviewOf(row) : undefined;
}

export function findReviews(db: Database, ids: readonly number[]): Review[] {
  const sql = `SELECT ${COLUMNS} FROM reviews WHERE id IN (SELECT value FROM json_each(?)) ORDER BY created_at, id`;
  return db.query<ReviewRow>(sql).all(JSON.stringify(ids)).map(reviewOf);
}

export interface Submission {
  readonly kind: ReviewKind;
  readonly body: string;
  readonly commitId: Oid;
  readonly isOfficial: boolean;
  readonly isStale: boolean;
  readonly at: number;
}

export function submitReview(db: Database, id: number, row: Submission): void {
  db.query(
    `UPDATE reviews SET kind = $kind, body = $body, commit_id = $commitId, is_official = $isOfficial, is_stale = $isStale,
       updated_at = $at WHERE id = $id`,
  ).run({ ...row, id, isOfficial: row.isOfficial ? 1 : 0, isStale: row.isStale ? 1 : 0 });
}

/** Sets the fields an imported review starts with. */
export function setImportedReview(
  db: Database,
  id: number,
  row: Pick<Review, "body" | "commitId" | "isStale" | "isDismissed" | "updatedAt">,
): void {
  db.query(
    `UPDATE reviews SET body = $body, commit_id = $commitId, is_stale = $isStale, is_dismissed = $isDismissed,
       updated_at = $updatedAt WHERE id = $id`,
  ).run({ ...row, id, isStale: row.isStale ? 1 : 0, isDismissed: row.isDismissed ? 1 : 0 });
}

export function deleteReview(db: Database, id: number): void {
  db.query("DELETE FROM reviews WHERE id = ?").run(id);
}

export function setDismissed(db: Database, id: number, isDismissed: boolean, now: number): void {
  db.query("UPDATE reviews SET is_dismissed = ?, updated_at = ? WHERE id = ?").run(isDismissed ? 1 : 0, now, id);
}

export function setOfficial(db: Database, id: number, isOfficial: boolean): void {
  db.query("UPDATE reviews SET is_official = ? WHERE id = ?").run(isOfficial ? 1 : 0, id);
}

/** Makes the earlier verdicts of a reviewer stop counting. */
export function dismissEarlier(db: Database, issueId: number, reviewerId: number, id: number): void {
  db.query(
    `UPDATE reviews SET is_dismissed = 1, is_official = 0
     WHERE issue_id = ? AND reviewer_id = ? AND id <> ? AND kind IN ('approve', 'reject')`,
  ).run(issueId, reviewerId, id);
}

export function clearOfficial(db: Database, issueId: number, reviewerId: number): void {
  db.query("UPDATE reviews SET is_official = 0 WHERE issue_id = ? AND reviewer_id = ?").run(issueId, reviewerId);
}

/** @param head reviews of exactly this commit are fresh; others are stale if `changesContent` */
export function setStale(db: Database, issueId: number, head: Oid, changesContent: boolean): void {
  if (changesContent)
    db.query("UPDATE reviews SET is_stale = 1 WHERE issue_id = ? AND kind <> 'request' AND commit_id <> ?").run(
      issueId,
      head,
    );
  db.query("UPDATE reviews SET is_stale = 0 WHERE issue_id = ? AND commit_id = ?").run(issueId, head);
}

// Comments on code.

interface CommentRow {
  id: number;
  issue_id: number;
  repo_id: number;
  review_id: number | null;
  user_id: number | null;
  original_author: string;
  body: string;
  path: string;
  line: number;
  start_line: number;
  commit_id: string;
  hunk: string;
  is_outdated: number;
  resolver_id: number | null;
  resolved_at: number | null;
  created_at: number;
  updated_at: number;
}

const COMMENTS = `SELECT timeline.id, timeline.issue_id, timeline.repo_id, timeline.review_id, timeline.user_id, timeline.original_author, timeline.body,
    timeline.created_at, timeline.updated_at, code_comments.path, code_comments.line, code_comments.start_line, code_comments.commit_id,
    code_comments.hunk, code_comments.is_outdated, code_comments.resolver_id, code_comments.resolved_at
  FROM timeline JOIN code_comments ON code_comments.entry_id = timeline.id`;

function commentOf(row: CommentRow): CodeComment {
  return {
    id: row.id,
    issueId: row.issue_id,
    repoId: row.repo_id,
    reviewId: row.review_id ?? 0,
    userId: row.user_id ?? undefined,
    originalAuthor: row.original_author,
    body: row.body,
    path: row.path,
    line: row.line,
    startLine: row.start_line,
    commitId: row.commit_id,
    hunk: row.hunk,
    isOutdated: row.is_outdated === 1,
    resolverId: row.resolver_id ?? undefined,
    isResolved: row.resolved_at !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function insertCodeComment(
  db: Database,
  entryId: number,
  row: Pick<CodeComment, "path" | "line" | "startLine" | "commitId" | "hunk" | "isOutdated">,
): void {
  const { commitId, hunk, isOutdated, line, path, startLine } = row;
  db.query(
    `INSERT INTO code_comments (entry_id, path, line, start_line, commit_id, hunk, is_outdated)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(entryId, path, line, startLine, commitId, hunk, isOutdated ? 1 : 0);
}

/** By path and line, then in order. */
export function commentsOf(db: Database, reviewId: number): CodeComment[] {
  const sql = `${COMMENTS} WHERE timeline.review_id = ? ORDER BY code_comments.path, code_comments.line, timeline.id`;
  return db.query<CommentRow>(sql).all(reviewId).map(commentOf);
}

/** The comments of an item, pending ones only of that account. */
export function commentsOfIssue(db: Database, issueId: number, viewerId: number): CodeComment[] {
  const sql = `${COMMENTS} JOIN reviews ON reviews.id = timeline.review_id
    WHERE timeline.issue_id = ? AND timeline.kind = 'code' AND (reviews.kind <> 'pending' OR reviews.reviewer_id = ?)
    ORDER BY code_comments.path, code_comments.line, timeline.id`;
  return db.query<CommentRow>(sql).all(issueId, viewerId).map(commentOf);
}

/** Counts among those `commentsOfIssue` returns. */
export function countOutdated(db: Database, issueId: number, viewerId: number): number {
  const sql = `SELECT count(*) AS count FROM timeline JOIN code_comments ON code_comments.entry_id = timeline.id
    JOIN reviews ON reviews.id = timeline.review_id
    WHERE timeline.issue_id = ? AND timeline.kind = 'code' AND code_comments.is_outdated = 1
      AND (reviews.kind <> 'pending' OR reviews.reviewer_id = ?)`;
  return db.query<{ count: number }>(sql).get(issueId, viewerId)?.count ?? 0;
}

/** Those not outdated, to check whether they are by now. */
export function freshComments(db: Database, issueId: number): CodeComment[] {
  const sql = `${COMMENTS} WHERE timeline.issue_id = ? AND timeline.kind = 'code' AND code_comments.is_outdated = 0`;
  return db.query<CommentRow>(sql).all(issueId).map(commentOf);
}

export function findComment(db: Database, id: number): CodeComment | undefined {
  const row = db.query<CommentRow>(`${COMMENTS} WHERE timeline.id = ?`).get(id);
  return row ? commentOf(row) : undefined;
}

/** Returns the kind and item of a timeline entry written by a person, by its id within a repository. */
export function findWritten(db: Database, repoId: number, id: number): { kind: string; issueId: number } | undefined {
  const sql = `SELECT kind, issue_id AS issueId FROM timeline WHERE id = ? AND repo_id = ? AND kind IN ('comment', 'code', 'review')`;
  return db.query<{ kind: string; issueId: number }>(sql).get(id, repoId) ?? undefined;
}

export function setOutdated(db: Database, ids: readonly number[]): void {
  db.query("UPDATE code_comments SET is_outdated = 1 WHERE entry_id IN (SELECT value FROM json_each(?))").run(
    JSON.stringify(ids),
  );
}

/** Updates the positions that comments refer to. */
export function moveComments(db: Database, moves: readonly (CodeLine & { readonly id: number })[]): void {
  for (const { id, line, path, startLine } of moves)
    db.query("UPDATE code_comments SET path = ?, line = ?, start_line = ? WHERE entry_id = ?").run(
      path,
      line,
      startLine,
      id,
    );
}

/** A conversation is all comments of a review on one line. @param resolverId null reopens it */
export function setResolved(db: Database, comment: CodeComment, resolverId: number | null, now: number): void {
  db.query(
    `UPDATE code_comments SET resolver_id = $resolverId, resolved_at = $at
     WHERE path = $path AND line = $line AND entry_id IN (SELECT id FROM timeline WHERE review_id = $reviewId)`,
  ).run({
    resolverId,
    at: resolverId === null ? null : now,
    path: comment.path,
    line: comment.line,
    reviewId: comment.reviewId,
  });
}

/** Marks the conversation of an imported comment as resolved. */
export function setImportedThread(db: Database, entryId: number, resolverId: number | undefined, at: number): void {
  const sql = "UPDATE code_comments SET resolver_id = ?, resolved_at = ? WHERE entry_id = ?";
  db.query(sql).run(resolverId ?? null, at, entryId);
}

export function deleteEntry(db: Database, id: number): void {
  db.query("DELETE FROM timeline WHERE id = ?").run(id);
}

// Push entries.

export function pushEntries(db: Database, issueId: number): { id: number; body: string }[] {
  const sql = "SELECT id, body FROM timeline WHERE issue_id = ? AND kind = 'pull_push' ORDER BY id";
  return db.query<{ id: number; body: string }>(sql).all(issueId);
}

export function setPushEntry(db: Database, id: number, body: string): void {
  db.query("UPDATE timeline SET body = ? WHERE id = ?").run(body, id);
}

export const deletePushEntry = deleteEntry;

/** Timeline entries outlive a withdrawn request. */
export function detachEntries(db: Database, reviewId: number): void {
  db.query("UPDATE timeline SET review_id = NULL WHERE review_id = ? AND kind = 'review_request'").run(reviewId);
}

/** The item counts a submitted review as a comment for as long as it exists. */
export function uncountEntries(db: Database, { id, issueId }: Pick<Review, "id" | "issueId">): void {
  db.query(
    `UPDATE issues SET comments = comments - (SELECT count(*) FROM timeline WHERE review_id = ?1 AND kind = 'review') WHERE id = ?2`,
  ).run(id, issueId);
}
