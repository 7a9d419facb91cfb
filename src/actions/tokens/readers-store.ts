import type { Database } from "../../db/database.ts";

/** IDs of the accounts whose repositories' jobs may read the given repository, in order. */
export function readersOf(db: Database, repoId: number): number[] {
  const sql = "SELECT owner_id AS id FROM actions_readers WHERE repo_id = ? ORDER BY owner_id";
  return db
    .query<{ id: number }>(sql)
    .all(repoId)
    .map(({ id }) => id);
}

export interface JobHome {
  readonly id: number;
  readonly ownerId: number;
  readonly isPrivate: boolean;
}

/** Other repositories that the jobs of the given one may read (contract actions.md 7.1). */
export function readableFrom(db: Database, { id, isPrivate, ownerId }: JobHome): number[] {
  const sql = `SELECT repositories.id AS id FROM actions_readers JOIN repositories ON repositories.id = actions_readers.repo_id
    WHERE actions_readers.owner_id = $ownerId AND repositories.id != $id AND (repositories.owner_id = $ownerId OR $isPrivate)`;
  return db
    .query<{ id: number }>(sql)
    .all({ id, ownerId, isPrivate: isPrivate ? 1 : 0 })
    .map((row) => row.id);
}

/** @returns whether it was added */
export function addReader(db: Database, repoId: number, ownerId: number): boolean {
  const sql = "INSERT INTO actions_readers (repo_id, owner_id) VALUES (?, ?) ON CONFLICT DO NOTHING";
  return db.query(sql).run(repoId, ownerId).changes > 0;
}

/** @returns whether it existed */
export function removeReader(db: Database, repoId: number, ownerId: number): boolean {
  return db.query("DELETE FROM actions_readers WHERE repo_id = ? AND owner_id = ?").run(repoId, ownerId).changes > 0;
}
