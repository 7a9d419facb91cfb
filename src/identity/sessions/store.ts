import type { Database } from "../../db/database.ts";
import type { Session } from "../types.ts";

// lucia creates and renews rows; ending and reading them is here.

interface SessionRow {
  id: string;
  user_id: number;
  expires_at: number;
  created_at: number;
  last_used_at: number;
  address: string;
  user_agent: string;
  source_id: number | null;
}

const columns = "id, user_id, expires_at, created_at, last_used_at, address, user_agent, source_id";

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at * 1000,
  address: row.address,
  userAgent: row.user_agent,
  sourceId: row.source_id ?? undefined,
});

export function findSession(db: Database, id: string): Session | undefined {
  const row = db.query<SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`).get(id);
  return row ? toSession(row) : undefined;
}

/** Newest first, without expired ones. */
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

/** Caps the expiry of sessions. Longer ones were opened before the clock was set back, or under a longer setting. */
export function shortenSessions(db: Database, latestMs: number): void {
  db.query("UPDATE sessions SET expires_at = $latest WHERE expires_at > $latest").run({
    latest: Math.ceil(latestMs / 1000),
  });
}

export function markSessionUsed(db: Database, id: string, now: number): void {
  db.query("UPDATE sessions SET last_used_at = ? WHERE id = ?").run(now, id);
}

/** A credential that opens a browser's next session, once. */
export interface RememberedSignIn {
  readonly id: string;
  readonly sessionId: string;
  readonly secretHash: string;
  readonly previousHash: string;
  readonly replacedAt: number;
}

export function findRemembered(db: Database, id: string): RememberedSignIn | undefined {
  return (
    db
      .query<RememberedSignIn>(
        `SELECT id, session_id AS sessionId, secret_hash AS secretHash, previous_hash AS previousHash,
           replaced_at AS replacedAt FROM remembered_sign_ins WHERE id = ?`,
      )
      .get(id) ?? undefined
  );
}

export function insertRemembered(db: Database, remembered: RememberedSignIn): void {
  db.query(
    `INSERT INTO remembered_sign_ins (id, session_id, secret_hash, previous_hash, replaced_at) VALUES (?, ?, ?, ?, ?)`,
  ).run(remembered.id, remembered.sessionId, remembered.secretHash, remembered.previousHash, remembered.replacedAt);
}

/**
 * Moves it to another session with a new secret, if its current one is still `expectedHash`. @returns whether it was
 */
export function replaceRemembered(db: Database, expectedHash: string, next: RememberedSignIn): boolean {
  return (
    db
      .query(
        `UPDATE remembered_sign_ins SET session_id = $session, secret_hash = $hash, previous_hash = $expected,
           replaced_at = $now WHERE id = $id AND secret_hash = $expected`,
      )
      .run({
        id: next.id,
        session: next.sessionId,
        hash: next.secretHash,
        expected: expectedHash,
        now: next.replacedAt,
      }).changes > 0
  );
}
