import type { Database } from "../db/database.ts";

export interface StoredActorKey {
  /** `site`, or `user:<id>`. */
  readonly actor: string;
  /** PEM. */
  readonly publicKey: string;
  /** PEM, sealed. */
  readonly privateKey: string;
}

export function findKey(db: Database, actor: string): StoredActorKey | undefined {
  const sql = `SELECT actor, public_key AS publicKey, private_key AS privateKey FROM actor_keys WHERE actor = ?`;
  return db.query<StoredActorKey>(sql).get(actor) ?? undefined;
}

/** An existing key stays. */
export function insertKey(db: Database, key: StoredActorKey, userId: number | undefined, now: number): void {
  db.query(
    `INSERT INTO actor_keys (actor, user_id, public_key, private_key, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (actor) DO NOTHING`,
  ).run(key.actor, userId ?? null, key.publicKey, key.privateKey, now);
}

/** Records the start time of a host's activity. @returns whether none as late has been recorded */
export function noteLike(db: Database, host: string, at: number): boolean {
  const sql = `INSERT INTO federated_hosts (host, last_like_at) VALUES ($host, $at)
    ON CONFLICT (host) DO UPDATE SET last_like_at = $at WHERE last_like_at < $at`;
  return db.query(sql).run({ host, at }).changes > 0;
}
