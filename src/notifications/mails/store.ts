import type { Database } from "../../db/database.ts";
import type { MailPreference } from "./types.ts";

export function preferenceOf(db: Database, userId: number): MailPreference | undefined {
  const sql = "SELECT preference FROM mail_preferences WHERE user_id = ?";
  return db.query<{ preference: MailPreference }>(sql).get(userId)?.preference;
}

export function setPreference(db: Database, userId: number, preference: MailPreference): void {
  const sql = `INSERT INTO mail_preferences (user_id, preference) VALUES (?, ?)
    ON CONFLICT (user_id) DO UPDATE SET preference = excluded.preference`;
  db.query(sql).run(userId, preference);
}

/** Records that someone is notified. @returns whether they were not before */
export function noteTold(db: Database, userId: number, messageId: string, now: number): boolean {
  const sql = "INSERT OR IGNORE INTO told_by_mail (user_id, message_id, told_at) VALUES (?, ?, ?)";
  return db.query(sql).run(userId, messageId, now).changes > 0;
}

/** @returns how many */
export function forgetToldBefore(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM told_by_mail WHERE (user_id, message_id) IN
    (SELECT user_id, message_id FROM told_by_mail WHERE told_at < ? ORDER BY told_at LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}
