import type { Database } from "../../db/database.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { JobPlan } from "../workflows/types.ts";
import { Status } from "./statuses.ts";
import type { Job } from "./types.ts";

/** Writes jobs, and reads them to decide what comes next; lists are in `lists-store.ts`. */

/** What the server adds to a plan once it is known. */
export interface StoredPlan extends JobPlan {
  /** Of a call: the file it resolved to. */
  readonly called?: CalledPlan | undefined;
  /** Of a finished call. */
  readonly outputs?: Readonly<Record<string, string>> | undefined;
  /** On the first of the jobs that an open one expanded into: the open one, planned again when all are re-run. */
  readonly origin?: JobPlan | undefined;
}

export interface CalledPlan {
  readonly repoId: number;
  readonly commit: string;
  readonly path: string;
  readonly source: string;
  readonly inputs: JsonObject;
}

/** A job as scheduling sees it: its plan lacks what only its runner reads. */
export interface OpenJob extends Omit<Job, "plan"> {
  readonly plan: Omit<StoredPlan, "origin" | "payload" | "stepNames">;
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
const openColumns = jobColumnsWith("json_remove(plan, '$.payload', '$.stepNames', '$.origin')");

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
  /** Of a copy of a finished job. */
  readonly done?: Pick<OpenJob, "startedAt" | "status" | "stoppedAt" | "taskId">;
}

/** @returns its ID; the job is blocked unless it is already done */
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

/** Unfinished jobs of a repository in the given group, except one. */
export function groupJobs(db: Database, repoId: number, group: string, besides: { readonly jobId: number }): OpenJob[] {
  const sql = `SELECT ${openColumns} FROM actions_jobs WHERE repo_id = ? AND concurrency_group = ? AND concurrency_group != ''
    AND id != ? AND status IN (5, 6, 7, 8) ORDER BY id`;
  return db.query<JobRow>(sql).all(repoId, group, besides.jobId).map(openJobOf);
}

/** Waiting or blocked jobs that have not changed since the given time. */
export function abandonedJobs(db: Database, before: number, limit: number): OpenJob[] {
  const sql = `SELECT ${openColumns} FROM actions_jobs INDEXED BY actions_jobs_open
    WHERE status IN (5, 6, 7, 8) AND status IN (5, 7) AND updated_at < ? LIMIT ?`;
  return db.query<JobRow>(sql).all(before, limit).map(openJobOf);
}

/** Outputs of tasks: `task id -> name -> value`. */
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
