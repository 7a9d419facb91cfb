import type { Database } from "../db/database.ts";

export interface ScheduleRow {
  readonly cron: string;
  readonly nextRunAt: number | null;
  readonly lastRunAt: number | null;
  readonly runs: number;
}

export function findSchedule(db: Database, name: string): ScheduleRow | undefined {
  return (
    db
      .query<ScheduleRow>(
        "SELECT cron, next_run_at AS nextRunAt, last_run_at AS lastRunAt, runs FROM schedules WHERE name = ?",
      )
      .get(name) ?? undefined
  );
}

/** When any of them last ran. */
export function latestRun(db: Database): number | undefined {
  return db.query<{ at: number | null }>("SELECT max(last_run_at) AS at FROM schedules").get()?.at ?? undefined;
}

export function planNext(db: Database, name: string, cron: string, nextRunAt: number | null): void {
  db.query(
    `INSERT INTO schedules (name, cron, next_run_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET cron = excluded.cron, next_run_at = excluded.next_run_at`,
  ).run(name, cron, nextRunAt);
}

/** Counts a run, whether scheduled or started by hand. */
export function countRun(db: Database, name: string, cron: string, now: number): void {
  db.query(
    `INSERT INTO schedules (name, cron, last_run_at, runs) VALUES (?, ?, ?, 1)
     ON CONFLICT (name) DO UPDATE SET last_run_at = excluded.last_run_at, runs = runs + 1`,
  ).run(name, cron, now);
}
