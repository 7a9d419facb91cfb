import type { Database } from "../../db/database.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { ConcurrencyText } from "../workflows/types.ts";
import { Status } from "./statuses.ts";
import type { Attempt, NewRun, Run } from "./types.ts";

/** Writes runs, and reads them to decide what comes next; lists are in `lists-store.ts`. */

export interface RunRow {
  id: number;
  repo_id: number;
  number: number;
  workflow: string;
  workflow_folder: string;
  workflow_name: string;
  source_commit: string;
  title: string;
  event: string;
  ref: string;
  commit_id: string;
  user_id: number | null;
  issue_id: number | null;
  is_of_fork: number;
  needs_approval: number;
  approved_by: number | null;
  concurrency_group: string;
  concurrency_cancels: number;
  depth: number;
  status: number;
  attempt: number;
  started_at: number | null;
  stopped_at: number | null;
  created_at: number;
  updated_at: number;
}

export const runColumns = `id, repo_id, number, workflow, workflow_folder, workflow_name, source_commit, title, event, ref, commit_id,
  user_id, issue_id, is_of_fork, needs_approval, approved_by, concurrency_group, concurrency_cancels, depth, status, attempt,
  started_at, stopped_at, created_at, updated_at`;

/** A run with its concurrency group. */
export interface GroupedRun extends Run {
  readonly group: string;
  readonly groupCancels: boolean;
}

