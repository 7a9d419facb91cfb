import type { Database } from "../db/database.ts";

export interface JobRow {
  id: number;
  kind: string;
  payload: string;
  attempts: number;
}

export function insertJob(
  db: Database,
  kind: string,
  payload: string,
  uniqueKey: string | null,
  runAt: number,
  now: number,
): void {
  db.query(
    "INSERT INTO jobs (kind, payload, unique_key, run_at, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL AND state = 'waiting' DO NOTHING",
  ).run(kind, payload, uniqueKey, runAt, now);
}

export function isWaiting(db: Database, uniqueKey: string): boolean {
  return db.query("SELECT 1 FROM jobs WHERE unique_key = ? AND state = 'waiting'").get(uniqueKey) !== null;
}

/** Takes the next due job under a lease; a job whose lease ran out (the process died) is due again. */
export function claimJob(db: Database, now: number, leaseUntil: number): JobRow | undefined {
  return (
    db
      .query<JobRow>(
        `UPDATE jobs SET state = 'running', lease_until = ?, attempts = attempts + 1
         WHERE id = (SELECT id FROM jobs WHERE state = 'waiting' AND run_at <= ? ORDER BY run_at, id LIMIT 1)
         RETURNING id, kind, payload, attempts`,
      )
      .get(leaseUntil, now) ?? undefined
  );
}

export function extendLease(db: Database, id: number, leaseUntil: number): void {
  db.query("UPDATE jobs SET lease_until = ? WHERE id = ? AND state = 'running'").run(leaseUntil, id);
}

/** Back to waiting whatever a dead process left running; where a job of the same key waits already, that one will do. */
export function releaseExpired(db: Database, now: number): void {
  db.query(
    "UPDATE OR IGNORE jobs SET state = 'waiting', lease_until = NULL WHERE state = 'running' AND lease_until < ?",
  ).run(now);
  db.query("DELETE FROM jobs WHERE state = 'running' AND lease_until < ?").run(now);
}

export function finishJob(db: Database, id: number): void {
  db.query("DELETE FROM jobs WHERE id = ?").run(id);
}

/** Waits for another try; a job of the same key that came in meanwhile takes its place. */
export function retryJob(db: Database, id: number, runAt: number, error: string): void {
  const changed = db
    .query("UPDATE OR IGNORE jobs SET state = 'waiting', lease_until = NULL, run_at = ?, last_error = ? WHERE id = ?")
    .run(runAt, error, id).changes;
  if (changed === 0) finishJob(db, id);
}

export function failJob(db: Database, id: number, error: string): void {
  db.query("UPDATE jobs SET state = 'failed', lease_until = NULL, last_error = ? WHERE id = ?").run(error, id);
}

export function nextRunAt(db: Database): number | undefined {
  return (
    db.query<{ at: number | null }>("SELECT min(run_at) AS at FROM jobs WHERE state = 'waiting'").get()?.at ?? undefined
  );
}
