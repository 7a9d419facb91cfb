import type { Database } from "../db/database.ts";

export function setRepo(db: Database, packageId: number, repoId: number | null): void {
  db.query("UPDATE packages SET repo_id = ? WHERE id = ?").run(repoId, packageId);
}

/** Unlinks all packages from the repository. */
export function unlinkAll(db: Database, repoId: number): void {
  db.query("UPDATE packages SET repo_id = NULL WHERE repo_id = ?").run(repoId);
}
