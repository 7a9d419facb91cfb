import type { Database } from "../db/database.ts";

export interface StoredHostKey {
  /** `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa` */
  readonly type: string;
  /** In SSH's binary form. */
  readonly publicKey: Uint8Array;
  /** Sealed. */
  readonly privateKey: string;
  readonly createdAt: number;
}

interface Row {
  type: string;
  public_key: Uint8Array;
  private_key: string;
  created_at: number;
}

export function hostKeys(db: Database): StoredHostKey[] {
  return db
    .query<Row>("SELECT type, public_key, private_key, created_at FROM ssh_host_keys ORDER BY type")
    .all()
    .map((row) => ({
      type: row.type,
      publicKey: row.public_key,
      privateKey: row.private_key,
      createdAt: row.created_at,
    }));
}

/** Replaces one of the same type. */
export function putHostKey(db: Database, key: StoredHostKey): void {
  db.query(
    `INSERT INTO ssh_host_keys (type, public_key, private_key, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (type) DO UPDATE SET
       public_key = excluded.public_key, private_key = excluded.private_key, created_at = excluded.created_at`,
  ).run(key.type, key.publicKey, key.privateKey, key.createdAt);
}
