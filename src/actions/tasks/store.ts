import type { Database } from "../../db/database.ts";
import type { Status } from "../runs/statuses.ts";
import type { Step, Task } from "../runs/types.ts";

interface TaskRow {
  id: number;
  job_id: number;
  repo_id: number;
  runner_id: number | null;
  runner_name: string;
  status: number;
  started_at: number | null;
  stopped_at: number | null;
  updated_at: number;
  created_at: number;
  log_rows: number;
  log_bytes: number;
  log_is_closed: number;
  log_is_gone: number;
}

const columns = `id, job_id, repo_id, runner_id, runner_name, status, started_at, stopped_at, updated_at, created_at, log_rows,
  log_bytes, log_is_closed, log_is_gone`;

const taskOf = (row: TaskRow): Task => ({
  id: row.id,
  jobId: row.job_id,
  repoId: row.repo_id,
  runnerId: row.runner_id ?? undefined,
  runnerName: row.runner_name,
  status: row.status as Status,
  startedAt: row.started_at ?? undefined,
  stoppedAt: row.stopped_at ?? undefined,
  updatedAt: row.updated_at,
  createdAt: row.created_at,
  logRows: row.log_rows,
  logBytes: row.log_bytes,
  isLogClosed: row.log_is_closed === 1,
  isLogGone: row.log_is_gone === 1,
});

export function findTask(db: Database, id: number): Task | undefined {
  const row = db.query<TaskRow>(`SELECT ${columns} FROM actions_tasks WHERE id = ?`).get(id);
  return row ? taskOf(row) : undefined;
}

/** Finds a task by the hash of its job token. */
export function taskByToken(db: Database, hash: string): Task | undefined {
  const row = db.query<TaskRow>(`SELECT ${columns} FROM actions_tasks WHERE token_hash = ?`).get(hash);
  return row ? taskOf(row) : undefined;
}

