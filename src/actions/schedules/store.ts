import type { Database } from "../../db/database.ts";

export interface NewSchedule {
  readonly repoId: number;
  readonly workflow: string;
  readonly cron: string;
  readonly branch: string;
  readonly commit: string;
  readonly nextAt: number;
}

export interface Schedule extends NewSchedule {
  readonly id: number;
}

const columns = "id, repo_id AS repoId, workflow, cron, branch, commit_id AS 'commit', next_at AS nextAt";

export function schedulesOf(db: Database, repoId: number): Schedule[] {
  return db.query<Schedule>(`SELECT ${columns} FROM actions_schedules WHERE repo_id = ? ORDER BY id`).all(repoId);
}

/** The longest overdue first. */
export function dueSchedules(db: Database, now: number, limit: number): Schedule[] {
  const sql = `SELECT ${columns} FROM actions_schedules WHERE next_at <= ? ORDER BY next_at LIMIT ?`;
  return db.query<Schedule>(sql).all(now, limit);
}

/** Schedules due after the given time. */
export function schedulesAfter(db: Database, time: number): Schedule[] {
  return db.query<Schedule>(`SELECT ${columns} FROM actions_schedules WHERE next_at > ?`).all(time);
}

export function insertSchedule(db: Database, schedule: NewSchedule): void {
  db.query(
    `INSERT INTO actions_schedules (repo_id, workflow, cron, branch, commit_id, next_at)
     VALUES ($repoId, $workflow, $cron, $branch, $commit, $nextAt) ON CONFLICT DO NOTHING`,
  ).run({ ...schedule });
}

export function deleteSchedules(db: Database, repoId: number): void {
  db.query("DELETE FROM actions_schedules WHERE repo_id = ?").run(repoId);
}

/** @param nextAt undefined: never again @returns whether it was still due at its previous time */
export function moveSchedule(db: Database, { id, nextAt: before }: Schedule, nextAt: number | undefined): boolean {
  if (nextAt === undefined)
    return db.query("DELETE FROM actions_schedules WHERE id = ? AND next_at = ?").run(id, before).changes > 0;
  const sql = "UPDATE actions_schedules SET next_at = ? WHERE id = ? AND next_at = ?";
  return db.query(sql).run(nextAt, id, before).changes > 0;
}
