import type { Database } from "../../db/database.ts";

export type TokenPurpose = "activate" | "confirm-email" | "reset-password";

export interface EmailTokenRow {
  readonly id: number;
  readonly userId: number;
  readonly purpose: TokenPurpose;
  readonly email: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const columns = "id, user_id AS userId, purpose, email, created_at AS createdAt, expires_at AS expiresAt" as const;

export function insertToken(db: Database, token: Omit<EmailTokenRow, "id">): number {
  const row = db
    .query<{ id: number }>(
      "INSERT INTO email_tokens (user_id, purpose, email, created_at, expires_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
    )
    .get(token.userId, token.purpose, token.email, token.createdAt, token.expiresAt);
  if (!row) throw new Error("the token was not stored");
  return row.id;
}

export function findToken(db: Database, id: number): EmailTokenRow | undefined {
  return db.query<EmailTokenRow>(`SELECT ${columns} FROM email_tokens WHERE id = ?`).get(id) ?? undefined;
}

/** When the account last got a token for that purpose and address; any address if undefined. */
export function lastIssuedAt(
  db: Database,
  userId: number,
  purpose: TokenPurpose,
  email: string | undefined,
): number | undefined {
  return (
    db
      .query<{ at: number | null }>(
        "SELECT max(created_at) AS at FROM email_tokens WHERE user_id = $user AND purpose = $purpose AND ($email IS NULL OR email = $email)",
      )
      .get({ user: userId, purpose, email: email ?? null })?.at ?? undefined
  );
}

export function deleteTokensOf(db: Database, userId: number, purpose: TokenPurpose, email: string): void {
  db.query("DELETE FROM email_tokens WHERE user_id = ? AND purpose = ? AND email = ?").run(userId, purpose, email);
}

export function deleteTokensOver(db: Database, now: number): void {
  db.query("DELETE FROM email_tokens WHERE expires_at <= ?").run(now);
}
