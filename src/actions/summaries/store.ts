import type { Database } from "../../db/database.ts";

/** The summary a step wrote. */
export interface Summary {
  readonly jobId: number;
  readonly step: number;
  /** Markdown. */
  readonly text: string;
}

/** Total bytes of the summaries of the job's other steps. */
export function bytesOfOthers(db: Database, jobId: number, step: number): number {
  const sql = "SELECT coalesce(sum(size_bytes), 0) AS n FROM actions_summaries WHERE job_id = ? AND step <> ?";
  return db.query<{ n: number }>(sql).get(jobId, step)?.n ?? 0;
}

export function putSummary(db: Database, { jobId, step, text }: Summary, sizeBytes: number): void {
  db.query(
    `INSERT INTO actions_summaries (job_id, step, size_bytes, text) VALUES (?, ?, ?, ?)
     ON CONFLICT (job_id, step) DO UPDATE SET size_bytes = excluded.size_bytes, text = excluded.text`,
  ).run(jobId, step, sizeBytes, text);
}

export function deleteSummary(db: Database, jobId: number, step: number): void {
  db.query("DELETE FROM actions_summaries WHERE job_id = ? AND step = ?").run(jobId, step);
}

/** The summaries of an attempt's jobs (a copied job has those of its original), in the order of jobs and steps. */
export function summariesOf(db: Database, runId: number, attempt: number): Summary[] {
  const sql = `SELECT actions_jobs.id AS jobId, actions_summaries.step, actions_summaries.text
    FROM actions_jobs JOIN actions_tasks ON actions_tasks.id = actions_jobs.task_id
      JOIN actions_summaries ON actions_summaries.job_id = actions_tasks.job_id
    WHERE actions_jobs.run_id = ? AND actions_jobs.attempt = ? ORDER BY actions_jobs.id, actions_summaries.step`;
  return db.query<Summary>(sql).all(runId, attempt);
}
