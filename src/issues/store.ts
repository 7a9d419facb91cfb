import type { Database } from "../db/database.ts";
import type { Issue, IssueParts } from "./types.ts";

interface IssueRow {
  id: number;
  repo_id: number;
  number: number;
  is_pull: number;
  poster_id: number | null;
  original_author: string;
  original_author_id: number;
  title: string;
  body: string;
  content_version: number;
  ref: string;
  milestone_id: number | null;
  is_closed: number;
  closed_at: number | null;
  is_locked: number;
  due_at: number | null;
  time_estimate: number;
  pin_order: number;
  priority: number;
  comments: number;
  tasks: number;
  tasks_done: number;
  created_at: number;
  updated_at: number;
}

function issueOf(row: IssueRow): Issue {
  return {
    id: row.id,
    repoId: row.repo_id,
    number: row.number,
    isPull: row.is_pull === 1,
    posterId: row.poster_id ?? undefined,
    originalAuthor: row.original_author,
    originalAuthorId: row.original_author_id,
    title: row.title,
    body: row.body,
    contentVersion: row.content_version,
    ref: row.ref,
    milestoneId: row.milestone_id ?? undefined,
    isClosed: row.is_closed === 1,
    closedAt: row.closed_at ?? undefined,
    isLocked: row.is_locked === 1,
    dueAt: row.due_at ?? undefined,
    timeEstimate: row.time_estimate,
    pinOrder: row.pin_order,
    priority: row.priority,
    comments: row.comments,
    tasks: row.tasks,
    tasksDone: row.tasks_done,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Takes the repository's next number: unique, and without gaps unless the transaction fails. */
export function takeNumber(db: Database, repoId: number): number {
  const sql = `INSERT INTO issue_numbers (repo_id, last) VALUES (?, 1)
    ON CONFLICT (repo_id) DO UPDATE SET last = last + 1 RETURNING last`;
  return db.query<{ last: number }>(sql).get(repoId)?.last ?? 1;
}

export interface NewIssueRow {
  readonly repoId: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly posterId: number | undefined;
  readonly title: string;
  readonly body: string;
  readonly ref: string;
  readonly milestoneId: number | undefined;
  readonly dueAt: number | undefined;
  readonly tasks: number;
  readonly tasksDone: number;
  readonly createdAt: number;
}

export function insertIssue(db: Database, row: NewIssueRow): Issue {
  const sql = `INSERT INTO issues (repo_id, number, is_pull, poster_id, title, body, ref, milestone_id, due_at, tasks,
      tasks_done, created_at, updated_at)
    VALUES ($repoId, $number, $isPull, $posterId, $title, $body, $ref, $milestoneId, $dueAt, $tasks,
      $tasksDone, $createdAt, $createdAt)
    RETURNING *`;
  const params = {
    ...row,
    isPull: row.isPull ? 1 : 0,
    posterId: row.posterId ?? null,
    milestoneId: row.milestoneId ?? null,
    dueAt: row.dueAt ?? null,
  };
  const made = db.query<IssueRow>(sql).get(params);
  if (!made) throw new Error("an inserted issue has a row");
  return issueOf(made);
}

export function findIssue(db: Database, repoId: number, number: number): Issue | undefined {
  const row = db.query<IssueRow>("SELECT * FROM issues WHERE repo_id = ? AND number = ?").get(repoId, number);
  return row ? issueOf(row) : undefined;
}

export function findIssuesById(db: Database, ids: readonly number[]): Issue[] {
  if (ids.length === 0) return [];
  const sql = "SELECT * FROM issues WHERE id IN (SELECT value FROM json_each(?))";
  return db.query<IssueRow>(sql).all(JSON.stringify(ids)).map(issueOf);
}

/** Labels and assignees of many items, in two queries. */
export function partsOf(db: Database, ids: readonly number[]): Map<number, IssueParts> {
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  const labels = db
    .query<{ issueId: number; id: number }>(
      `SELECT issue_labels.issue_id AS issueId, labels.id AS id FROM issue_labels
       JOIN labels ON labels.id = issue_labels.label_id
       WHERE issue_labels.issue_id IN (SELECT value FROM json_each(?)) ORDER BY labels.name, labels.id`,
    )
    .all(list);
  const assignees = db
    .query<{ issueId: number; id: number }>(
      `SELECT issue_id AS issueId, user_id AS id FROM issue_assignees
       WHERE issue_id IN (SELECT value FROM json_each(?)) ORDER BY user_id`,
    )
    .all(list);
  const parts = new Map(ids.map((id) => [id, { labelIds: [] as number[], assigneeIds: [] as number[] }]));
  for (const { id, issueId } of labels) parts.get(issueId)?.labelIds.push(id);
  for (const { id, issueId } of assignees) parts.get(issueId)?.assigneeIds.push(id);
  return parts;
}

/** Updates the time of the item's last activity. */
export function touchIssue(db: Database, id: number, now: number): void {
  db.query("UPDATE issues SET updated_at = max(updated_at, ?) WHERE id = ?").run(now, id);
}

/** Item fields that services change; absent fields are left unchanged. */
export interface IssueChange {
  readonly title?: string;
  readonly body?: string;
  readonly ref?: string;
  readonly contentVersion?: number;
  readonly tasks?: number;
  readonly tasksDone?: number;
  readonly milestoneId?: number | null;
  readonly dueAt?: number | null;
  readonly timeEstimate?: number;
  readonly isLocked?: number;
  readonly pinOrder?: number;
}

const columnOf: Readonly<Record<keyof IssueChange, string>> = {
  title: "title",
  body: "body",
  ref: "ref",
  contentVersion: "content_version",
  tasks: "tasks",
  tasksDone: "tasks_done",
  milestoneId: "milestone_id",
  dueAt: "due_at",
  timeEstimate: "time_estimate",
  isLocked: "is_locked",
  pinOrder: "pin_order",
};

export function updateIssue(db: Database, id: number, change: IssueChange): void {
  const names = Object.keys(change) as (keyof IssueChange)[];
  const sets = names.map((name) => `${columnOf[name]} = $${name}`).join(", ");
  db.query(`UPDATE issues SET ${sets} WHERE id = $id`).run({ ...change, id });
}

/** @returns whether the state changed */
export function setClosed(db: Database, id: number, isClosed: boolean, now: number): boolean {
  const sql = `UPDATE issues SET is_closed = $closed, closed_at = CASE WHEN $closed = 1 THEN $now END,
      updated_at = max(updated_at, $now)
    WHERE id = $id AND is_closed <> $closed`;
  return db.query(sql).run({ id, closed: isClosed ? 1 : 0, now }).changes > 0;
}

export function deleteIssue(db: Database, id: number): void {
  db.query("DELETE FROM issues WHERE id = ?").run(id);
}
