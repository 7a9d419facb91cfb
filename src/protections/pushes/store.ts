import type { Database } from "../../db/database.ts";
import type { PushLimits } from "./types.ts";

export function findLimits(db: Database, repoId: number): PushLimits | undefined {
  const row = db
    .query<{ maxFileBytes: number; refusesSecrets: number; patterns: string }>(
      `SELECT max_file_bytes AS maxFileBytes, refuses_secrets AS refusesSecrets, patterns
       FROM push_limits WHERE repo_id = ?`,
    )
    .get(repoId);
  if (!row) return undefined;
  const patterns = row.patterns.split("\n").filter((pattern) => pattern !== "");
  return { maxFileBytes: row.maxFileBytes, refusesSecrets: row.refusesSecrets === 1, patterns };
}

export function putLimits(db: Database, repoId: number, limits: PushLimits): void {
  db.query(
    `INSERT INTO push_limits (repo_id, max_file_bytes, refuses_secrets, patterns) VALUES (?, ?, ?, ?)
     ON CONFLICT (repo_id) DO UPDATE SET max_file_bytes = excluded.max_file_bytes,
       refuses_secrets = excluded.refuses_secrets, patterns = excluded.patterns`,
  ).run(repoId, limits.maxFileBytes, limits.refusesSecrets ? 1 : 0, limits.patterns.join("\n"));
}
