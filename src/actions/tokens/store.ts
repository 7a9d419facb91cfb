import type { Database } from "../../db/database.ts";
import { inHome } from "../store.ts";
import type { HomeKey } from "../types.ts";

/** Whether workflows without permissions get read access only: as the repository sets, else its owner, else no. */
export function isRestricted(db: Database, repoId: number, ownerId: number): boolean {
  const sql = `SELECT is_restricted AS isRestricted FROM actions_token_rules WHERE repo_id = ? OR owner_id = ?
    ORDER BY repo_id IS NULL LIMIT 1`;
  return db.query<{ isRestricted: number }>(sql).get(repoId, ownerId)?.isRestricted === 1;
}

/** A home's own setting; undefined if none. */
export function restrictionOf(db: Database, home: HomeKey): boolean | undefined {
  const { params, sql } = inHome(home);
  const row = db
    .query<{ isRestricted: number }>(`SELECT is_restricted AS isRestricted FROM actions_token_rules WHERE ${sql}`)
    .get(params);
  return row ? row.isRestricted === 1 : undefined;
}

/** @param isRestricted undefined: removes the setting */
export function putRestriction(db: Database, home: HomeKey, isRestricted: boolean | undefined): void {
  const { params, sql } = inHome(home);
  db.query(`DELETE FROM actions_token_rules WHERE ${sql}`).run(params);
  if (isRestricted === undefined) return;
  db.query("INSERT INTO actions_token_rules (repo_id, owner_id, is_restricted) VALUES (?, ?, ?)").run(
    home.repoId ?? null,
    home.ownerId ?? null,
    isRestricted ? 1 : 0,
  );
}
