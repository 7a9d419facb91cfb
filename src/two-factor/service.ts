import { accountOf, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import type { AccountPasswords } from "../identity/account-passwords.ts";
import type { Attempt } from "../identity/guesses.ts";
import type { IdentityService } from "../identity/service.ts";
import type { SessionService } from "../identity/sessions/service.ts";
import type { GuessThrottle } from "../identity/throttle.ts";
import type { Clock } from "../kernel/clock.ts";
import { NotFound, Unauthorised, ValidationFailed } from "../kernel/errors.ts";
import { ShownOnce } from "../kernel/shown-once.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import { newPasscodeSecret, oldestStep, passcodeAddress, stepOfPasscode, tidyPasscode } from "./passcodes.ts";
import { hashOf, newRecoveryCodes, type RecoveryHash, tidyRecoveryCode, withoutCode } from "./recovery-codes.ts";
import * as store from "./store.ts";
import type { Factors } from "./types.ts";

export interface TwoFactorNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly accountPasswords: AccountPasswords;
  readonly identity: IdentityService;
  readonly sessions: SessionService;
  readonly throttle: GuessThrottle;
  readonly audit: AuditService;
  /** Shown by apps above the passcode. */
  readonly siteName: string;
}

/** What a browser shows for setting up an app. */
export interface Enrolment {
  readonly secret: Secret;
  /** `otpauth://…` */
  readonly address: string;
}

/** What a Basic request sent besides the password. */
export interface BasicProof {
  readonly passcode: string | null;
  readonly forGit: boolean;
  readonly address: string;
}

/**
 * Second factors: passcodes of an app (TOTP) and the recovery codes that stand in for any factor. Passkeys have a
 * service of their own; this one determines and removes the factors of an account for both.
 */
export class TwoFactorService {
  private readonly secrets: ReturnType<SecretBox["column"]>;
  private readonly hashes: ReturnType<SecretBox["column"]>;
  /** Secrets being set up and codes to show once, by session. */
  private readonly enrolling: ShownOnce<Secret>;
  private readonly newCodes: ShownOnce<readonly string[]>;
  private isExempt: (user: User) => boolean = () => false;

  constructor(private readonly needs: TwoFactorNeeds) {
    this.secrets = needs.secrets.column({ table: "passcode_secrets", column: "secret", key: "user_id" });
    this.hashes = needs.secrets.column({ table: "recovery_codes", column: "hashes", key: "user_id" });
    this.enrolling = new ShownOnce();
    this.newCodes = new ShownOnce();
  }

  /** Registers, during wiring, accounts that need nothing besides the password. */
  exempt(isExempt: (user: User) => boolean): void {
    this.isExempt = isExempt;
  }

  /** The factors to ask for after the password. */
  askedOf(user: User): Factors {
    return this.isExempt(user) ? { passcodes: false, passkeys: false } : this.factorsOf(user.id);
  }

  /** For the sign-in itself: the caller is not known yet. */
  factorsOf(userId: number): Factors {
    return store.factorsOf(this.needs.db, userId);
  }

  isEnrolled(userId: number): boolean {
    const { passcodes, passkeys } = this.factorsOf(userId);
    return passcodes || passkeys;
  }

  /** Which of these accounts have a second factor, in one query. @throws Forbidden not an administrator */
  enrolledAmong(principal: Principal, userIds: readonly number[]): Set<number> {
    requireSiteAdmin(principal, "read");
    return store.enrolledAmong(this.needs.db, userIds);
  }

  /** @throws Forbidden another's account */
  recoveryCodesLeft(principal: Principal, userId: number): number {
    requireAccount(principal, userId, "read");
    return this.recoveryHashes(userId)?.length ?? 0;
  }

  /** What the app needs; the same within a session until it is enrolled. @throws ValidationFailed enrolled already */
  async beginEnrolment(principal: Principal): Promise<Enrolment> {
    const user = own(principal);
    if (this.factorsOf(user.id).passcodes) throw new ValidationFailed("two-factor.already-enabled");
    const secret = this.enrolling.peek(sessionOf(principal)) ?? (await newPasscodeSecret());
    this.enrolling.keep(sessionOf(principal), secret);
    return { secret, address: await passcodeAddress(secret, this.needs.siteName, user.login) };
  }

