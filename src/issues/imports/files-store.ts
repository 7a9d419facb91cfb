import type { Database } from "../../db/database.ts";

/** A file of an imported item or comment that still has to be fetched. */
export interface AwaitedFile {
  readonly id: number;
  readonly repoId: number;
  readonly issueId: number;
  /** null: attached to the item itself. */
  readonly entryId: number | null;
  readonly uuid: string;
  readonly name: string;
  /** Its URL on the other forge. */
  readonly url: string;
  readonly createdAt: number;
}

export function insertAwaited(db: Database, file: Omit<AwaitedFile, "id">): void {
  db.query(
    `INSERT INTO awaited_files (repo_id, issue_id, entry_id, uuid, name, url, created_at)
     VALUES ($repoId, $issueId, $entryId, $uuid, $name, $url, $createdAt)`,
  ).run({ ...file });
}

/** The one that has waited longest. */
export function firstAwaited(db: Database, repoId: number): AwaitedFile | undefined {
  const sql = `SELECT id, repo_id AS repoId, issue_id AS issueId, entry_id AS entryId, uuid, name, url, created_at AS createdAt
    FROM awaited_files WHERE repo_id = ? ORDER BY id LIMIT 1`;
  return db.query<AwaitedFile>(sql).get(repoId) ?? undefined;
}

/** @returns whether it was still awaited */
export function deleteAwaited(db: Database, id: number): boolean {
  return db.query("DELETE FROM awaited_files WHERE id = ?").run(id).changes > 0;
}
