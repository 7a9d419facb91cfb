import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import type { Paging } from "../../kernel/paging.ts";
import type { Status } from "./statuses.ts";
import { type RunRow, runColumns, runOf } from "./store.ts";
import type { Attempt, ListedJob, ListedTask, Run, RunFilter, Step } from "./types.ts";

/** The runs or jobs to list, as far as they are visible: a repository's, those of all an account owns, or all. */
export type ListScope =
  | { readonly repoId: number }
  | { readonly ownerId: number | undefined; readonly isVisible: string; readonly params: AccessParams };

/** Also: the jobs of one attempt of a run. */
export type JobScope = ListScope | { readonly runId: number; readonly attempt: number };

type Page = Pick<Paging, "limit" | "offset">;

/** One page of IDs, and how many there are on all pages. */
export interface Ids {
  readonly ids: number[];
  readonly total: number;
}

interface Question {
  readonly from: string;
  readonly conditions: readonly string[];
  readonly params: Readonly<Record<string, string | number>>;
}

function inScope(table: string, scope: JobScope): Question {
  if ("runId" in scope) {
    const { attempt, runId } = scope;
    return { from: table, conditions: ["run_id = $runId", "attempt = $attempt"], params: { attempt, runId } };
  }
  if ("repoId" in scope) return { from: table, conditions: ["repo_id = $repoId"], params: { repoId: scope.repoId } };
  const { isVisible, ownerId, params } = scope;
  // Visibility is checked once per repository, not per row.
  const from = `repositories CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    CROSS JOIN ${table} ON ${table}.repo_id = repositories.id`;
  return ownerId === undefined
    ? { from, conditions: [isVisible], params }
    : { from, conditions: ["repositories.owner_id = $ownerId", isVisible], params: { ...params, ownerId } };
}

