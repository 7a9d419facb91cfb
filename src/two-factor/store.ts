import type { Database } from "../db/database.ts";
import type { Factors, Passkey } from "./types.ts";

/** SQL condition: the account whose id is that expression has a second factor. */
export const hasSecondFactor = (user: string) =>
  `(EXISTS (SELECT 1 FROM passcode_secrets WHERE passcode_secrets.user_id = ${user})
    OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = ${user}))`;

export function factorsOf(db: Database, userId: number): Factors {
  const row = db
    .query<{ passcodes: number; passkeys: number }>(
      `SELECT EXISTS (SELECT 1 FROM passcode_secrets WHERE user_id = $user) AS passcodes,
              EXISTS (SELECT 1 FROM passkeys WHERE user_id = $user) AS passkeys`,
    )
    .get({ user: userId });
  return { passcodes: row?.passcodes === 1, passkeys: row?.passkeys === 1 };
}

export function enrolledAmong(db: Database, userIds: readonly number[]): Set<number> {
  const rows = db
    .query<{ id: number }>(
      `SELECT wanted.value AS id FROM json_each(?) AS wanted WHERE ${hasSecondFactor("wanted.value")}`,
    )
    .all(JSON.stringify(userIds));
  return new Set(rows.map(({ id }) => id));
}

export function passcodeSecretOf(db: Database, userId: number): string | undefined {
  return db.query<{ secret: string }>("SELECT secret FROM passcode_secrets WHERE user_id = ?").get(userId)?.secret;
}

export function insertPasscodeSecret(db: Database, userId: number, sealed: string, now: number): void {
  db.query("INSERT INTO passcode_secrets (user_id, secret, created_at) VALUES (?, ?, ?)").run(userId, sealed, now);
}

/** @returns whether there was one */
export function deletePasscodeSecret(db: Database, userId: number): boolean {
  db.query("DELETE FROM used_passcodes WHERE user_id = ?").run(userId);
  return db.query("DELETE FROM passcode_secrets WHERE user_id = ?").run(userId).changes > 0;
}

/** Consumes a step, and deletes those that are no longer valid. @returns whether it was unused */
export function usePasscode(db: Database, userId: number, step: number, oldest: number): boolean {
  db.query("DELETE FROM used_passcodes WHERE user_id = ? AND step < ?").run(userId, oldest);
  return db.query("INSERT OR IGNORE INTO used_passcodes (user_id, step) VALUES (?, ?)").run(userId, step).changes > 0;
}

export function recoveryHashesOf(db: Database, userId: number): string | undefined {
  return db.query<{ hashes: string }>("SELECT hashes FROM recovery_codes WHERE user_id = ?").get(userId)?.hashes;
}

export function putRecoveryHashes(db: Database, userId: number, sealed: string, now: number): void {
  db.query(
    `INSERT INTO recovery_codes (user_id, hashes, created_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET hashes = excluded.hashes, created_at = excluded.created_at`,
  ).run(userId, sealed, now);
}

export function deleteRecoveryHashes(db: Database, userId: number): void {
  db.query("DELETE FROM recovery_codes WHERE user_id = ?").run(userId);
}

interface PasskeyRow {
  id: number;
  user_id: number;
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string;
  is_cloned: number;
  created_at: number;
  last_used_at: number | null;
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  credentialId: row.credential_id,
  publicKey: Buffer.from(row.public_key, "base64url"),
  counter: row.counter,
  transports: JSON.parse(row.transports) as string[],
  isCloned: row.is_cloned === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});

/** Oldest first. */
export function passkeysOf(db: Database, userId: number): Passkey[] {
  return db.query<PasskeyRow>("SELECT * FROM passkeys WHERE user_id = ? ORDER BY id").all(userId).map(toPasskey);
}

export function findPasskey(db: Database, credentialId: string): Passkey | undefined {
  const row = db.query<PasskeyRow>("SELECT * FROM passkeys WHERE credential_id = ?").get(credentialId);
  return row ? toPasskey(row) : undefined;
}

export function insertPasskey(db: Database, key: Omit<Passkey, "id" | "isCloned" | "lastUsedAt">): void {
  db.query(
    `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    key.userId,
    key.name,
    key.credentialId,
    Buffer.from(key.publicKey).toString("base64url"),
    key.counter,
    JSON.stringify(key.transports),
    key.createdAt,
  );
}

/** Records a use, unless the counter went backwards. @returns whether it did not */
export function usePasskey(db: Database, id: number, counter: number, now: number): boolean {
  return (
    db
      .query(
        `UPDATE passkeys SET counter = $counter, last_used_at = $now
         WHERE id = $id AND ($counter > counter OR ($counter = 0 AND counter = 0))`,
      )
      .run({ id, counter, now }).changes > 0
  );
}

export function markCloned(db: Database, id: number): void {
  db.query("UPDATE passkeys SET is_cloned = 1 WHERE id = ?").run(id);
}

export function deletePasskey(db: Database, id: number): void {
  db.query("DELETE FROM passkeys WHERE id = ?").run(id);
}

export function deletePasskeysOf(db: Database, userId: number): void {
  db.query("DELETE FROM passkeys WHERE user_id = ?").run(userId);
}
