import type { Database } from "../db/database.ts";
import type { JobInfo, JobState } from "./types.ts";

export interface JobRow {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  readonly exclusionKey: string | null;
  readonly attempts: number;
}

/** A time further ahead than this is not explained by two readings of the same clock. */
const AHEAD_MS = 60_000;

export interface NewJob {
  readonly kind: string;
  readonly payload: string;
  readonly uniqueKey: string | null;
  readonly exclusionKey: string | null;
  readonly runAt: number;
  readonly now: number;
}

/** @returns its id; undefined if a job with its unique key is already waiting */
export function insertJob(db: Database, job: NewJob): number | undefined {
  return (
    db
      .query<{ id: number }>(
        `INSERT INTO jobs (kind, payload, unique_key, exclusion_key, run_at, created_at)
         VALUES ($kind, $payload, $uniqueKey, $exclusionKey, $runAt, $now)
         ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL AND state = 'waiting' DO NOTHING RETURNING id`,
      )
      .get({ ...job })?.id ?? undefined
  );
}

export function isWaiting(db: Database, uniqueKey: string): boolean {
  return db.query("SELECT 1 FROM jobs WHERE unique_key = ? AND state = 'waiting'").get(uniqueKey) !== null;
}

export function hasDueJobs(db: Database, now: number): boolean {
  return db.query("SELECT 1 FROM jobs WHERE state = 'waiting' AND run_at <= ? LIMIT 1").get(now) !== null;
}

/** The first due job of a kind whose exclusion key is not in `held` (a JSON list). */
export function firstDue(
  db: Database,
  kind: string,
  now: number,
  held: string,
): { readonly id: number; readonly runAt: number } | undefined {
  return (
    db
      .query<{ id: number; runAt: number }>(
        `SELECT id, run_at AS runAt FROM jobs
         WHERE state = 'waiting' AND kind = ? AND run_at <= ?
           AND (exclusion_key IS NULL OR exclusion_key NOT IN (SELECT value FROM json_each(?)))
         ORDER BY run_at, id LIMIT 1`,
      )
      .get(kind, now, held) ?? undefined
  );
}

/** Marks a job as running and counts the try. */
export function takeJob(db: Database, id: number, now: number): JobRow | undefined {
  return (
    db
      .query<JobRow>(
        `UPDATE jobs SET state = 'running', started_at = ?, attempts = attempts + 1, progress = '', percent = NULL
         WHERE id = ? AND state = 'waiting' RETURNING id, kind, payload, exclusion_key AS exclusionKey, attempts`,
      )
      .get(now, id) ?? undefined
  );
}

export function runningJobs(db: Database): JobRow[] {
  return db
    .query<JobRow>(
      "SELECT id, kind, payload, exclusion_key AS exclusionKey, attempts FROM jobs WHERE state = 'running'",
    )
    .all();
}

export function endJob(db: Database, id: number, state: JobState, error: string | null, now: number): void {
  db.query("UPDATE jobs SET state = ?, last_error = coalesce(?, last_error), finished_at = ? WHERE id = ?").run(
    state,
    error,
    now,
    id,
  );
}

/**
 * Puts a job back to wait for another try; if one with the same unique key was added meanwhile, that one replaces it.
 */
export function requeueJob(db: Database, id: number, runAt: number, error: string, attempts: number): void {
  const changed = db
    .query("UPDATE OR IGNORE jobs SET state = 'waiting', run_at = ?, last_error = ?, attempts = ? WHERE id = ?")
    .run(runAt, error, attempts, id).changes;
  if (changed === 0) db.query("DELETE FROM jobs WHERE id = ?").run(id);
}

export function setProgress(db: Database, id: number, text: string, percent: number | null): void {
  db.query("UPDATE jobs SET progress = ?, percent = ? WHERE id = ? AND state = 'running'").run(text, percent, id);
}

/**
 * After the clock was set back, jobs planned or tried at a time that is now in the future wait as long from now as they
 * were originally meant to. Otherwise they would prevent others with their key from being added until that time.
 */
export function replanJobsAhead(db: Database, now: number): void {
  db.query(
    `UPDATE jobs SET run_at = $now + max(0, run_at - max(created_at, coalesce(started_at, 0))),
       created_at = min(created_at, $now), started_at = min(started_at, $now)
     WHERE state = 'waiting' AND run_at > $ahead AND max(created_at, coalesce(started_at, 0)) > $ahead`,
  ).run({ now, ahead: now + AHEAD_MS });
}

/** When the next job that is not yet due becomes due. */
export function nextRunAt(db: Database, now: number): number | undefined {
  return (
    db
      .query<{ at: number | null }>("SELECT min(run_at) AS at FROM jobs WHERE state = 'waiting' AND run_at > ?")
      .get(now)?.at ?? undefined
  );
}

/** Cancels a waiting job. @returns false if it is not waiting */
export function cancelWaiting(db: Database, id: number, now: number): boolean {
  return (
    db.query("UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'waiting'").run(now, id)
      .changes > 0
  );
}

/**
 * Requeues a failed or cancelled job with all its tries. @returns false if it is neither, or one with its key is
 * already waiting
 */
export function reviveJob(db: Database, id: number, now: number): boolean {
  return (
    db
      .query(
        `UPDATE OR IGNORE jobs SET state = 'waiting', run_at = ?, attempts = 0, finished_at = NULL
         WHERE id = ? AND state IN ('failed', 'cancelled')`,
      )
      .run(now, id).changes > 0
  );
}

const columns =
  "id, kind, payload, state, attempts, last_error AS lastError, progress, percent, run_at AS runAt, created_at AS createdAt, started_at AS startedAt, finished_at AS finishedAt";

export function jobById(db: Database, id: number): JobInfo | undefined {
  return db.query<JobInfo>(`SELECT ${columns} FROM jobs WHERE id = ?`).get(id) ?? undefined;
}

export function pageOfJobs(db: Database, state: JobState | undefined, limit: number, offset: number): JobInfo[] {
  const [order, page] = ["ORDER BY id DESC LIMIT ? OFFSET ?", [limit, offset]] as const;
  if (state === undefined) return db.query<JobInfo>(`SELECT ${columns} FROM jobs ${order}`).all(...page);
  return db.query<JobInfo>(`SELECT ${columns} FROM jobs WHERE state = ? ${order}`).all(state, ...page);
}

export function countJobs(db: Database, state: JobState | undefined): number {
  const found =
    state === undefined
      ? db.query<{ n: number }>("SELECT count(*) AS n FROM jobs").get()
      : db.query<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE state = ?").get(state);
  return found?.n ?? 0;
}

/** @returns whether it had failed or was cancelled, and has been deleted */
export function deleteUnsuccessfulJob(db: Database, id: number): boolean {
  return db.query("DELETE FROM jobs WHERE id = ? AND state IN ('failed', 'cancelled')").run(id).changes > 0;
}

/** Deletes up to `limit` jobs that ended in one of these states before that time. @returns how many */
export function deleteEndedJobs(db: Database, states: readonly JobState[], before: number, limit: number): number {
  return db
    .query(
      `DELETE FROM jobs WHERE id IN (
         SELECT id FROM jobs WHERE state IN (SELECT value FROM json_each(?)) AND finished_at < ? LIMIT ?)`,
    )
    .run(JSON.stringify(states), before, limit).changes;
}
