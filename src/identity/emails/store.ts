import type { Database } from "../../db/database.ts";
import type { Email, OwnedEmail } from "../types.ts";

export function emailsOf(db: Database, userId: number): Email[] {
  return db
    .query<{ id: number; email: string; is_verified: number; is_proven: number; is_primary: number }>(
      "SELECT id, email, is_verified, is_proven, is_primary FROM user_emails WHERE user_id = ? ORDER BY id",
    )
    .all(userId)
    .map((row) => ({
      id: row.id,
      email: row.email,
      isVerified: row.is_verified === 1,
      isProven: row.is_proven === 1,
      isPrimary: row.is_primary === 1,
    }));
}

interface OwnedEmailRow {
  id: number;
  email: string;
  is_verified: number;
  is_proven: number;
  is_primary: number;
  user_id: number;
  login: string;
}

const emailsFound = `FROM user_emails JOIN users ON users.id = user_emails.user_id
  WHERE ($isProven IS NULL OR is_proven = $isProven)
  AND ($part = '' OR instr(user_emails.lower_email, $part) > 0 OR instr(users.lower_login, $part) > 0)`;

/** The orders in which addresses can be listed. */
export const emailOrders = {
  oldest: "user_emails.id",
  newest: "user_emails.id DESC",
  address: "user_emails.lower_email",
  account: "users.lower_login, user_emails.id",
} as const;

/** Filter and order of a list of addresses. */
export interface EmailSearch {
  /** Part of the address or of the owner's name; empty: all. */
  readonly part: string;
  /** Undefined: both. */
  readonly isProven?: boolean | undefined;
  readonly order?: keyof typeof emailOrders;
}

/** Addresses of the whole site, alphabetically unless the search has another order. */
export function allEmails(
  db: Database,
  search: EmailSearch,
  limit: number,
  offset: number,
): { items: OwnedEmail[]; total: number } {
  const isProven = search.isProven === undefined ? null : search.isProven ? 1 : 0;
  const params = { part: search.part.toLowerCase(), isProven };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${emailsFound}`).get(params)?.n ?? 0;
  const items = db
    .query<OwnedEmailRow>(
      `SELECT user_emails.id, user_emails.email, is_verified, is_proven, is_primary, user_id, users.login ${emailsFound}
       ORDER BY ${emailOrders[search.order ?? "address"]} LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset })
    .map((row) => ({
      email: {
        id: row.id,
        email: row.email,
        isVerified: row.is_verified === 1,
        isProven: row.is_proven === 1,
        isPrimary: row.is_primary === 1,
      },
      owner: { id: row.user_id, login: row.login },
    }));
  return { items, total };
}

export function isEmailTaken(db: Database, email: string): number | undefined {
  return db.query<{ user_id: number }>("SELECT user_id FROM user_emails WHERE lower_email = ?").get(email.toLowerCase())
    ?.user_id;
}

/** An address to be added. */
export interface NewEmail {
  readonly email: string;
  /** Usable as the primary address and for signing in. */
  readonly isVerified: boolean;
  /** Proven to belong to the account: confirmed by mail, or set by an administrator. */
  readonly isProven: boolean;
  readonly isPrimary: boolean;
}

export function insertEmail(db: Database, userId: number, added: NewEmail): void {
  db.query(
    "INSERT INTO user_emails (user_id, email, lower_email, is_verified, is_proven, is_primary) VALUES (?, ?, ?, ?, ?, ?)",
  ).run(
    userId,
    added.email,
    added.email.toLowerCase(),
    added.isVerified ? 1 : 0,
    added.isProven ? 1 : 0,
    added.isPrimary ? 1 : 0,
  );
}

/** Marks an address as proven, by a followed link or on an administrator's authority. */
export function markEmailProven(db: Database, userId: number, email: string): void {
  db.query("UPDATE user_emails SET is_verified = 1, is_proven = 1 WHERE user_id = ? AND lower_email = ?").run(
    userId,
    email.toLowerCase(),
  );
}

/** Makes the primary address usable; it is not proven. */
export function markPrimaryVerified(db: Database, userId: number): void {
  db.query("UPDATE user_emails SET is_verified = 1 WHERE user_id = ? AND is_primary = 1").run(userId);
}

export function deleteEmail(db: Database, userId: number, emailId: number): void {
  db.query("DELETE FROM user_emails WHERE id = ? AND user_id = ?").run(emailId, userId);
}

/** Makes an address the primary one and updates users.email. */
export function makePrimary(db: Database, userId: number, emailId: number): void {
  db.query("UPDATE user_emails SET is_primary = (id = ?) WHERE user_id = ?").run(emailId, userId);
  db.query("UPDATE users SET email = (SELECT email FROM user_emails WHERE id = ?) WHERE id = ?").run(emailId, userId);
}
