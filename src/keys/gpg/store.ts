import type { Database } from "../../db/database.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { GpgKey } from "../types.ts";
import type { ReadGpgPart } from "./read.job.ts";

interface Row {
  id: number;
  user_id: number;
  primary_id: number | null;
  key_id: string;
  fingerprint: string;
  packet: Uint8Array;
  can_sign: number;
  can_encrypt_comms: number;
  can_encrypt_storage: number;
  is_verified: number;
  expires_at: number | null;
  created_at: number;
}

/** A row; `primaryId` is undefined for primary keys. */
export interface StoredGpgKey extends GpgKey {
  readonly primaryId: number | undefined;
}

const columns = `id, user_id, primary_id, key_id, fingerprint, packet, can_sign, can_encrypt_comms, can_encrypt_storage,
  is_verified, expires_at, created_at`;

const toKey = (row: Row): StoredGpgKey => ({
  id: row.id,
  userId: row.user_id,
  primaryId: row.primary_id ?? undefined,
  keyId: row.key_id,
  fingerprint: row.fingerprint,
  packet: row.packet,
  canSign: row.can_sign === 1,
  canEncryptComms: row.can_encrypt_comms === 1,
  canEncryptStorage: row.can_encrypt_storage === 1,
  isVerified: row.is_verified === 1,
  expiresAt: row.expires_at ?? undefined,
  createdAt: row.created_at,
});

/** A primary key. @param block the whole key */
export function insertPrimary(
  db: Database,
  key: ReadGpgPart & { readonly block: Uint8Array; readonly emails: readonly string[] },
  about: { readonly userId: number; readonly isVerified: boolean; readonly createdAt: number },
): number {
  const id = insert(db, key, { ...about, primaryId: null, block: key.block });
  const sql = "INSERT OR IGNORE INTO gpg_key_emails (gpg_key_id, lower_email) VALUES (?, ?)";
  for (const email of key.emails) db.query(sql).run(id, email);
  return id;
}

export function insertSubkey(
  db: Database,
  key: ReadGpgPart,
  about: {
    readonly userId: number;
    readonly primaryId: number;
    readonly isVerified: boolean;
    readonly createdAt: number;
  },
): void {
  insert(db, key, { ...about, block: null });
}

function insert(
  db: Database,
  key: ReadGpgPart,
  about: {
    readonly userId: number;
    readonly primaryId: number | null;
    readonly block: Uint8Array | null;
    readonly isVerified: boolean;
    readonly createdAt: number;
  },
): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO gpg_keys (user_id, primary_id, key_id, fingerprint, packet, block, can_sign, can_encrypt_comms,
         can_encrypt_storage, is_verified, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    )
    .get(
      about.userId,
      about.primaryId,
      key.keyId,
      key.fingerprint,
      key.packet,
      about.block,
      key.canSign ? 1 : 0,
      key.canEncryptComms ? 1 : 0,
      key.canEncryptStorage ? 1 : 0,
      about.isVerified ? 1 : 0,
      key.expiresAt ?? null,
      about.createdAt,
    );
  if (!row) throw new Error("the new key's row was not returned");
  return row.id;
}

/** Whether a stored key could be confused with one of these ids. */
export function isGpgKeyTaken(db: Database, keyIds: readonly string[]): boolean {
  const sql = `SELECT 1 FROM gpg_keys WHERE key_id IN (SELECT value FROM json_each(?))
    AND (primary_id IS NULL OR can_sign = 1)`;
  return db.query(sql).get(JSON.stringify(keyIds)) !== null;
}

export function countGpgKeys(db: Database, userId: number): number {
  const sql = "SELECT count(*) AS n FROM gpg_keys WHERE user_id = ? AND primary_id IS NULL";
  return db.query<{ n: number }>(sql).get(userId)?.n ?? 0;
}

/** Primary keys, oldest first. */
export function listGpgKeys(
  db: Database,
  userId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<StoredGpgKey> {
  const items = db
    .query<Row>(`SELECT ${columns} FROM gpg_keys WHERE user_id = ? AND primary_id IS NULL ORDER BY id LIMIT ? OFFSET ?`)
    .all(userId, limit, offset)
    .map(toKey);
  return { items, total: countGpgKeys(db, userId) };
}

export function findGpgKey(db: Database, id: number): StoredGpgKey | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM gpg_keys WHERE id = ?`).get(id);
  return row ? toKey(row) : undefined;
}

/** The account's primary key with that id. */
export function ownPrimary(db: Database, userId: number, keyId: string): StoredGpgKey | undefined {
  const sql = `SELECT ${columns} FROM gpg_keys WHERE key_id = ? AND user_id = ? AND primary_id IS NULL`;
  const row = db.query<Row>(sql).get(keyId, userId);
  return row ? toKey(row) : undefined;
}

/** The subkeys of these primary keys, oldest first. */
export function subkeysOf(db: Database, primaryIds: readonly number[]): StoredGpgKey[] {
  return db
    .query<Row>(`SELECT ${columns} FROM gpg_keys WHERE primary_id IN (SELECT value FROM json_each(?)) ORDER BY id`)
    .all(JSON.stringify(primaryIds))
    .map(toKey);
}

/** The addresses in the identities of these primary keys, in lower case. */
export function emailsOfKeys(db: Database, primaryIds: readonly number[]): Map<number, string[]> {
  const rows = db
    .query<{ gpg_key_id: number; lower_email: string }>(
      "SELECT gpg_key_id, lower_email FROM gpg_key_emails WHERE gpg_key_id IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(primaryIds));
  const found = new Map<number, string[]>();
  for (const { gpg_key_id: id, lower_email: email } of rows) found.set(id, [...(found.get(id) ?? []), email]);
  return found;
}

export function blockOf(db: Database, primaryId: number): Uint8Array | undefined {
  return (
    db.query<{ block: Uint8Array | null }>("SELECT block FROM gpg_keys WHERE id = ?").get(primaryId)?.block ?? undefined
  );
}

export function blocksOf(db: Database, userId: number): Uint8Array[] {
  return db
    .query<{ block: Uint8Array }>(
      "SELECT block FROM gpg_keys WHERE user_id = ? AND primary_id IS NULL AND block IS NOT NULL ORDER BY id",
    )
    .all(userId)
    .map(({ block }) => block);
}

/** Signing keys and subkeys with one of these ids. */
export function signingKeysById(db: Database, keyIds: readonly string[]): StoredGpgKey[] {
  return db
    .query<Row>(
      `SELECT ${columns} FROM gpg_keys WHERE key_id IN (SELECT value FROM json_each(?)) AND can_sign = 1 ORDER BY id`,
    )
    .all(JSON.stringify(keyIds))
    .map(toKey);
}

/** Deletes the subkeys too. */
export function deleteGpgKey(db: Database, id: number): void {
  db.query("DELETE FROM gpg_keys WHERE id = ?").run(id);
}

/** Marks the subkeys too. */
export function markGpgVerified(db: Database, id: number): void {
  db.query("UPDATE gpg_keys SET is_verified = 1 WHERE id = $id OR primary_id = $id").run({ id });
}
