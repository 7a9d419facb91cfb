import type { Database } from "../db/database.ts";

export interface StoredOwnerKey {
  readonly publicKey: string;
  /** Sealed; empty if only its owner has it. */
  readonly privateKey: string;
  readonly createdAt: number;
}

export function findKey(db: Database, ownerId: number, purpose: string): StoredOwnerKey | undefined {
  const sql = `SELECT public_key AS publicKey, private_key AS privateKey, created_at AS createdAt FROM package_keys
    WHERE owner_id = ? AND purpose = ?`;
  return db.query<StoredOwnerKey>(sql).get(ownerId, purpose) ?? undefined;
}

/** Stores a key, unless one exists or the account is gone. */
export function insertKey(
  db: Database,
  ownerId: number,
  purpose: string,
  { createdAt, privateKey, publicKey }: StoredOwnerKey,
): void {
  db.query(
    `INSERT INTO package_keys (owner_id, purpose, private_key, public_key, created_at)
     SELECT id, ?, ?, ?, ? FROM users WHERE id = ? ON CONFLICT DO NOTHING`,
  ).run(purpose, privateKey, publicKey, createdAt, ownerId);
}

/** Stores a public key whose private part only its owner has, replacing any earlier one. */
export function putPublicKey(
  db: Database,
  ownerId: number,
  purpose: string,
  { createdAt, publicKey }: Pick<StoredOwnerKey, "createdAt" | "publicKey">,
): void {
  db.query(
    `INSERT INTO package_keys (owner_id, purpose, private_key, public_key, created_at) VALUES (?, ?, '', ?, ?)
     ON CONFLICT (owner_id, purpose) DO UPDATE SET public_key = excluded.public_key, created_at = excluded.created_at`,
  ).run(ownerId, purpose, publicKey, createdAt);
}
