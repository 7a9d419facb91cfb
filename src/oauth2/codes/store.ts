import type { Database } from "../../db/database.ts";

/** An authorization code as stored: by the hash of its 256 random bits. */
export interface AuthorizationCode {
  readonly hash: string;
  readonly grantId: number;
  /** As given in the client's request. */
  readonly redirectUri: string;
  readonly nonce: string;
  /** Empty: the client did not use PKCE. */
  readonly challenge: string;
  readonly challengeMethod: "S256" | "plain";
  readonly expiresAt: number;
}

export interface StoredCode extends AuthorizationCode {
  readonly isRedeemed: boolean;
  /** The tokens it was redeemed for; undefined once they are revoked. */
  readonly familyId: number | undefined;
}

interface Row {
  code_hash: string;
  grant_id: number;
  redirect_uri: string;
  nonce: string;
  challenge: string;
  challenge_method: string;
  is_redeemed: number;
  family_id: number | null;
  expires_at: number;
}

export function insertCode(db: Database, code: AuthorizationCode): void {
  db.query(
    "INSERT INTO oauth2_codes (code_hash, grant_id, redirect_uri, nonce, challenge, challenge_method, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(code.hash, code.grantId, code.redirectUri, code.nonce, code.challenge, code.challengeMethod, code.expiresAt);
}

export function findCode(db: Database, hash: string): StoredCode | undefined {
  const row = db.query<Row>("SELECT * FROM oauth2_codes WHERE code_hash = ?").get(hash);
  if (!row) return undefined;
  return {
    hash: row.code_hash,
    grantId: row.grant_id,
    redirectUri: row.redirect_uri,
    nonce: row.nonce,
    challenge: row.challenge,
    challengeMethod: row.challenge_method === "S256" ? "S256" : "plain",
    isRedeemed: row.is_redeemed === 1,
    familyId: row.family_id ?? undefined,
    expiresAt: row.expires_at,
  };
}

/** @returns whether this call redeemed it */
export function redeemCode(db: Database, hash: string): boolean {
  return (
    db.query("UPDATE oauth2_codes SET is_redeemed = 1 WHERE code_hash = ? AND is_redeemed = 0").run(hash).changes > 0
  );
}

export function setFamily(db: Database, hash: string, familyId: number): void {
  db.query("UPDATE oauth2_codes SET family_id = ? WHERE code_hash = ?").run(familyId, hash);
}

export function deleteCodesBefore(db: Database, expiry: number): void {
  db.query("DELETE FROM oauth2_codes WHERE expires_at <= ?").run(expiry);
}
