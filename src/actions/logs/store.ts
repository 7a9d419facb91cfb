import type { Database } from "../../db/database.ts";

/** Some rows of a log, compressed. */
export interface LogPart {
  readonly firstRow: number;
  readonly rows: number;
  /** Uncompressed bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

const columns = "first_row AS firstRow, rows, size, bytes";

export function lastPart(db: Database, taskId: number): LogPart | undefined {
  const sql = `SELECT ${columns} FROM actions_log_parts WHERE task_id = ? ORDER BY first_row DESC LIMIT 1`;
  return db.query<LogPart>(sql).get(taskId) ?? undefined;
}

/** The part with that row, or the first one after it. */
export function partFrom(db: Database, taskId: number, row: number): LogPart | undefined {
  const sql = `SELECT ${columns} FROM actions_log_parts WHERE task_id = $taskId AND first_row >= coalesce(
    (SELECT max(first_row) FROM actions_log_parts WHERE task_id = $taskId AND first_row <= $row AND first_row + rows > $row), $row)
    ORDER BY first_row LIMIT 1`;
  return db.query<LogPart>(sql).get({ taskId, row }) ?? undefined;
}

/** Replaces the part that begins at the same row, if any. */
export function putPart(db: Database, taskId: number, { bytes, firstRow, rows, size }: LogPart): void {
  db.query(
    "INSERT OR REPLACE INTO actions_log_parts (task_id, first_row, rows, size, bytes) VALUES (?, ?, ?, ?, ?)",
  ).run(taskId, firstRow, rows, size, bytes);
}

export function setLogLength(db: Database, taskId: number, rows: number, bytes: number): void {
  db.query("UPDATE actions_tasks SET log_rows = ?, log_bytes = ? WHERE id = ?").run(rows, bytes, taskId);
}

/** Deletes the logs of tasks that ended before the given time. @returns how many were deleted */
export function deleteLogsBefore(db: Database, before: number, limit: number): number {
  const sql = `SELECT id FROM actions_tasks INDEXED BY actions_tasks_by_log_age
    WHERE log_is_gone = 0 AND stopped_at IS NOT NULL AND stopped_at < ? LIMIT ?`;
  const ids = JSON.stringify(
    db
      .query<{ id: number }>(sql)
      .all(before, limit)
      .map(({ id }) => id),
  );
  db.query("DELETE FROM actions_log_parts WHERE task_id IN (SELECT value FROM json_each(?))").run(ids);
  return db
    .query("UPDATE actions_tasks SET log_is_gone = 1, log_is_closed = 1 WHERE id IN (SELECT value FROM json_each(?))")
    .run(ids).changes;
}
