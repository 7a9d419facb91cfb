import type { Database } from "../db/database.ts";

/** Sorted by name. */
export function flagsOf(db: Database, repoId: number): string[] {
  return db
    .query<{ name: string }>("SELECT name FROM repository_flags WHERE repo_id = ? ORDER BY name")
    .all(repoId)
    .map(({ name }) => name);
}

export function addFlag(db: Database, repoId: number, name: string): void {
  db.query("INSERT OR IGNORE INTO repository_flags (repo_id, name) VALUES (?, ?)").run(repoId, name);
}

export function removeFlag(db: Database, repoId: number, name: string): void {
  db.query("DELETE FROM repository_flags WHERE repo_id = ? AND name = ?").run(repoId, name);
}

export function removeFlags(db: Database, repoId: number): void {
  db.query("DELETE FROM repository_flags WHERE repo_id = ?").run(repoId);
}
