import { accountOf, anonymous, type Principal } from "../access/principal.ts";
import { requireAccount } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, ValidationFailed } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/ids.ts";
import { type Attempt, type Guesses, guessedAccount } from "./guesses.ts";
import type { Passwords } from "./passwords.ts";
import type { SessionService } from "./sessions/service.ts";
import * as store from "./store.ts";
import { checkPassword } from "./values.ts";

/** Passwords stored elsewhere, checked by the area of sign-in sources. */
export interface PasswordsElsewhere {
  /** Changes whenever a previously right password must be checked again. */
  mark(user: User): string;
  /** Whether it is the password of an account from a source. @throws Failure the source cannot be asked */
  isRight(user: User, password: string, attempt: Attempt): Promise<boolean>;
  /** The account of someone whom a source knows by that name and password, created if necessary. */
  newcomer(name: string, password: string, attempt: Attempt): Promise<User | undefined>;
}

/** Checks passwords, local or external, and lets people change their own. */
export class AccountPasswords {
  private elsewhere: PasswordsElsewhere | undefined;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly guesses: Guesses,
    private readonly sessions: SessionService,
    private readonly audit: AuditService,
    private readonly minLength: number,
  ) {}

  /** Registers, during wiring, the check for passwords that are not stored here. */
  askElsewhere(elsewhere: PasswordsElsewhere): void {
    this.elsewhere = elsewhere;
  }

  /**
   * Checks a name (or verified address) and password. Bots, reserved names and unknown names cost the same as a wrong
   * password. The state of the account is not checked: see `accountProblem`.
   * @throws TooManyRequests, Overloaded
   */
  async checkCredentials(nameOrEmail: string, password: string, attempt: Attempt): Promise<User | undefined> {
    const user = nameOrEmail.includes("@")
      ? store.findUserByEmail(this.db, nameOrEmail)
      : store.findUserByLogin(this.db, nameOrEmail);
    const account = guessedAccount(user, nameOrEmail);
    const right = await this.isPasswordOf(user, account, password, attempt);
    if (!user && this.elsewhere && password !== "") {
      const newcomer = await this.elsewhere.newcomer(nameOrEmail, password, attempt);
      if (newcomer) this.guesses.succeeded(account, attempt);
      return newcomer;
    }
    // Read again: the account may have been deleted or changed while the hash was computed.
    if (right) return user && store.findUserById(this.db, user.id);
    // Attempts at unknown names are not recorded: people type passwords there.
    if (user)
      this.audit.append({ ...anonymous, address: attempt.address }, "sign-in-failed", user, { method: "password" });
    return undefined;
  }

  /** Changes with the password, and reveals nothing about it. */
  mark(userId: number): string {
    return sha256Hex(store.passwordHashOf(this.db, userId) ?? "");
  }

  /**
   * Changes the caller's own password; other sessions end.
   * @throws ValidationFailed wrong old password, or a new one that breaks a rule; TooManyRequests, Overloaded
   */
  async change(principal: Principal, oldPassword: string, newPassword: string, attempt: Attempt): Promise<void> {
    this.check(newPassword);
    if (accountOf(principal).sourceId !== 0) throw new Forbidden("account.password-elsewhere");
    if (!(await this.isOwn(principal, oldPassword, attempt)))
      throw new ValidationFailed("account.wrong-password", { field: "old_password" });
    await this.setOwn(principal, newPassword, attempt);
  }

  /**
   * Replaces a password that someone else knows with one of the caller's choice; other sessions end.
   * @throws Forbidden no change was demanded; ValidationFailed the current one again, or one that breaks a rule
   */
  async chooseNew(principal: Principal, newPassword: string, attempt: Attempt): Promise<void> {
    if (!accountOf(principal).mustChangePassword) throw new Forbidden("account.password-not-due");
    this.check(newPassword);
    if (await this.isOwn(principal, newPassword, attempt))
      throw new ValidationFailed("account.same-password", { field: "password" });
    await this.setOwn(principal, newPassword, attempt);
  }

  /** Whether it is the caller's own password. @throws TooManyRequests, Overloaded */
  async isOwn(principal: Principal, password: string, attempt: Attempt): Promise<boolean> {
    const user = accountOf(principal);
    return this.isPasswordOf(user, guessedAccount(user, user.login), password, attempt);
  }

  /** An empty password is never right, however a directory would treat it (security rule H19). */
  private isPasswordOf(user: User | undefined, account: string, password: string, attempt: Attempt): Promise<boolean> {
    const { elsewhere } = this;
    const isPerson = user?.kind === "individual" && password !== "";
    if (isPerson && user.sourceId !== 0 && elsewhere) {
      const mark = elsewhere.mark(user);
      const ask = () => elsewhere.isRight(user, password, attempt);
      return this.guesses.isRightElsewhere(account, password, mark, attempt, ask);
    }
    const stored = isPerson && user.sourceId === 0 ? store.passwordHashOf(this.db, user.id) : undefined;
    return this.guesses.isRight(account, password, stored, attempt);
  }

  /** @throws ValidationFailed */
  check(password: string): void {
    checkPassword(password, this.minLength);
  }

  private async setOwn(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const { id } = accountOf(principal);
    requireAccount(principal, id);
    const passwordHash = await this.passwords.hash(password, attempt);
    this.db.transaction(() => {
      store.updateUser(this.db, id, { passwordHash, mustChangePassword: false }, this.clock());
      this.sessions.closeAllOf(id, principal.sessionId);
      this.audit.append(principal, "password-changed", accountOf(principal), {});
    });
  }
}
