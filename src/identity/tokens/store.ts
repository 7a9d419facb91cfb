import type { Database } from "../../db/database.ts";
import type { AccessToken } from "../types.ts";

interface Row {
  id: number;
  user_id: number;
  name: string;
  last_eight: string;
  scopes: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
}

const columns = "id, user_id, name, last_eight, scopes, created_at, last_used_at, expires_at";

const toToken = (row: Row): AccessToken => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  lastEight: row.last_eight,
  scopes: row.scopes.split(","),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  expiresAt: row.expires_at ?? undefined,
});

export function insertToken(
  db: Database,
  token: Pick<AccessToken, "userId" | "name" | "lastEight" | "scopes" | "createdAt" | "expiresAt"> & { hash: string },
): AccessToken {
  const row = db
    .query<Row>(
      `INSERT INTO access_tokens (user_id, name, token_hash, last_eight, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
    )
    .get(
      token.userId,
      token.name,
      token.hash,
      token.lastEight,
      token.scopes.join(","),
      token.createdAt,
      token.expiresAt ?? null,
    );
  if (!row) throw new Error("the new token's row was not returned");
  return toToken(row);
}

/** The index on the hash of 160 random bits makes the look-up safe against timing: hashes cannot be aimed at. */
export function findTokenByHash(db: Database, hash: string, now: number): AccessToken | undefined {
  const row = db
    .query<Row>(`SELECT ${columns} FROM access_tokens WHERE token_hash = ? AND (expires_at IS NULL OR expires_at > ?)`)
    .get(hash, now);
  return row ? toToken(row) : undefined;
}

export function findTokenById(db: Database, id: number): AccessToken | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM access_tokens WHERE id = ?`).get(id);
  return row ? toToken(row) : undefined;
}

export function tokensOf(
  db: Database,
  userId: number,
  limit: number,
  offset: number,
): { items: AccessToken[]; total: number } {
  const total =
    db.query<{ n: number }>("SELECT count(*) AS n FROM access_tokens WHERE user_id = ?").get(userId)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT ${columns} FROM access_tokens WHERE user_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`)
    .all(userId, limit, offset)
    .map(toToken);
  return { items, total };
}

export function findToken(
  db: Database,
  userId: number,
  by: { id: number } | { name: string },
): AccessToken | undefined {
  const row =
    "id" in by
      ? db.query<Row>(`SELECT ${columns} FROM access_tokens WHERE user_id = ? AND id = ?`).get(userId, by.id)
      : db.query<Row>(`SELECT ${columns} FROM access_tokens WHERE user_id = ? AND name = ?`).get(userId, by.name);
  return row ? toToken(row) : undefined;
}

/** Replaces the secret of a token and keeps its id. */
export function replaceToken(db: Database, id: number, hash: string, lastEight: string): void {
  db.query("UPDATE access_tokens SET token_hash = ?, last_eight = ?, last_used_at = NULL WHERE id = ?").run(
    hash,
    lastEight,
    id,
  );
}

export function deleteToken(db: Database, id: number): void {
  db.query("DELETE FROM access_tokens WHERE id = ?").run(id);
}

export function markTokenUsed(db: Database, id: number, at: number): void {
  db.query("UPDATE access_tokens SET last_used_at = ? WHERE id = ?").run(at, id);
}
