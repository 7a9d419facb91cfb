import type { Database } from "../../db/database.ts";
import type { JobPlan, JsonObject } from "../workflows/types.ts";
import { Status } from "./statuses.ts";
import type { Attempt, Job, NewRun, Run } from "./types.ts";

/** What is written of runs, and read to decide what comes next; lists are in `lists-store.ts`. */

interface RunRow {
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

const runColumns = `id, repo_id, number, workflow, workflow_folder, workflow_name, source_commit, title, event, ref, commit_id,
  user_id, issue_id, is_of_fork, needs_approval, approved_by, concurrency_group, concurrency_cancels, depth, status, attempt,
  started_at, stopped_at, created_at, updated_at`;

/** A run with its group. */
export interface GroupedRun extends Run {
  readonly group: string;
  readonly groupCancels: boolean;
}

const runOf = (row: RunRow): GroupedRun => ({
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

/** The file it was planned from, and what happened. */
export function runTexts(db: Database, id: number): { readonly source: string; readonly payload: JsonObject } {
  const row = db
    .query<{ source: string; payload: string }>("SELECT source, payload FROM actions_runs WHERE id = ?")
    .get(id);
  // Written by `insertRun`.
  return { source: row?.source ?? "", payload: JSON.parse(row?.payload ?? "{}") as JsonObject };
}

/** A number that no run has had or will have. */
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

/** @returns whether nothing made a run of that cause before */
export function insertRun(
  db: Database,
  run: Omit<NewRun, "plan">,
  { workflowName, group, cancels }: { workflowName: string; group: string; cancels: boolean },
  now: number,
): boolean {
  const { isOfFork, needsApproval, userId, issueId, ...values } = run;
  const made = db
    .query<{ id: number }>(
      `INSERT INTO actions_runs (id, repo_id, number, cause, workflow, workflow_folder, workflow_name, source, source_commit,
         title, event, payload, ref, commit_id, user_id, issue_id, is_of_fork, needs_approval, concurrency_group,
         concurrency_cancels, depth, status, attempt, created_at, updated_at)
       VALUES ($id, $repoId, $number, $cause, $workflow, $workflowFolder, $workflowName, $source, $sourceCommit, $title, $event,
         $payload, $ref, $commit, $userId, $issueId, $isOfFork, $needsApproval, $group, $cancels, $depth, ${Status.blocked}, 1,
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
      now,
    });
  return made !== null;
}

/** Of the run and of its last attempt. */
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

/** The run goes on to another attempt, which has yet to start. */
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
  // Tasks and logs go with their jobs.
  db.query("DELETE FROM actions_runs WHERE id = ?").run(id);
}

/** Runs of a repository that are not done, of that event if one is named. */
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

/** Of runs of a repository with that group, besides one. */
export function groupRuns(db: Database, repoId: number, group: string, besides: number): GroupedRun[] {
  return db
    .query<RunRow>(
      `SELECT ${runColumns} FROM actions_runs WHERE repo_id = ? AND concurrency_group = ? AND concurrency_group != ''
         AND id != ? AND status IN (5, 6, 7, 8) ORDER BY id`,
    )
    .all(repoId, group, besides)
    .map(runOf);
}

/** What the server adds to a plan once it is known. */
export interface StoredPlan extends JobPlan {
  /** Of a call: the file it came to. */
  readonly called?: CalledPlan | undefined;
  /** Of a call that is done. */
  readonly outputs?: Readonly<Record<string, string>> | undefined;
}

export interface CalledPlan {
  readonly repoId: number;
  readonly commit: string;
  readonly path: string;
  readonly source: string;
  readonly inputs: JsonObject;
}

/** A job as it is decided about: its plan is without what only its runner reads. */
export interface OpenJob extends Omit<Job, "plan"> {
  readonly plan: Omit<StoredPlan, "payload" | "stepNames">;
  readonly group: string;
  readonly groupCancels: boolean;
}

interface JobRow {
  id: number;
  run_id: number;
  repo_id: number;
  attempt: number;
  parent_id: number | null;
  key: string;
  name: string;
  plan: string;
  needs: string;
  runs_on: string;
  concurrency_group: string;
  concurrency_cancels: number;
  status: number;
  task_id: number | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  stopped_at: number | null;
}

const jobColumnsWith = (
  plan: string,
) => `id, run_id, repo_id, attempt, parent_id, key, name, ${plan} AS plan, needs, runs_on,
  concurrency_group, concurrency_cancels, status, task_id, created_at, updated_at, started_at, stopped_at`;
const openColumns = jobColumnsWith("json_remove(plan, '$.payload', '$.stepNames')");

const openJobOf = (row: JobRow): OpenJob => ({
  id: row.id,
  runId: row.run_id,
  repoId: row.repo_id,
  attempt: row.attempt,
  parentId: row.parent_id ?? undefined,
  key: row.key,
  name: row.name,
  // Written by `insertJob` and `updatePlan`.
  plan: JSON.parse(row.plan) as OpenJob["plan"],
  needs: JSON.parse(row.needs) as string[],
  runsOn: JSON.parse(row.runs_on) as string[],
  group: row.concurrency_group,
  groupCancels: row.concurrency_cancels === 1,
  status: row.status as Status,
  taskId: row.task_id ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  startedAt: row.started_at ?? undefined,
  stoppedAt: row.stopped_at ?? undefined,
});

/** In the order in which they were planned. */
export function jobsOfAttempt(db: Database, runId: number, attempt: number): OpenJob[] {
  const sql = `SELECT ${openColumns} FROM actions_jobs WHERE run_id = ? AND attempt = ? ORDER BY id`;
  return db.query<JobRow>(sql).all(runId, attempt).map(openJobOf);
}

export function findJob(db: Database, id: number): OpenJob | undefined {
  const row = db.query<JobRow>(`SELECT ${openColumns} FROM actions_jobs WHERE id = ?`).get(id);
  return row ? openJobOf(row) : undefined;
}

/** The whole plan. */
export function planOf(db: Database, id: number): StoredPlan {
  const row = db.query<{ plan: string }>("SELECT plan FROM actions_jobs WHERE id = ?").get(id);
  if (!row) throw new Error("the job has a plan");
  return JSON.parse(row.plan) as StoredPlan;
}

export interface NewJob {
  readonly runId: number;
  readonly repoId: number;
  readonly attempt: number;
  readonly parentId: number | undefined;
  readonly plan: StoredPlan;
  /** Of a copy of a job that is done. */
  readonly done?: Pick<OpenJob, "startedAt" | "status" | "stoppedAt" | "taskId">;
}

/** @returns its number; it is blocked, unless it is done */
export function insertJob(db: Database, { attempt, done, parentId, plan, repoId, runId }: NewJob, now: number): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO actions_jobs (run_id, repo_id, attempt, parent_id, key, name, plan, needs, runs_on, concurrency_group,
         concurrency_cancels, status, task_id, created_at, updated_at, started_at, stopped_at)
       VALUES ($runId, $repoId, $attempt, $parentId, $key, $name, $plan, $needs, $runsOn, '', 0, $status, $taskId, $now, $now,
         $startedAt, $stoppedAt) RETURNING id`,
    )
    .get({
      runId,
      repoId,
      attempt,
      parentId: parentId ?? null,
      key: plan.key,
      name: plan.name,
      plan: JSON.stringify(plan),
      needs: JSON.stringify(plan.needs),
      runsOn: JSON.stringify(plan.runsOn),
      status: done?.status ?? Status.blocked,
      taskId: done?.taskId ?? null,
      startedAt: done?.startedAt ?? null,
      stoppedAt: done?.stoppedAt ?? null,
      now,
    });
  if (!row) throw new Error("an inserted job has a number");
  return row.id;
}

export function updateJobState(
  db: Database,
  { id, startedAt, status, stoppedAt, taskId }: Pick<OpenJob, "id" | "startedAt" | "status" | "stoppedAt" | "taskId">,
  now: number,
): void {
  db.query(
    `UPDATE actions_jobs SET status = $status, task_id = $taskId, started_at = $startedAt, stopped_at = $stoppedAt,
       updated_at = $now WHERE id = $id`,
  ).run({
    id,
    status,
    taskId: taskId ?? null,
    startedAt: startedAt ?? null,
    stoppedAt: stoppedAt ?? null,
    now,
  });
}

export function updatePlan(db: Database, id: number, plan: StoredPlan): void {
  db.query("UPDATE actions_jobs SET plan = ? WHERE id = ?").run(JSON.stringify(plan), id);
}

export function setJobGroup(db: Database, id: number, group: string, cancels: boolean): void {
  db.query("UPDATE actions_jobs SET concurrency_group = ?, concurrency_cancels = ? WHERE id = ?").run(
    group,
    Number(cancels),
    id,
  );
}

export function deleteJob(db: Database, id: number): void {
  db.query("DELETE FROM actions_jobs WHERE id = ?").run(id);
}

/** Jobs of a repository in that group that are not done, besides those of a run. */
export function groupJobs(db: Database, repoId: number, group: string, besides: { readonly jobId: number }): OpenJob[] {
  const sql = `SELECT ${openColumns} FROM actions_jobs WHERE repo_id = ? AND concurrency_group = ? AND concurrency_group != ''
    AND id != ? AND status IN (5, 6, 7, 8) ORDER BY id`;
  return db.query<JobRow>(sql).all(repoId, group, besides.jobId).map(openJobOf);
}

/** Jobs that wait, or are blocked, and that nothing happened to since then. */
export function abandonedJobs(db: Database, before: number, limit: number): OpenJob[] {
  const sql = `SELECT ${openColumns} FROM actions_jobs INDEXED BY actions_jobs_open
    WHERE status IN (5, 6, 7, 8) AND status IN (5, 7) AND updated_at < ? LIMIT ?`;
  return db.query<JobRow>(sql).all(before, limit).map(openJobOf);
}

/** Of tasks, by the job that each did: `task id -> name -> value`. */
export function outputsOf(db: Database, taskIds: readonly number[]): Map<number, Record<string, string>> {
  const sql = `SELECT task_id AS taskId, name, value FROM actions_outputs
    WHERE task_id IN (SELECT value FROM json_each(?)) ORDER BY task_id, name`;
  const outputs = new Map<number, Record<string, string>>();
  for (const { name, taskId, value } of db
    .query<{ taskId: number; name: string; value: string }>(sql)
    .all(JSON.stringify(taskIds)))
    outputs.set(taskId, { ...outputs.get(taskId), [name]: value });
  return outputs;
}

export function countJobs(db: Database, runId: number, attempt: number): number {
  const sql = "SELECT count(*) AS n FROM actions_jobs WHERE run_id = ? AND attempt = ?";
  return db.query<{ n: number }>(sql).get(runId, attempt)?.n ?? 0;
}
