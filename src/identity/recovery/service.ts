import type { Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest } from "../../kernel/errors.ts";
import { RateLimiter } from "../../kernel/rate-limiter.ts";
import type { MailService } from "../../mail/service.ts";
import { type AccountMailWords, emailIn, MAIL_KINDS } from "../account-mails.ts";
import type { AccountPasswords } from "../account-passwords.ts";
import { type EmailTokens, TOKEN_MINUTES } from "../email-tokens/service.ts";
import { emailsOf, markEmailProven } from "../emails/store.ts";
import type { Passwords } from "../passwords.ts";
import type { IdentityService } from "../service.ts";
import type { SessionService } from "../sessions/service.ts";
import { findUserByEmail, updateUser } from "../store.ts";
import { checkEmail } from "../values.ts";

export interface RecoveryParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly mail: MailService;
  readonly tokens: EmailTokens;
  readonly identity: IdentityService;
  readonly accountPasswords: AccountPasswords;
  readonly sessions: SessionService;
  readonly passwords: Passwords;
  readonly audit: AuditService;
  readonly words: AccountMailWords;
}

const RECOVER = "identity.password-recovery";

/** Password reset: mails a link that sets a new password, once and within the hour (security rules H7 to H9). */
export class PasswordRecovery {
  /** Limits, per visitor, requests for mail to arbitrary addresses. */
  readonly requests: RateLimiter;

  constructor(
    private readonly parts: RecoveryParts,
    rootUrl: string,
  ) {
    const { jobs, mail, tokens, words } = parts;
    this.requests = new RateLimiter({ limit: 5, windowMs: 10 * 60_000 });
    mail.compose(MAIL_KINDS["reset-password"], async ({ token }) => {
      const open = tokens.codeOf(Number(token));
      if (!open) return undefined;
      const href = `${rootUrl}user/recover_account?${new URLSearchParams({ code: open.code })}`;
      const about = {
        login: open.user.login,
        language: open.user.language,
        href,
        minutes: TOKEN_MINUTES["reset-password"],
      };
      return { to: open.email, content: await words("reset-password", about) };
    });
    jobs.handle(RECOVER, {
      parse: (payload) => ({ email: emailIn(payload) }),
      run: ({ email }) => this.mailLink(email),
    });
  }

  get isAvailable(): boolean {
    return this.parts.mail.isConfigured;
  }

  /**
   * Requests a link. Takes the same time and returns the same whether or not the address is known: a job finds out.
   * @param from the visitor's network address
   * @throws BadRequest mail is not configured; TooManyRequests
   */
  request(from: string, email: string): void {
    if (!this.isAvailable) throw new BadRequest("mail.not-configured");
    this.requests.take(from);
    const given = email.slice(0, 254);
    this.parts.jobs.enqueue(RECOVER, { email: given }, { uniqueKey: `${RECOVER} ${given}` });
  }

  /** The account whose password a link sets. @throws BadRequest `account.code-invalid` */
  recovering(code: string): User {
    const { user } = this.parts.tokens.look(code, "reset-password");
    if (!this.mayRecover(user)) throw new BadRequest("account.code-invalid", { field: "code" });
    return user;
  }

  /**
   * Sets a new password and consumes the link; all sessions end, and every other link of the account becomes invalid.
   * @throws BadRequest `account.code-invalid`; ValidationFailed a password that breaks a rule, and the link stays
   * valid
   */
  async reset(principal: Principal, code: string, password: string): Promise<User> {
    const { accountPasswords, db, clock, tokens, identity, sessions, passwords, audit } = this.parts;
    this.recovering(code);
    accountPasswords.check(password);
    const passwordHash = await passwords.hash(password);
    return db.transaction(() => {
      this.recovering(code);
      const { user, email } = tokens.consume(code, "reset-password");
      updateUser(db, user.id, { passwordHash, mustChangePassword: false }, clock());
      markEmailProven(db, user.id, email);
      sessions.closeAllOf(user.id);
      audit.append(principal, "password-recovered", user, {});
      return identity.byId(user.id) ?? user;
    });
  }

  /** The mail goes to the address as stored, never as typed (rule H8). */
  private mailLink(typed: string): void {
    const { db, mail, tokens } = this.parts;
    try {
      checkEmail(typed);
    } catch {
      return;
    }
    db.transaction(() => {
      const user = findUserByEmail(db, typed);
      if (!user || !this.mayRecover(user) || tokens.wasJustIssued(user.id, "reset-password")) return;
      const stored = emailsOf(db, user.id).find(({ email }) => email.toLowerCase() === typed.toLowerCase());
      if (stored)
        mail.enqueue(MAIL_KINDS["reset-password"], { token: tokens.issue(user, "reset-password", stored.email) });
    });
  }

  /** Only local accounts of people; those that may not sign in get no new password either. */
  private mayRecover(user: User): boolean {
    const problem = this.parts.identity.accountProblem(user);
    const mayComeIn = problem !== "prohibited" && problem !== "inactive";
    return user.kind === "individual" && user.sourceId === 0 && mayComeIn;
  }
}
