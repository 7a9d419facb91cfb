import type { Database } from "../../db/database.ts";

/** The topics an account has hidden. */
export function findHidden(db: Database, userId: number): string[] {
  const sql = "SELECT topic FROM hidden_entries WHERE user_id = ?";
  return db
    .query<{ topic: string }>(sql)
    .all(userId)
    .map(({ topic }) => topic);
}

/** Hides exactly these topics. */
export function replaceHidden(db: Database, userId: number, topics: readonly string[]): void {
  db.query("DELETE FROM hidden_entries WHERE user_id = ?").run(userId);
  for (const topic of topics) db.query("INSERT INTO hidden_entries (user_id, topic) VALUES (?, ?)").run(userId, topic);
}