function idsOf(db: Database, table: string, { conditions, from, params }: Question, order: string, page: Page): Ids {
  const where = `FROM ${from} WHERE ${conditions.join(" AND ")}`;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${where}`).get(params)?.n ?? 0;
  if (total <= page.offset) return { ids: [], total };
  const sql = `SELECT ${table}.id ${where} ORDER BY ${table}.id ${order} LIMIT $limit OFFSET $offset`;
  const rows = db.query<{ id: number }>(sql).all({ ...params, limit: page.limit, offset: page.offset });
  return { ids: rows.map(({ id }) => id), total };
}

/** The newest first. */
export function listRuns(db: Database, scope: ListScope, filter: RunFilter, page: Page): Ids {
  const { conditions, from, params } = inScope("actions_runs", scope);
  const wanted: Record<string, string | number> = { ...params };
  const asked = [...conditions];
  const ask = (condition: string, name: string, value: string | number | undefined) => {
    if (value === undefined) return;
    asked.push(condition);
    wanted[name] = value;
  };
  ask("workflow = $workflow", "workflow", filter.workflow);
  ask("event = $event", "event", filter.event);
  ask("ref = $ref", "ref", filter.ref);
  ask("commit_id = $commit", "commit", filter.commit);
  if (filter.userId === null) asked.push("user_id IS NULL");
  else ask("user_id = $user", "user", filter.userId);
  ask("status IN (SELECT value FROM json_each($statuses))", "statuses", listed(filter.statuses));
  return idsOf(db, "actions_runs", { from, conditions: asked, params: wanted }, "DESC", page);
}

export function listJobs(
  db: Database,
  scope: JobScope,
  { statuses, order }: { readonly statuses: readonly Status[] | undefined; readonly order: "asc" | "desc" },
  page: Page,
): Ids {
  const { conditions, from, params } = inScope("actions_jobs", scope);
  const text = listed(statuses);
  const question =
    text === undefined
      ? { from, conditions, params }
      : {
          from,
          conditions: [...conditions, "status IN (SELECT value FROM json_each($statuses))"],
          params: { ...params, statuses: text },
        };
  return idsOf(db, "actions_jobs", question, order === "desc" ? "DESC" : "ASC", page);
}

const listed = (statuses: readonly Status[] | undefined) => statuses && JSON.stringify(statuses);

type Nullable<T> = {
  readonly [Name in keyof T]: undefined extends T[Name] ? Exclude<T[Name], undefined> | null : T[Name];
};

/** Maps NULL to `undefined`, as the types have it. */
function withoutNulls<T>(row: Record<string, unknown>): T {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as T;
}

/** In the order of the IDs; missing runs are left out. */
export function runsById(db: Database, ids: readonly number[]): Run[] {
  const sql = `SELECT ${runColumns} FROM actions_runs WHERE id IN (SELECT value FROM json_each(?))`;
  const rows = db.query<RunRow>(sql).all(JSON.stringify(ids));
  return inOrder(ids, rows.map(runOf));
}

export function findRun(db: Database, repoId: number, id: number): Run | undefined {
  const row = db.query<RunRow>(`SELECT ${runColumns} FROM actions_runs WHERE id = ? AND repo_id = ?`).get(id, repoId);
  return row ? runOf(row) : undefined;
}

export function findNumberedRun(db: Database, repoId: number, number: number): Run | undefined {
  const sql = `SELECT ${runColumns} FROM actions_runs WHERE repo_id = ? AND number = ?`;
  const row = db.query<RunRow>(sql).get(repoId, number);
  return row ? runOf(row) : undefined;
}

/** The newest run of a workflow on a ref. @param event empty: any */
export function newestRun(
  db: Database,
  {
    event,
    ref,
    repoId,
    workflow,
  }: { readonly repoId: number; readonly workflow: string; readonly ref: string; readonly event: string },
): Run | undefined {
  const sql = `SELECT ${runColumns} FROM actions_runs WHERE repo_id = $repoId AND workflow = $workflow AND ref = $ref
    ${event === "" ? "" : "AND event = $event"} ORDER BY id DESC LIMIT 1`;
  const row = db.query<RunRow>(sql).get({ repoId, workflow, ref, ...(event === "" ? {} : { event }) });
  return row ? runOf(row) : undefined;
}

const attemptColumns = `run_id AS runId, attempt, user_id AS userId, status, started_at AS startedAt,
  stopped_at AS stoppedAt, created_at AS createdAt`;

/** In order. */
export function attemptsOf(db: Database, runId: number): Attempt[] {
  const sql = `SELECT ${attemptColumns} FROM actions_attempts WHERE run_id = ? ORDER BY attempt`;
  return db
    .query<Nullable<Attempt>>(sql)
    .all(runId)
    .map(withoutNulls<Attempt>);
}

export function findAttempt(db: Database, runId: number, attempt: number): Attempt | undefined {
  const sql = `SELECT ${attemptColumns} FROM actions_attempts WHERE run_id = ? AND attempt = ?`;
  const row = db.query<Nullable<Attempt>>(sql).get(runId, attempt);
  return row ? withoutNulls<Attempt>(row) : undefined;
}

/** Who asked for the last attempt of each run, by run ID; NULL: Actions itself, or a deleted account. */
export function lastAskers(db: Database, runIds: readonly number[]): Map<number, number | undefined> {
  const sql = `SELECT actions_attempts.run_id AS runId, actions_attempts.user_id AS userId
    FROM actions_runs JOIN actions_attempts
      ON actions_attempts.run_id = actions_runs.id AND actions_attempts.attempt = actions_runs.attempt
    WHERE actions_runs.id IN (SELECT value FROM json_each(?))`;
  const rows = db.query<{ runId: number; userId: number | null }>(sql).all(JSON.stringify(runIds));
  return new Map(rows.map(({ runId, userId }) => [runId, userId ?? undefined]));
}

const jobColumns = `actions_jobs.id, actions_jobs.run_id AS runId, actions_jobs.repo_id AS repoId, actions_jobs.attempt,
  actions_jobs.parent_id AS parentId, actions_jobs.key, actions_jobs.name, actions_jobs.needs,
  actions_jobs.runs_on AS runsOn, actions_jobs.status, actions_jobs.task_id AS taskId,
  actions_jobs.created_at AS createdAt, actions_jobs.updated_at AS updatedAt, actions_jobs.started_at AS startedAt,
  actions_jobs.stopped_at AS stoppedAt, actions_runs.ref, actions_runs.commit_id AS "commit", actions_runs.workflow,
  actions_tasks.runner_id AS runnerId, actions_tasks.runner_name AS runnerName,
  coalesce(actions_tasks.log_is_gone, 0) AS isLogGone`;

const jobTables = `actions_jobs JOIN actions_runs ON actions_runs.id = actions_jobs.run_id
  LEFT JOIN actions_tasks ON actions_tasks.id = actions_jobs.task_id`;

type JobRow = Nullable<Omit<ListedJob, "isLogGone" | "needs" | "runsOn">> & {
  needs: string;
  runsOn: string;
  isLogGone: number;
};

function jobOf(row: JobRow): ListedJob {
  const job = withoutNulls<Omit<ListedJob, "isLogGone" | "needs" | "runsOn">>(row);
  // Written as lists of strings.
  return {
    ...job,
    isLogGone: row.isLogGone === 1,
    needs: JSON.parse(row.needs) as string[],
    runsOn: JSON.parse(row.runsOn) as string[],
  };
}

/** In the order of the IDs; missing jobs are left out. */
export function jobsById(db: Database, ids: readonly number[]): ListedJob[] {
  const sql = `SELECT ${jobColumns} FROM ${jobTables} WHERE actions_jobs.id IN (SELECT value FROM json_each(?))`;
  const rows = db.query<JobRow>(sql).all(JSON.stringify(ids));
  return inOrder(ids, rows.map(jobOf));
}

export function findJob(db: Database, repoId: number, id: number): ListedJob | undefined {
  const sql = `SELECT ${jobColumns} FROM ${jobTables} WHERE actions_jobs.id = ? AND actions_jobs.repo_id = ?`;
  const row = db.query<JobRow>(sql).get(id, repoId);
  return row ? jobOf(row) : undefined;
}

/** All jobs of an attempt, in the order they were created. */
export function jobsOfAttempt(db: Database, runId: number, attempt: number): ListedJob[] {
  const sql = `SELECT ${jobColumns} FROM ${jobTables}
    WHERE actions_jobs.run_id = ? AND actions_jobs.attempt = ? ORDER BY actions_jobs.id`;
  return db.query<JobRow>(sql).all(runId, attempt).map(jobOf);
}

/** By task ID, each list in order. */
export function stepsOf(db: Database, taskIds: readonly number[]): Map<number, Step[]> {
  const sql = `SELECT task_id AS taskId, position, name, status, log_index AS logIndex, log_length AS logLength,
      started_at AS startedAt, stopped_at AS stoppedAt
    FROM actions_steps WHERE task_id IN (SELECT value FROM json_each(?)) ORDER BY task_id, position`;
  const rows = db.query<Nullable<Step> & { taskId: number }>(sql).all(JSON.stringify(taskIds));
  const steps = new Map<number, Step[]>();
  for (const { taskId, ...row } of rows) {
    const of = steps.get(taskId) ?? [];
    of.push(withoutNulls<Step>(row));
    steps.set(taskId, of);
  }
  return steps;
}

/** The newest first. */
export function listTasks(
  db: Database,
  repoId: number,
  { limit, offset }: Page,
): { items: ListedTask[]; total: number } {
  const count = "SELECT count(*) AS n FROM actions_tasks WHERE repo_id = ?";
  const total = db.query<{ n: number }>(count).get(repoId)?.n ?? 0;
  const sql = `SELECT actions_tasks.id, actions_jobs.name, actions_runs.id AS runId, actions_runs.number AS runNumber,
      actions_runs.ref, actions_runs.commit_id AS "commit", actions_runs.event, actions_runs.title, actions_runs.workflow,
      actions_tasks.status, actions_tasks.created_at AS createdAt, actions_tasks.updated_at AS updatedAt,
      actions_tasks.started_at AS startedAt
    FROM actions_tasks JOIN actions_jobs ON actions_jobs.id = actions_tasks.job_id
      JOIN actions_runs ON actions_runs.id = actions_jobs.run_id
    WHERE actions_tasks.repo_id = $repoId ORDER BY actions_tasks.id DESC LIMIT $limit OFFSET $offset`;
  const rows = db.query<Nullable<ListedTask>>(sql).all({ repoId, limit, offset });
  return { items: rows.map(withoutNulls<ListedTask>), total };
}

function inOrder<T extends { readonly id: number }>(ids: readonly number[], items: readonly T[]): T[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