  /**
   * Enables passcodes. The first one proves that the app has the secret, and is consumed.
   * @throws ValidationFailed `two-factor.code-wrong`, `two-factor.enrolment-over`, `two-factor.already-enabled`
   */
  async enrol(principal: Principal, passcode: string): Promise<void> {
    const { db, clock, audit } = this.needs;
    const user = own(principal);
    const secret = this.enrolling.peek(sessionOf(principal));
    if (!secret) throw new ValidationFailed("two-factor.enrolment-over", { field: "passcode" });
    const step = await stepOfPasscode(secret, tidyPasscode(passcode), clock());
    if (step === undefined) throw new ValidationFailed("two-factor.code-wrong", { field: "passcode" });
    db.transaction(() => {
      if (this.factorsOf(user.id).passcodes) throw new ValidationFailed("two-factor.already-enabled");
      store.insertPasscodeSecret(db, user.id, this.secrets.seal(user.id, secret), clock());
      store.usePasscode(db, user.id, step, oldestStep(clock()));
      audit.append(principal, "passcodes-enabled", user, {});
      this.ensureRecoveryCodes(principal);
    });
    this.enrolling.take(sessionOf(principal));
  }

  /**
   * Disables passcodes. As this weakens the account, it requires the password and ends other sessions.
   * @throws ValidationFailed `account.password-wrong`; NotFound there are none; TooManyRequests, Overloaded
   */
  async disable(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const { db, audit, sessions } = this.needs;
    const user = own(principal);
    await this.requirePassword(principal, password, attempt);
    db.transaction(() => {
      if (!store.deletePasscodeSecret(db, user.id)) throw new NotFound();
      audit.append(principal, "passcodes-disabled", user, {});
      this.forgetCodesWithoutFactor(user.id);
      sessions.closeAllOf(user.id, principal.sessionId);
    });
  }

  /** Requires the caller's password before something that weakens the account; accounts without one pass. */
  async requirePassword(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const user = own(principal);
    if (!user.hasPassword) return;
    if (password === "" || !(await this.needs.accountPasswords.isOwn(principal, password, attempt)))
      throw new ValidationFailed("account.password-wrong", { field: "password" });
  }

  /** @throws ValidationFailed `account.password-wrong`, `two-factor.not-enabled`; TooManyRequests, Overloaded */
  async regenerateRecoveryCodes(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const user = own(principal);
    await this.requirePassword(principal, password, attempt);
    this.needs.db.transaction(() => {
      if (!this.isEnrolled(user.id)) throw new ValidationFailed("two-factor.not-enabled");
      this.makeRecoveryCodes(principal, user);
    });
  }

  /** Returns the newly generated codes, once. */
  takeNewCodes(principal: Principal): readonly string[] | undefined {
    return principal.sessionId === undefined ? undefined : this.newCodes.take(principal.sessionId);
  }

  /** Generates recovery codes for an account with its first factor. Joins the running transaction. */
  ensureRecoveryCodes(principal: Principal): void {
    const user = accountOf(principal);
    if (!this.recoveryHashes(user.id)) this.makeRecoveryCodes(principal, user);
  }

  /** Deletes recovery codes of an account without a factor. Joins the running transaction. */
  forgetCodesWithoutFactor(userId: number): void {
    if (!this.isEnrolled(userId)) store.deleteRecoveryHashes(this.needs.db, userId);
  }

  /**
   * Consumes a passcode of the account. An attempt counts before it is known to be wrong (rule H21).
   * @throws ValidationFailed `two-factor.code-wrong`, also for a used one; TooManyRequests
   */
  async provePasscode(principal: Principal, user: User, passcode: string, attempt: Attempt): Promise<void> {
    await this.throttled(principal, user, "passcode", attempt, async () => {
      const { db, clock } = this.needs;
      const sealed = store.passcodeSecretOf(db, user.id);
      if (sealed === undefined) return false;
      const step = await stepOfPasscode(this.secrets.open(user.id, sealed), tidyPasscode(passcode), clock());
      // Only the first attempt succeeds: the row can be inserted once (rule H11).
      return step !== undefined && db.transaction(() => store.usePasscode(db, user.id, step, oldestStep(clock())));
    });
  }

