import type { Database } from "../db/database.ts";

export interface StoredOwnerKey {
  readonly publicKey: string;
  /** Sealed. */
  readonly privateKey: string;
}

export function findKey(db: Database, ownerId: number, purpose: string): StoredOwnerKey | undefined {
  const sql = `SELECT public_key AS publicKey, private_key AS privateKey FROM package_keys
    WHERE owner_id = ? AND purpose = ?`;
  return db.query<StoredOwnerKey>(sql).get(ownerId, purpose) ?? undefined;
}

/** Notes a key, unless there is one or the account has gone. */
export function insertKey(
  db: Database,
  ownerId: number,
  purpose: string,
  { privateKey, publicKey }: StoredOwnerKey,
  now: number,
): void {
  db.query(
    `INSERT INTO package_keys (owner_id, purpose, private_key, public_key, created_at)
     SELECT id, ?, ?, ?, ? FROM users WHERE id = ? ON CONFLICT DO NOTHING`,
  ).run(purpose, privateKey, publicKey, now, ownerId);
}
