import type { Database } from "../../db/database.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { SshKey } from "../types.ts";

interface Row {
  id: number;
  user_id: number | null;
  title: string;
  content: string;
  comment: string;
  fingerprint: string;
  is_read_only: number;
  is_verified: number;
  source_id: number;
  created_at: number;
  last_used_at: number | null;
}

const columns =
  "id, user_id, title, content, comment, fingerprint, is_read_only, is_verified, source_id, created_at, last_used_at";

const toKey = (row: Row): SshKey => ({
  id: row.id,
  userId: row.user_id ?? undefined,
  title: row.title,
  content: row.content,
  comment: row.comment,
  fingerprint: row.fingerprint,
  isReadOnly: row.is_read_only === 1,
  isVerified: row.is_verified === 1,
  sourceId: row.source_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});

export interface NewSshKey {
  readonly userId: number | undefined;
  readonly title: string;
  readonly content: string;
  readonly comment: string;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
  /** Absent: added by a person. */
  readonly sourceId?: number;
  readonly isVerified?: boolean;
  readonly createdAt: number;
}

export function insertKey(db: Database, key: NewSshKey): SshKey {
  const row = db
    .query<Row>(
      `INSERT INTO ssh_keys (user_id, title, content, comment, fingerprint, is_read_only, is_verified, source_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
    )
    .get(
      key.userId ?? null,
      key.title,
      key.content,
      key.comment,
      key.fingerprint,
      key.isReadOnly ? 1 : 0,
      key.isVerified ? 1 : 0,
      key.sourceId ?? 0,
      key.createdAt,
    );
  if (!row) throw new Error("the new key's row was not returned");
  return toKey(row);
}

export function findKey(db: Database, id: number): SshKey | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM ssh_keys WHERE id = ?`).get(id);
  return row ? toKey(row) : undefined;
}

export function findKeyByContent(db: Database, content: string): SshKey | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM ssh_keys WHERE content = ?`).get(content);
  return row ? toKey(row) : undefined;
}

/** Verified account keys with these fingerprints, for many accounts at once. */
export function verifiedKeysByFingerprints(db: Database, fingerprints: readonly string[]): SshKey[] {
  return db
    .query<Row>(
      `SELECT ${columns} FROM ssh_keys
       WHERE fingerprint IN (SELECT value FROM json_each(?)) AND user_id IS NOT NULL AND is_verified = 1`,
    )
    .all(JSON.stringify(fingerprints))
    .map(toKey);
}

export function hasTitle(db: Database, userId: number, title: string): boolean {
  return db.query("SELECT 1 FROM ssh_keys WHERE user_id = ? AND title = ?").get(userId, title) !== null;
}

interface Asked {
  /** Absent: of everyone, including deploy keys. */
  readonly userId?: number;
  readonly fingerprint?: string;
}

/** Oldest first. */
export function listKeys(
  db: Database,
  { userId, fingerprint }: Asked,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<SshKey> {
  const conditions: string[] = [];
  const params: Record<string, number | string> = {};
  if (userId !== undefined) {
    conditions.push("user_id = $user");
    params["user"] = userId;
  }
  if (fingerprint !== undefined) {
    conditions.push("fingerprint = $fingerprint");
    params["fingerprint"] = fingerprint;
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM ssh_keys ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT ${columns} FROM ssh_keys ${where} ORDER BY id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset })
    .map(toKey);
  return { items, total };
}

/** An account's keys from a source. */
export function keysFromSource(db: Database, userId: number, sourceId: number): SshKey[] {
  return db
    .query<Row>(`SELECT ${columns} FROM ssh_keys WHERE user_id = ? AND source_id = ? ORDER BY id`)
    .all(userId, sourceId)
    .map(toKey);
}

export function countKeys(db: Database, userId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM ssh_keys WHERE user_id = ?").get(userId)?.n ?? 0;
}

export function hasVerifiedKey(db: Database, userId: number): boolean {
  return db.query("SELECT 1 FROM ssh_keys WHERE user_id = ? AND is_verified = 1").get(userId) !== null;
}

export function deleteKey(db: Database, id: number): void {
  db.query("DELETE FROM ssh_keys WHERE id = ?").run(id);
}

export function markVerified(db: Database, id: number): void {
  db.query("UPDATE ssh_keys SET is_verified = 1 WHERE id = ?").run(id);
}

export function markUsed(db: Database, id: number, at: number): void {
  db.query("UPDATE ssh_keys SET last_used_at = ? WHERE id = ?").run(at, id);
}
