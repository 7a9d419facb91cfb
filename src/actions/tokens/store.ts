import type { Database } from "../../db/database.ts";

/** Whether tokens of files that say nothing only read: as the repository says, else its owner, else they write. */
export function isRestricted(db: Database, repoId: number, ownerId: number): boolean {
  const sql = `SELECT is_restricted AS isRestricted FROM actions_token_rules WHERE repo_id = ? OR owner_id = ?
    ORDER BY repo_id IS NULL LIMIT 1`;
  return db.query<{ isRestricted: number }>(sql).get(repoId, ownerId)?.isRestricted === 1;
}
