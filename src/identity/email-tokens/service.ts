import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest } from "../../kernel/errors.ts";
import { equalSecrets, hmacSha256 } from "../../kernel/ids.ts";
import { emailsOf } from "../emails/store.ts";
import { findUserById, passwordHashOf } from "../store.ts";
import {
  deleteTokensOf,
  deleteTokensOver,
  type EmailTokenRow,
  findToken,
  insertToken,
  lastIssuedAt,
  type TokenPurpose,
} from "./store.ts";

export type { TokenPurpose } from "./store.ts";

/** A token that is currently valid. */
export interface OpenToken {
  readonly user: User;
  /** The address its mail was sent to. */
  readonly email: string;
}

/**
 * How long a link stays valid. A reset is short-lived (security rule H9), a confirmation may wait until the evening.
 */
export const TOKEN_MINUTES: Readonly<Record<TokenPurpose, number>> = {
  activate: 180,
  "confirm-email": 180,
  "reset-password": 60,
};

/** An account gets mail for the same purpose at most this often (contract identity.md 5.4). */
export const RESEND_MS = 180_000;

const CODE = /^(\d{1,15})-([0-9a-f]{64})$/;
const refused = () => new BadRequest("account.code-invalid", { field: "code" });

/**
 * Codes in mailed links: `<number>-<keyed hash>` over purpose, account, name, address, password hash and times. A
 * change to any of them, use, expiry or a different purpose invalidates the code (contract identity.md 5.4, rule H9).
 */
export class EmailTokens {
  private readonly key: string;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    secret: string,
  ) {
    this.key = hmacSha256(secret, "email-tokens", "hex");
  }

  /** Whether one for that purpose was issued too recently to send another. */
  wasJustIssued(userId: number, purpose: TokenPurpose, email?: string): boolean {
    const last = lastIssuedAt(this.db, userId, purpose, email);
    // A time in the future means that the clock has been set back since.
    return last !== undefined && Math.abs(this.clock() - last) < RESEND_MS;
  }

  /**
   * Issues a token and returns its id, from which `codeOf` builds the link's code. Joins a running transaction.
   * @param email one of the account's addresses, as it is stored
   */
  issue(user: User, purpose: TokenPurpose, email: string): number {
    const createdAt = this.clock();
    const expiresAt = createdAt + TOKEN_MINUTES[purpose] * 60_000;
    return this.db.transaction(() => {
      deleteTokensOver(this.db, createdAt);
      return insertToken(this.db, { userId: user.id, purpose, email, createdAt, expiresAt });
    });
  }

  /** The code of a token that is still valid; undefined if it was used, has expired, or its address was removed. */
  codeOf(id: number): { code: string; user: User; email: string; purpose: TokenPurpose } | undefined {
    const found = this.find(id);
    if (!found) return undefined;
    const { row, user } = found;
    return { code: `${row.id}-${this.mac(row, user)}`, user, email: row.email, purpose: row.purpose };
  }

  /** Reads a token without consuming it. @throws BadRequest `account.code-invalid` for every reason alike */
  look(code: string, purpose: TokenPurpose): OpenToken {
    const [, number = "", given = ""] = CODE.exec(code) ?? [];
    const found = number === "" ? undefined : this.find(Number(number));
    if (!found || found.row.purpose !== purpose) throw refused();
    if (!equalSecrets(given, this.mac(found.row, found.user))) throw refused();
    return { user: found.user, email: found.row.email };
  }

  /**
   * Consumes a token, and with it all others for the same account, purpose and address. Runs in the transaction that
   * does what the token allows, so that only one of two uses succeeds (security rule M8).
   * @throws BadRequest `account.code-invalid`
   */
  consume(code: string, purpose: TokenPurpose): OpenToken {
    return this.db.transaction(() => {
      const token = this.look(code, purpose);
      deleteTokensOf(this.db, token.user.id, purpose, token.email);
      return token;
    });
  }

  /** A token that has not expired and whose address still belongs to the account. */
  private find(id: number): { row: EmailTokenRow; user: User } | undefined {
    const row = findToken(this.db, id);
    const user = row && findUserById(this.db, row.userId);
    if (!row || !user || !this.isOpen(row)) return undefined;
    return emailsOf(this.db, user.id).some(({ email }) => email === row.email) ? { row, user } : undefined;
  }

  /** Not expired, and with no more time left than at issue: the clock may have been set back since. */
  private isOpen({ createdAt, expiresAt }: EmailTokenRow): boolean {
    const leftMs = expiresAt - this.clock();
    return leftMs > 0 && leftMs <= expiresAt - createdAt + RESEND_MS;
  }

  private mac(row: EmailTokenRow, user: User): string {
    const passwordHash = passwordHashOf(this.db, user.id) ?? "";
    const bound = [row.id, row.purpose, user.id, user.login, row.email, passwordHash, row.createdAt, row.expiresAt];
    return hmacSha256(this.key, JSON.stringify(bound), "hex");
  }
}
