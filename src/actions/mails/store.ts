import type { Database } from "../../db/database.ts";
import type { RunMailPreference } from "./types.ts";

/** The user's preference; undefined if none is stored. */
export function preferenceOf(db: Database, userId: number): RunMailPreference | undefined {
  const sql = "SELECT preference FROM run_mail_preferences WHERE user_id = ?";
  return db.query<{ preference: RunMailPreference }>(sql).get(userId)?.preference;
}

export function setPreference(db: Database, userId: number, preference: RunMailPreference): void {
  const sql = `INSERT INTO run_mail_preferences (user_id, preference) VALUES (?, ?)
    ON CONFLICT (user_id) DO UPDATE SET preference = excluded.preference`;
  db.query(sql).run(userId, preference);
}
