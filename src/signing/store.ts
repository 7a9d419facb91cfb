import type { Database } from "../db/database.ts";
import type { SigningFormat } from "../git/signing/signer.ts";

export interface StoredSigningKey {
  /** As in signatures: 16 upper-case digits, or `SHA256:…`. */
  readonly keyId: string;
  readonly format: SigningFormat;
  /** In binary form. */
  readonly publicKey: Uint8Array;
  /** Sealed. */
  readonly privateKey: string;
  readonly createdAt: number;
}

interface Row {
  key_id: string;
  format: SigningFormat;
  public_key: Uint8Array;
  private_key: string;
  created_at: number;
}

const toKey = (row: Row): StoredSigningKey => ({
  keyId: row.key_id,
  format: row.format,
  publicKey: row.public_key,
  privateKey: row.private_key,
  createdAt: row.created_at,
});

/** The current key for this format. */
export function newestKey(db: Database, format: SigningFormat): StoredSigningKey | undefined {
  const row = db
    .query<Row>("SELECT * FROM signing_keys WHERE format = ? ORDER BY created_at DESC, key_id LIMIT 1")
    .get(format);
  return row ? toKey(row) : undefined;
}

export function keysById(db: Database, keyIds: readonly string[]): StoredSigningKey[] {
  return db
    .query<Row>("SELECT * FROM signing_keys WHERE key_id IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(keyIds))
    .map(toKey);
}

export function insertKey(db: Database, key: StoredSigningKey): void {
  db.query("INSERT INTO signing_keys (key_id, format, public_key, private_key, created_at) VALUES (?, ?, ?, ?, ?)").run(
    key.keyId,
    key.format,
    key.publicKey,
    key.privateKey,
    key.createdAt,
  );
}
