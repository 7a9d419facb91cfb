import type { Database } from "../../db/database.ts";
import type { Session } from "../types.ts";

// lucia makes and renews rows; what ends them, or only looks, is here.

interface SessionRow {
  id: string;
  user_id: number;
  expires_at: number;
  created_at: number;
  address: string;
  user_agent: string;
}

const columns = "id, user_id, expires_at, created_at, address, user_agent";

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at * 1000,
  address: row.address,
  userAgent: row.user_agent,
});

export function findSession(db: Database, id: string): Session | undefined {
  const row = db.query<SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`).get(id);
  return row ? toSession(row) : undefined;
}

/** Newest first, without those that are over. */
export function sessionsOf(db: Database, userId: number, nowMs: number): Session[] {
  return db
    .query<SessionRow>(`SELECT ${columns} FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY created_at DESC`)
    .all(userId, Math.floor(nowMs / 1000))
    .map(toSession);
}

export function deleteSession(db: Database, id: string): void {
  db.query("DELETE FROM sessions WHERE id = ?").run(id);
}

export function deleteSessionsOf(db: Database, userId: number, exceptId: string): void {
  db.query("DELETE FROM sessions WHERE user_id = ? AND id <> ?").run(userId, exceptId);
}

export function deleteSessionsOver(db: Database, nowMs: number): void {
  db.query("DELETE FROM sessions WHERE expires_at <= ?").run(Math.floor(nowMs / 1000));
}
