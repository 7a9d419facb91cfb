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

/** A token that is good now. */
export interface OpenToken {
  readonly user: User;
  /** The address its mail went to. */
  readonly email: string;
}

/** How long a link works. A reset is short-lived (security rule H9), a confirmation may wait for the evening. */
export const TOKEN_MINUTES: Readonly<Record<TokenPurpose, number>> = {
  activate: 180,
  "confirm-email": 180,
  "reset-password": 60,
};

/** A person gets a mail of one purpose this often at most (contract identity.md 5.4). */
export const RESEND_MS = 180_000;

const CODE = /^(\d{1,15})-([0-9a-f]{64})$/;
const refused = () => new BadRequest("account.code-invalid", { field: "code" });

/**
 * What mailed links carry: `<number>-<keyed hash>` over purpose, account, name, address, password hash and times. A
 * change of any of them, its use, its end or another purpose makes it worthless (contract identity.md 5.4, rule H9).
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

  /** Whether one of that purpose went out a moment ago, so that no other goes now. */
  wasJustIssued(userId: number, purpose: TokenPurpose, email?: string): boolean {
    const last = lastIssuedAt(this.db, userId, purpose, email);
    // One that is yet to come was issued by a clock that has been put back since.
    return last !== undefined && Math.abs(this.clock() - last) < RESEND_MS;
  }

  /**
   * Makes a token; answers its number, from which `codeOf` makes the link's code. Joins a running transaction.
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

  /** The code of a token that is still open; undefined when it was used, is over, or its account has changed hands. */
  codeOf(id: number): { code: string; user: User; email: string; purpose: TokenPurpose } | undefined {
    const found = this.find(id);
    if (!found) return undefined;
    const { row, user } = found;
    return { code: `${row.id}-${this.mac(row, user)}`, user, email: row.email, purpose: row.purpose };
  }

  /** Looks without using up. @throws BadRequest `account.code-invalid` for every reason alike */
  look(code: string, purpose: TokenPurpose): OpenToken {
    const [, number = "", given = ""] = CODE.exec(code) ?? [];
    const found = number === "" ? undefined : this.find(Number(number));
    if (!found || found.row.purpose !== purpose) throw refused();
    if (!equalSecrets(given, this.mac(found.row, found.user))) throw refused();
    return { user: found.user, email: found.row.email };
  }

  /**
   * Uses a token up, together with all others of its account, purpose and address; in the transaction that does what
   * it allows, so of two uses one wins (security rule M8).
   * @throws BadRequest `account.code-invalid`
   */
  consume(code: string, purpose: TokenPurpose): OpenToken {
    return this.db.transaction(() => {
      const token = this.look(code, purpose);
      deleteTokensOf(this.db, token.user.id, purpose, token.email);
      return token;
    });
  }

  /** A token whose time is not over and whose address the account still has. */
  private find(id: number): { row: EmailTokenRow; user: User } | undefined {
    const row = findToken(this.db, id);
    const user = row && findUserById(this.db, row.userId);
    if (!row || !user || !this.isOpen(row)) return undefined;
    return emailsOf(this.db, user.id).some(({ email }) => email === row.email) ? { row, user } : undefined;
  }

  /** Not over, and no longer to go than when it was issued: the clock may have been put back since. */
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
