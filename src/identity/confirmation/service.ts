import { accountOf, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, NotFound, TooManyRequests, ValidationFailed } from "../../kernel/errors.ts";
import { RateLimiter } from "../../kernel/rate-limiter.ts";
import type { MailService } from "../../mail/service.ts";
import type { AccountCreation } from "../account-creation.ts";
import { type AccountMailWords, emailIn, MAIL_KINDS } from "../account-mails.ts";
import type { AccountPasswords } from "../account-passwords.ts";
import { type EmailTokens, RESEND_MS, TOKEN_MINUTES } from "../email-tokens/service.ts";
import type { EmailService } from "../emails/service.ts";
import { emailsOf, markEmailProven } from "../emails/store.ts";
import type { Attempt } from "../guesses.ts";
import type { IdentityService } from "../service.ts";
import { findUserByAnyEmail, updateUser, usersAwaited } from "../store.ts";
import type { Email } from "../types.ts";

export interface ConfirmationOptions {
  /** `mail.confirm_addresses` */
  readonly isRequired: boolean;
  readonly rootUrl: string;
}

export interface ConfirmationParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly mail: MailService;
  readonly tokens: EmailTokens;
  readonly identity: IdentityService;
  readonly accountCreation: AccountCreation;
  readonly accountPasswords: AccountPasswords;
  readonly emails: EmailService;
  readonly words: AccountMailWords;
}

const RESEND = "identity.resend-activation";

/**
 * Proves that an address belongs to its account: a mail is sent there and its link is followed. Activating a
 * registered account is the same for its first address.
 */
export class EmailConfirmation {
  /** Limits, per visitor, requests for mail to arbitrary addresses. */
  readonly requests: RateLimiter;

  constructor(
    private readonly parts: ConfirmationParts,
    private readonly options: ConfirmationOptions,
  ) {
    const { jobs, mail, tokens, words } = parts;
    this.requests = new RateLimiter({ limit: 5, windowMs: 10 * 60_000 });
    const link = (page: "activate" | "activate_email", id: number) => {
      const open = tokens.codeOf(id);
      if (!open) return undefined;
      const query = new URLSearchParams({ code: open.code });
      if (page === "activate_email") query.set("email", open.email);
      const href = `${options.rootUrl}user/${page}?${query}`;
      return {
        to: open.email,
        about: { login: open.user.login, language: open.user.language, href, minutes: TOKEN_MINUTES[open.purpose] },
      };
    };
    mail.compose(MAIL_KINDS.activate, async ({ token }) => {
      const found = link("activate", Number(token));
      return found && { to: found.to, content: await words("activate", found.about) };
    });
    mail.compose(MAIL_KINDS["confirm-email"], async ({ token }) => {
      const found = link("activate_email", Number(token));
      return found && { to: found.to, content: await words("confirm-email", found.about) };
    });
    jobs.handle(RESEND, {
      parse: (payload) => ({ email: emailIn(payload) }),
      run: ({ email }) => this.resendActivation(email),
    });
  }

  /** Whether mails with links can be sent at present. */
  get canSend(): boolean {
    return this.parts.mail.isConfigured;
  }

  /** Whether the account was registered and has not followed its link yet. */
  isAwaited(user: User): boolean {
    return !user.isActive && emailsOf(this.parts.db, user.id).some((email) => email.isPrimary && !email.isVerified);
  }

  /**
   * Accounts that registered before that time (milliseconds since 1970), are still unconfirmed and never signed in,
   * by id.
   * @param after only ids greater than this
   */
  awaitedSince(before: number, after: number, limit: number): User[] {
    return usersAwaited(this.parts.db, before, after, limit);
  }

  /**
   * Registers an account for a visitor; where addresses are confirmed it stays inactive until its mailed link is
   * followed.
   * @throws Forbidden registration is closed; ValidationFailed
   */
  register(principal: Principal, input: { login: string; email: string; password: string }): Promise<User> {
    return this.parts.accountCreation.register(principal, input, (user) => {
      if (this.options.isRequired) this.send(user, "activate", user.email);
    });
  }

