import type { Database } from "../../db/database.ts";

export interface StoredKey {
  readonly id: string;
  readonly algorithm: string;
  /** JWK as JSON. */
  readonly publicKey: string;
  /** The same with the private part, sealed. */
  readonly privateKey: string;
}

/** Newest first. */
export function signingKeys(db: Database): StoredKey[] {
  return db
    .query<StoredKey>(
      "SELECT id, algorithm, public_key AS publicKey, private_key AS privateKey FROM oauth2_signing_keys ORDER BY created_at DESC, id",
    )
    .all();
}

export function insertSigningKey(db: Database, key: StoredKey, createdAt: number): void {
  db.query(
    "INSERT INTO oauth2_signing_keys (id, algorithm, public_key, private_key, created_at) VALUES (?, ?, ?, ?, ?)",
  ).run(key.id, key.algorithm, key.publicKey, key.privateKey, createdAt);
}
