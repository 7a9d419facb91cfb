import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { RunMailPreference } from "./types.ts";

/** Which mails people want about the runs that they started. */
export class RunMailPreferences {
  constructor(private readonly db: Database) {}

  of(userId: number): RunMailPreference {
    const sql = "SELECT preference FROM run_mail_preferences WHERE user_id = ?";
    return this.db.query<{ preference: RunMailPreference }>(sql).get(userId)?.preference ?? "failure-only";
  }

  /** @throws Unauthorised no account asks */
  set(principal: Principal, preference: RunMailPreference): void {
    const sql = `INSERT INTO run_mail_preferences (user_id, preference) VALUES (?, ?)
      ON CONFLICT (user_id) DO UPDATE SET preference = excluded.preference`;
    this.db.query(sql).run(accountOf(principal).id, preference);
  }
}
