import type { Database } from "../db/database.ts";

/** A key of an account whose private part only its owner has. */
export interface PublicKey {
  /** As PEM. */
  readonly publicKey: string;
  readonly createdAt: number;
}

export function findPublicKey(db: Database, ownerId: number, purpose: string): PublicKey | undefined {
  const sql = `SELECT public_key AS publicKey, created_at AS createdAt FROM package_keys
    WHERE owner_id = ? AND purpose = ?`;
  return db.query<PublicKey>(sql).get(ownerId, purpose) ?? undefined;
}

/** In place of the one there may be. */
export function putPublicKey(
  db: Database,
  ownerId: number,
  purpose: string,
  { createdAt, publicKey }: PublicKey,
): void {
  db.query(
    `INSERT INTO package_keys (owner_id, purpose, private_key, public_key, created_at) VALUES (?, ?, '', ?, ?)
     ON CONFLICT (owner_id, purpose) DO UPDATE SET public_key = excluded.public_key, created_at = excluded.created_at`,
  ).run(ownerId, purpose, publicKey, createdAt);
}