  /**
   * Consumes a recovery code of the account.
   * @throws ValidationFailed `two-factor.code-wrong`; TooManyRequests
   */
  async proveRecoveryCode(principal: Principal, user: User, code: string, attempt: Attempt): Promise<void> {
    await this.throttled(principal, user, "recovery-code", attempt, async () => {
      const { db, clock } = this.needs;
      return db.transaction(() => {
        const hashes = this.recoveryHashes(user.id);
        const left = hashes && withoutCode(hashes, tidyRecoveryCode(code));
        if (!left) return false;
        store.putRecoveryHashes(db, user.id, this.sealed(user.id, left), clock());
        return true;
      });
    });
  }

  /**
   * Checks what HTTP Basic with a password requires besides it (contract identity.md 2.3, rule B8).
   * @throws Unauthorised; TooManyRequests
   */
  async proveBasic(user: User, proof: BasicProof, principal: Principal): Promise<void> {
    const factors = this.askedOf(user);
    if (!factors.passcodes && !factors.passkeys) return;
    if (proof.forGit) throw new Unauthorised("two-factor.no-password-for-git");
    if (factors.passkeys) throw new Unauthorised("two-factor.passkey-enrolled");
    const refused = () => new Unauthorised("two-factor.passcode-required");
    if (!proof.passcode) throw refused();
    try {
      await this.provePasscode(principal, user, proof.passcode, { address: proof.address });
    } catch (error) {
      throw error instanceof ValidationFailed ? refused() : error;
    }
  }

  /**
   * Removes all factors of an account that lost them, as an administrator; all its sessions end.
   * @throws Forbidden not an administrator; NotFound it has none
   */
  removeAll(principal: Principal, user: User): void {
    const { db, audit, sessions } = this.needs;
    requireSiteAdmin(principal);
    db.transaction(() => {
      if (!this.isEnrolled(user.id)) throw new NotFound("two-factor.not-enabled");
      store.deletePasscodeSecret(db, user.id);
      store.deletePasskeysOf(db, user.id);
      store.deleteRecoveryHashes(db, user.id);
      audit.append(principal, "two-factor-removed", user, {});
      sessions.closeAllOf(user.id);
    });
  }

  private async throttled(
    principal: Principal,
    user: User,
    method: "passcode" | "recovery-code",
    { address }: Attempt,
    check: () => Promise<boolean>,
  ): Promise<void> {
    const { throttle, audit } = this.needs;
    const account = `#${user.id} second factor`;
    throttle.begin(account, address);
    if (await check()) {
      throttle.succeeded(account, address);
      return;
    }
    audit.append({ ...principal, address }, "sign-in-failed", user, { method });
    throw new ValidationFailed("two-factor.code-wrong", { field: method === "passcode" ? "passcode" : "token" });
  }

  private makeRecoveryCodes(principal: Principal, user: User): void {
    const { db, clock, audit } = this.needs;
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => hashOf(code));
    store.putRecoveryHashes(db, user.id, this.sealed(user.id, hashes), clock());
    audit.append(principal, "recovery-codes-made", user, {});
    db.onCommit(() => this.newCodes.keep(sessionOf(principal), codes));
  }

  private recoveryHashes(userId: number): RecoveryHash[] | undefined {
    const sealed = store.recoveryHashesOf(this.needs.db, userId);
    return sealed === undefined ? undefined : (JSON.parse(this.hashes.open(userId, sealed).reveal()) as RecoveryHash[]);
  }

  private sealed(userId: number, hashes: readonly RecoveryHash[]): string {
    return this.hashes.seal(userId, new Secret(JSON.stringify(hashes)));
  }
}

function own(principal: Principal): User {
  const user = accountOf(principal);
  requireAccount(principal, user.id);
  return user;
}

/** Second factors can only be set up in a browser session. */
function sessionOf({ sessionId }: Principal): string {
  if (sessionId === undefined) throw new NotFound();
  return sessionId;
}