export const runOf = (row: RunRow): GroupedRun => ({
  id: row.id,
  repoId: row.repo_id,
  number: row.number,
  workflow: row.workflow,
  workflowFolder: row.workflow_folder,
  workflowName: row.workflow_name,
  sourceCommit: row.source_commit,
  title: row.title,
  event: row.event,
  ref: row.ref,
  commit: row.commit_id,
  userId: row.user_id ?? undefined,
  issueId: row.issue_id ?? undefined,
  isOfFork: row.is_of_fork === 1,
  needsApproval: row.needs_approval === 1,
  approvedBy: row.approved_by ?? undefined,
  group: row.concurrency_group,
  groupCancels: row.concurrency_cancels === 1,
  depth: row.depth,
  status: row.status as Status,
  attempt: row.attempt,
  startedAt: row.started_at ?? undefined,
  stoppedAt: row.stopped_at ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export function findRun(db: Database, id: number): GroupedRun | undefined {
  const row = db.query<RunRow>(`SELECT ${runColumns} FROM actions_runs WHERE id = ?`).get(id);
  return row ? runOf(row) : undefined;
}

/** The workflow's `concurrency` as written; undefined if it has none, or the run predates storing it. */
export function runConcurrency(db: Database, id: number): ConcurrencyText | undefined {
  const row = db.query<{ concurrency: string | null }>("SELECT concurrency FROM actions_runs WHERE id = ?").get(id);
  // Written by `insertRun`.
  return row?.concurrency ? (JSON.parse(row.concurrency) as ConcurrencyText) : undefined;
}

/** The file it was planned from, and the event's payload. */
export function runTexts(db: Database, id: number): { readonly source: string; readonly payload: JsonObject } {
  const row = db
    .query<{ source: string; payload: string }>("SELECT source, payload FROM actions_runs WHERE id = ?")
    .get(id);
  // Written by `insertRun`.
  return { source: row?.source ?? "", payload: JSON.parse(row?.payload ?? "{}") as JsonObject };
}

/** Reserves an ID that no run has had or will have. */
export function reserveRunId(db: Database): number {
  const sql = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'actions_runs' RETURNING seq";
  const raised = db.query<{ seq: number }>(sql).get();
  if (raised) return raised.seq;
  db.query("INSERT INTO sqlite_sequence (name, seq) VALUES ('actions_runs', 1)").run();
  return 1;
}

export function reserveRunNumber(db: Database, repoId: number): number {
  const sql = `INSERT INTO actions_run_numbers (repo_id, last) VALUES (?, 1)
    ON CONFLICT (repo_id) DO UPDATE SET last = last + 1 RETURNING last`;
  const row = db.query<{ last: number }>(sql).get(repoId);
  if (!row) throw new Error("a repository's runs are counted");
  return row.last;
}

/** @returns whether no run with that cause existed before */
export function insertRun(
  db: Database,
  run: Omit<NewRun, "plan">,
  {
    workflowName,
    concurrency,
    group,
    cancels,
  }: { workflowName: string; concurrency: ConcurrencyText | undefined; group: string; cancels: boolean },
  now: number,
): boolean {
  const { isOfFork, needsApproval, userId, issueId, ...values } = run;
  const made = db
    .query<{ id: number }>(
      `INSERT INTO actions_runs (id, repo_id, number, cause, workflow, workflow_folder, workflow_name, source, source_commit,
         title, event, payload, ref, commit_id, user_id, issue_id, is_of_fork, needs_approval, concurrency_group,
         concurrency_cancels, concurrency, depth, status, attempt, created_at, updated_at)
       VALUES ($id, $repoId, $number, $cause, $workflow, $workflowFolder, $workflowName, $source, $sourceCommit, $title, $event,
         $payload, $ref, $commit, $userId, $issueId, $isOfFork, $needsApproval, $group, $cancels, $concurrency, $depth, ${Status.blocked}, 1,
         $now, $now)
       ON CONFLICT (cause) DO NOTHING RETURNING id`,
    )
    .get({
      ...values,
      userId: userId ?? null,
      issueId: issueId ?? null,
      isOfFork: Number(isOfFork),
      needsApproval: Number(needsApproval),
      workflowName,
      group,
      cancels: Number(cancels),
      concurrency: concurrency ? JSON.stringify(concurrency) : null,
      now,
    });
  return made !== null;
}

/** Updates the run and its last attempt. */
export function updateRunState(
  db: Database,
  { attempt, id }: Pick<Run, "attempt" | "id">,
  state: { readonly status: Status; readonly startedAt: number | undefined; readonly stoppedAt: number | undefined },
  now: number,
): void {
  const { status, startedAt, stoppedAt } = state;
  const values = { id, status, started: startedAt ?? null, stopped: stoppedAt ?? null };
  db.query(
    "UPDATE actions_runs SET status = $status, started_at = $started, stopped_at = $stopped, updated_at = $now WHERE id = $id",
  ).run({ ...values, now });
  db.query(
    `UPDATE actions_attempts SET status = $status, started_at = $started, stopped_at = $stopped
     WHERE run_id = $id AND attempt = $attempt`,
  ).run({ ...values, attempt });
}

export function insertAttempt(
  db: Database,
  { runId, attempt, userId }: Pick<Attempt, "attempt" | "runId" | "userId">,
  now: number,
): void {
  db.query(
    `INSERT INTO actions_attempts (run_id, attempt, user_id, status, created_at)
     VALUES (?, ?, ?, ${Status.blocked}, ?)`,
  ).run(runId, attempt, userId ?? null, now);
}

/** Moves the run to another attempt, which has yet to start. */
export function setAttempt(
  db: Database,
  { attempt, id }: Pick<Run, "attempt" | "id">,
  { group, cancels }: { group: string; cancels: boolean },
): void {
  db.query(
    `UPDATE actions_runs SET attempt = $attempt, status = ${Status.blocked}, started_at = NULL, stopped_at = NULL,
       concurrency_group = $group, concurrency_cancels = $cancels WHERE id = $id`,
  ).run({ id, attempt, group, cancels: Number(cancels) });
}

/** Who asked for an attempt. */
export function attemptUser(db: Database, { attempt, id }: Pick<Run, "attempt" | "id">): number | undefined {
  const sql = "SELECT user_id FROM actions_attempts WHERE run_id = ? AND attempt = ?";
  return db.query<{ user_id: number | null }>(sql).get(id, attempt)?.user_id ?? undefined;
}

export function setApproved(db: Database, id: number, userId: number | undefined, now: number): void {
  db.query("UPDATE actions_runs SET needs_approval = 0, approved_by = ?, updated_at = ? WHERE id = ?").run(
    userId ?? null,
    now,
    id,
  );
}

export function deleteRun(db: Database, id: number): void {
  // Tasks and logs are deleted with their jobs.
  db.query("DELETE FROM actions_runs WHERE id = ?").run(id);
}

/** Unfinished runs of a repository, only those of the event if one is given. */
export function openRuns(db: Database, repoId: number, event: string | undefined): number[] {
  const sql = `SELECT id FROM actions_runs WHERE repo_id = $repoId AND status IN (5, 6, 7, 8) AND ($event IS NULL OR event = $event)`;
  return db
    .query<{ id: number }>(sql)
    .all({ repoId, event: event ?? null })
    .map(({ id }) => id);
}

export function isWorkflowDisabled(db: Database, repoId: number, workflow: string): boolean {
  const sql = "SELECT 1 FROM actions_disabled_workflows WHERE repo_id = ? AND workflow = ?";
  return db.query(sql).get(repoId, workflow) !== null;
}

/** Runs of a repository in the given group, except one. */
export function groupRuns(db: Database, repoId: number, group: string, besides: number): GroupedRun[] {
  return db
    .query<RunRow>(
      `SELECT ${runColumns} FROM actions_runs WHERE repo_id = ? AND concurrency_group = ? AND concurrency_group != ''
         AND id != ? AND status IN (5, 6, 7, 8) ORDER BY id`,
    )
    .all(repoId, group, besides)
    .map(runOf);
}