  /**
   * Adds addresses to the caller's account, all or none, and mails a link to each; returns the complete list.
   * @throws Unauthorised not signed in; ValidationFailed
   */
  add(principal: Principal, emails: readonly string[]): Email[] {
    const { db } = this.parts;
    const user = accountOf(principal);
    return db.transaction(() => {
      const all = this.parts.emails.add(principal, emails);
      const added = new Set(emails.map((email) => email.toLowerCase()));
      for (const { email } of all) if (added.has(email.toLowerCase())) this.send(user, "confirm-email", email);
      return all;
    });
  }

  /**
   * Resends the link for one of the caller's addresses.
   * @throws NotFound not one of the account's; TooManyRequests one went out less than three minutes ago
   */
  resend(principal: Principal, emailId: number): void {
    const { db, tokens } = this.parts;
    const user = accountOf(principal);
    db.transaction(() => {
      const own = emailsOf(db, user.id).find(({ id, isProven }) => id === emailId && !isProven);
      if (!own) throw new NotFound();
      if (tokens.wasJustIssued(user.id, "confirm-email", own.email))
        throw new TooManyRequests("account.mail-sent-already", RESEND_MS / 1000);
      this.send(user, "confirm-email", own.email);
    });
  }

  /**
   * Requests the activation mail again. Behaves the same whether or not the address is waiting: a job finds out.
   * @param from the visitor's network address
   * @throws TooManyRequests
   */
  requestActivation(from: string, email: string): void {
    if (!this.canSend) throw new BadRequest("mail.not-configured");
    this.requests.take(from);
    this.parts.jobs.enqueue(RESEND, { email: email.slice(0, 254) }, { uniqueKey: `${RESEND} ${email.slice(0, 254)}` });
  }

  /** The account that a link activates. @throws BadRequest `account.code-invalid` */
  awaiting(code: string): User {
    const { user } = this.parts.tokens.look(code, "activate");
    if (!this.isAwaited(user)) throw new BadRequest("account.code-invalid", { field: "code" });
    return user;
  }

  /**
   * Activates a waiting account. Requires its password, so that nobody activates an account that someone else
   * registered with their address.
   * @throws BadRequest `account.code-invalid`; ValidationFailed the password is wrong, and the link stays valid;
   * TooManyRequests, Overloaded
   */
  async activate(code: string, password: string, attempt: Attempt): Promise<User> {
    const { accountPasswords, db, clock, tokens, identity } = this.parts;
    if (!(await accountPasswords.checkCredentials(this.awaiting(code).login, password, attempt)))
      throw new ValidationFailed("account.password-wrong", { field: "password" });
    return db.transaction(() => {
      this.awaiting(code);
      const { user, email } = tokens.consume(code, "activate");
      markEmailProven(db, user.id, email);
      updateUser(db, user.id, { isActive: true }, clock());
      return identity.byId(user.id) ?? user;
    });
  }

  /**
   * The address that a link confirms, and its account: whoever has the link reads that mailbox, signed in or not.
   * @throws BadRequest `account.code-invalid`, for another account's link too
   */
  confirming(principal: Principal, code: string): { readonly user: User; readonly email: string } {
    const open = this.parts.tokens.look(code, "confirm-email");
    if (principal.user && principal.user.id !== open.user.id)
      throw new BadRequest("account.code-invalid", { field: "code" });
    return open;
  }

  /** @throws BadRequest `account.code-invalid`, for another account's link too */
  confirm(principal: Principal, code: string): string {
    const { db, tokens } = this.parts;
    return db.transaction(() => {
      this.confirming(principal, code);
      const { user, email } = tokens.consume(code, "confirm-email");
      markEmailProven(db, user.id, email);
      return email;
    });
  }

  private resendActivation(email: string): void {
    const { db, tokens } = this.parts;
    db.transaction(() => {
      const user = findUserByAnyEmail(db, email);
      if (!user || !this.isAwaited(user) || tokens.wasJustIssued(user.id, "activate")) return;
      this.send(user, "activate", user.email);
    });
  }

  private send(user: User, purpose: "activate" | "confirm-email", email: string): void {
    if (!this.canSend) return;
    this.parts.mail.enqueue(MAIL_KINDS[purpose], { token: this.parts.tokens.issue(user, purpose, email) });
  }
}
