import type { Database } from "../../db/database.ts";
import type { SavedSearch, SavedSearchPlace } from "./saved.ts";

export function savedSearches(db: Database, userId: number, { isPull, repoId }: SavedSearchPlace): SavedSearch[] {
  const sql = `SELECT id, name, query FROM saved_searches
    WHERE user_id = $user AND coalesce(repo_id, 0) = $repo AND is_pull = $isPull ORDER BY name`;
  return db.query<SavedSearch>(sql).all({ user: userId, repo: repoId ?? 0, isPull: isPull ? 1 : 0 });
}

export function putSavedSearch(
  db: Database,
  userId: number,
  { isPull, repoId }: SavedSearchPlace,
  { name, query }: Pick<SavedSearch, "name" | "query">,
  now: number,
): void {
  const sql = `INSERT INTO saved_searches (user_id, repo_id, is_pull, name, query, created_at)
    VALUES ($user, $repo, $isPull, $name, $query, $now)
    ON CONFLICT (user_id, coalesce(repo_id, 0), is_pull, name) DO UPDATE SET query = $query`;
  db.query(sql).run({ user: userId, repo: repoId ?? null, isPull: isPull ? 1 : 0, name, query, now });
}

/** @returns whether it existed */
export function deleteSavedSearch(db: Database, userId: number, id: number): boolean {
  return db.query("DELETE FROM saved_searches WHERE id = ? AND user_id = ?").run(id, userId).changes > 0;
}