/** @returns its ID; the task is running */
export function insertTask(
  db: Database,
  task: { jobId: number; repoId: number; runnerId: number; runnerName: string; tokenHash: string },
  now: number,
): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO actions_tasks (job_id, repo_id, runner_id, runner_name, status, token_hash, started_at, updated_at, created_at)
       VALUES ($jobId, $repoId, $runnerId, $runnerName, 6, $tokenHash, $now, $now, $now) RETURNING id`,
    )
    .get({ ...task, now });
  if (!row) throw new Error("an inserted task has a number");
  return row.id;
}

export function deleteTask(db: Database, id: number): void {
  db.query("DELETE FROM actions_tasks WHERE id = ?").run(id);
}

/** @param names as shown; no step has started yet */
export function insertSteps(db: Database, taskId: number, names: readonly string[]): void {
  db.query(
    `INSERT INTO actions_steps (task_id, position, name, status, log_index, log_length)
     SELECT ?, key, value, 5, 0, 0 FROM json_each(?)`,
  ).run(taskId, JSON.stringify(names));
}

export function updateStep(db: Database, taskId: number, step: Omit<Step, "name">): void {
  db.query(
    `UPDATE actions_steps SET status = $status, log_index = $logIndex, log_length = $logLength, started_at = $startedAt,
       stopped_at = $stoppedAt WHERE task_id = $taskId AND position = $position`,
  ).run({ ...step, taskId, startedAt: step.startedAt ?? null, stoppedAt: step.stoppedAt ?? null });
}

export function countSteps(db: Database, taskId: number): number {
  const sql = "SELECT count(*) AS n FROM actions_steps WHERE task_id = ?";
  return db.query<{ n: number }>(sql).get(taskId)?.n ?? 0;
}

export function hasOpenTasks(db: Database): boolean {
  return db.query("SELECT 1 FROM actions_tasks WHERE status IN (6, 8) LIMIT 1").get() !== null;
}

/** Sets the last contact of open tasks to the given time, unless it was later. */
export function countAsHeard(db: Database, at: number): void {
  db.query("UPDATE actions_tasks SET updated_at = $at WHERE status IN (6, 8) AND updated_at < $at").run({ at });
}

/** Adjusts open tasks after the clock was set. */
export function shiftOpenTasks(db: Database, byMs: number): void {
  db.query(
    "UPDATE actions_tasks SET updated_at = updated_at + $by, started_at = started_at + $by WHERE status IN (6, 8)",
  ).run({ by: byMs });
}

/** Records that the task's runner called. */
export function touchTask(db: Database, id: number, now: number): void {
  db.query("UPDATE actions_tasks SET updated_at = ? WHERE id = ?").run(now, id);
}

export function setTaskStatus(db: Database, id: number, status: Status): void {
  db.query("UPDATE actions_tasks SET status = ? WHERE id = ?").run(status, id);
}

/** Ends a task and its steps. */
export function endTask(db: Database, id: number, status: Status, stoppedAt: number): void {
  db.query("UPDATE actions_tasks SET status = ?, stopped_at = ? WHERE id = ?").run(status, stoppedAt, id);
  db.query("UPDATE actions_steps SET status = ?, stopped_at = ? WHERE task_id = ? AND status NOT IN (1, 2, 3, 4)").run(
    status,
    stoppedAt,
    id,
  );
}

export function closeLog(db: Database, id: number): void {
  db.query("UPDATE actions_tasks SET log_is_closed = 1 WHERE id = ?").run(id);
}

/** An ephemeral runner is deleted after its only task. */
export function deleteSpentRunner(db: Database, taskId: number): void {
  db.query(
    "DELETE FROM actions_runners WHERE is_ephemeral = 1 AND id = (SELECT runner_id FROM actions_tasks WHERE id = ?)",
  ).run(taskId);
}

export function hasTask(db: Database, runnerId: number): boolean {
  return db.query("SELECT 1 FROM actions_tasks WHERE runner_id = ? LIMIT 1").get(runnerId) !== null;
}

/** Whether the task's runner ends cancelled tasks itself, and has called since the given time. */
export function stopsByItself(db: Database, taskId: number, onlineSince: number): boolean {
  const sql = `SELECT 1 FROM actions_tasks JOIN actions_runners ON actions_runners.id = runner_id
    WHERE actions_tasks.id = ? AND can_cancel = 1 AND last_online_at >= ?`;
  return db.query(sql).get(taskId, onlineSince) !== null;
}

/** Open tasks whose runner has been silent since one time, or that started before another. */
export function overdueTasks(db: Database, silentSince: number, startedBefore: number, limit: number): Task[] {
  const sql = `SELECT ${columns} FROM actions_tasks WHERE status IN (6, 8) AND (updated_at < ? OR started_at < ?) LIMIT ?`;
  return db.query<TaskRow>(sql).all(silentSince, startedBefore, limit).map(taskOf);
}

export function openTasksOfRunner(db: Database, runnerId: number): Task[] {
  const sql = `SELECT ${columns} FROM actions_tasks WHERE runner_id = ? AND status IN (6, 8)`;
  return db.query<TaskRow>(sql).all(runnerId).map(taskOf);
}

/** The first value of an output counts. */
export function addOutput(db: Database, taskId: number, name: string, value: string): void {
  db.query("INSERT INTO actions_outputs (task_id, name, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
    taskId,
    name,
    value,
  );
}

export function outputSizes(db: Database, taskId: number): Map<string, number> {
  const sql = "SELECT name, length(CAST(value AS BLOB)) AS size FROM actions_outputs WHERE task_id = ?";
  const rows = db.query<{ name: string; size: number }>(sql).all(taskId);
  return new Map(rows.map(({ name, size }) => [name, size]));
}

/** Which jobs to look for. */
export interface ClaimScope {
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
}

const scopeSql = ({ ownerId, repoId }: ClaimScope): string => {
  if (repoId !== undefined) return "AND repositories.id = $repoId";
  return ownerId === undefined ? "" : "AND repositories.owner_id = $ownerId";
};

/** Jobs waiting for a runner with these labels, longest waiting first. Calls also wait, but no runner takes them. */
export function waitingJobs(
  db: Database,
  scope: ClaimScope,
  labels: readonly string[],
  limit: number,
): { readonly id: number; readonly runId: number }[] {
  // SQLite uses the index only if its condition is repeated.
  const sql = `SELECT actions_jobs.id, run_id AS runId FROM actions_jobs INDEXED BY actions_jobs_open
    JOIN repositories ON repositories.id = repo_id
    WHERE status IN (5, 6, 7, 8) AND status = 5 AND binned_at IS NULL ${scopeSql(scope)}
      AND NOT EXISTS (SELECT 1 FROM json_each(repositories.settings, '$.off') WHERE value = 'actions')
      AND NOT EXISTS (SELECT 1 FROM actions_jobs AS called WHERE called.parent_id = actions_jobs.id)
      AND NOT EXISTS (SELECT 1 FROM json_each(runs_on) WHERE value NOT IN (SELECT value FROM json_each($labels)))
    ORDER BY actions_jobs.updated_at, actions_jobs.id LIMIT $limit`;
  const { ownerId, repoId } = scope;
  return db.query<{ id: number; runId: number }>(sql).all({
    labels: JSON.stringify(labels),
    limit,
    ...(repoId !== undefined ? { repoId } : ownerId !== undefined ? { ownerId } : {}),
  });
}
