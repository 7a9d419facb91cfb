import type { Visibility } from "../access/levels.ts";
import { accountOf, anonymous, type Principal } from "../access/principal.ts";
import { administersSite, requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { AccessControl } from "../access/service.ts";
import type { AccountProblem, User, UserKind } from "../access/user.ts";
import type { AuditAction } from "../audit/actions.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import { UntilWritten } from "../db/until-written.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { CacheBudget } from "../kernel/cache.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Failure, Forbidden, NotFound, Redirected, ValidationFailed } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/ids.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { type Attempt, type Guesses, guessedAccount } from "./guesses.ts";
import { changeLogin, requireFreeLogin } from "./logins.ts";
import type { Passwords } from "./passwords.ts";
import type { SessionService } from "./sessions/service.ts";
import * as store from "./store.ts";
import { systemUserById } from "./system-users.ts";
import type { UserCountName, UserCounts } from "./types.ts";
import { checkAccountName, checkEmail, checkPassword, profileProblems } from "./values.ts";

export interface IdentityOptions {
  readonly minPasswordLength: number;
  readonly registration: "open" | "first" | "closed";
  /** Addresses that people bring themselves wait for a link in a mail (`mail.confirm_addresses`). */
  readonly confirmAddresses: boolean;
}

export interface CreateUser {
  readonly login: string;
  readonly email: string;
  readonly password?: string | undefined;
  readonly kind?: "individual" | "bot";
  readonly fullName?: string;
  readonly loginName?: string;
  /** The sign-in source it comes from; 0, the default: none. */
  readonly sourceId?: number;
  readonly mustChangePassword?: boolean;
  readonly isAdmin?: boolean;
  readonly isRestricted?: boolean;
  readonly visibility?: Visibility;
  readonly createdAt?: number;
}

/** How an account comes about. */
interface Making {
  readonly isActive: boolean;
  readonly isVerified: boolean;
  readonly isProven: boolean;
  /** Looked at again in the transaction that makes it; throws when it may not be made. */
  readonly check?: () => void;
  readonly made?: ((user: User) => void) | undefined;
}

/** What accounts change of themselves. Fields that are absent stay as they are. */
export interface EditOwnAccount {
  readonly login?: string | undefined;
  readonly fullName?: string | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly description?: string | undefined;
  readonly pronouns?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly language?: string | undefined;
  readonly theme?: string | undefined;
  readonly diffViewStyle?: string | undefined;
  readonly hideEmail?: boolean | undefined;
  readonly hideActivity?: boolean | undefined;
}

/** What only site administrators change, of any account. */
export interface EditByAdmin {
  /** In clear. */
  readonly password?: string | undefined;
  /** A new primary address, proven by the administrator's word. */
  readonly email?: string | undefined;
  readonly loginName?: string | undefined;
  /** The sign-in source that knows the password from then on; the one kept here goes. */
  readonly sourceId?: number | undefined;
  readonly mustChangePassword?: boolean | undefined;
  readonly isActive?: boolean | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isRestricted?: boolean | undefined;
  readonly prohibitLogin?: boolean | undefined;
  readonly allowGitHook?: boolean | undefined;
  readonly allowImportLocal?: boolean | undefined;
  readonly allowCreateOrganization?: boolean | undefined;
  readonly maxRepoCreation?: number | undefined;
}

export type EditUser = EditOwnAccount & EditByAdmin;

/** An account's row as it is remembered. */
const USER_BYTES = 800;

const ADMIN_FIELDS: ReadonlySet<string> = new Set<keyof EditByAdmin>([
  "password",
  "email",
  "loginName",
  "sourceId",
  "mustChangePassword",
  "isActive",
  "isAdmin",
  "isRestricted",
  "prohibitLogin",
  "allowGitHook",
  "allowImportLocal",
  "allowCreateOrganization",
  "maxRepoCreation",
]);

/** Passwords that are kept elsewhere: the area of sign-in sources asks there. */
export interface PasswordsElsewhere {
  /** Whether it is the password of an account that comes from a source. @throws Failure the source cannot be asked */
  isRight(user: User, password: string, attempt: Attempt): Promise<boolean>;
  /** The account of someone whom a source knows by that name and password, made if need be. */
  newcomer(name: string, password: string, attempt: Attempt): Promise<User | undefined>;
}

/** Which accounts a list has. Who may see which addresses is the service's to say. */
export type ListFilter = Omit<store.UserFilter, "searchEmails">;

/**
 * Accounts: making, changing, finding and removing them. Addresses, sessions and tokens have services of their own. What
 * comes before anyone is known (`checkCredentials`) and look-ups of the server itself (`byLogin`) take no principal.
 */
export class IdentityService {
  private readonly countSql = new Map<UserCountName, string>();
  private secondFactorSql = "0";
  private readonly lists: UntilWritten<Slice<User>>;
  private lacksSecondFactor: (user: User) => boolean = () => false;
  private elsewhere: PasswordsElsewhere | undefined;

  constructor(
    private readonly db: Database,
    private readonly access: AccessControl,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly guesses: Guesses,
    private readonly sessions: SessionService,
    private readonly audit: AuditService,
    private readonly options: IdentityOptions,
    caches: CacheBudget,
  ) {
    this.lists = new UntilWritten(db, caches, ({ items }) => items.length * USER_BYTES);
  }

  /**
   * Areas contribute what they count for each account, while they are wired.
   * @param sql a query for the one number of the account whose id is the SQL expression it is given; it uses an index
   */
  addCount(name: UserCountName, sql: (user: string) => string): void {
    if (this.countSql.has(name)) throw new Error(`two areas count the ${name} of accounts`);
    this.countSql.set(name, sql("wanted.value"));
  }

  /**
   * The area of second factors says who has one, while it is wired.
   * @param sql a condition for the account whose id is the SQL expression it is given
   */
  addSecondFactor(sql: (user: string) => string): void {
    this.secondFactorSql = sql("users.id");
  }

  /** The same area says who must have one and has none. */
  demandSecondFactor(isLacking: (user: User) => boolean): void {
    this.lacksSecondFactor = isLacking;
  }

  /** The area of sign-in sources says where passwords are that are not kept here, while it is wired. */
  askElsewhere(elsewhere: PasswordsElsewhere): void {
    this.elsewhere = elsewhere;
  }

  /** What is counted for each of these accounts, in one query. */
  counts(userIds: readonly number[]): Map<number, UserCounts> {
    return store.userCountsOf(this.db, this.countSql, userIds);
  }

  /** What is wrong with each part of a new account, so that a form can say all of it at once. */
  problemsOfNew(input: {
    login: string;
    email: string;
    password: string;
  }): Partial<Record<"login" | "email" | "password", Failure>> {
    const problem = (check: () => void): Failure | undefined => {
      try {
        check();
      } catch (error) {
        if (error instanceof Failure) return error;
        throw error;
      }
      return undefined;
    };
    return {
      login: problem(() => {
        checkAccountName(input.login);
        requireFreeLogin(this.db, input.login);
      }),
      email: problem(() => {
        checkEmail(input.email);
        this.requireFreeEmail(input.email);
      }),
      password: problem(() => this.checkPassword(input.password)),
    };
  }

  /**
   * An administrator makes an account whose address is proven.
   * @throws Forbidden not an administrator; ValidationFailed for values that break a rule or are taken
   */
  async create(principal: Principal, input: CreateUser): Promise<User> {
    requireSiteAdmin(principal);
    return this.make(principal, input, { isActive: true, isVerified: true, isProven: true });
  }

  private async make(principal: Principal, input: CreateUser, how: Making): Promise<User> {
    checkAccountName(input.login);
    checkEmail(input.email);
    if (input.password !== undefined) this.checkPassword(input.password);
    for (const problem of profileProblems(input)) throw problem;
    // Looked at again in the transaction; here it saves a hash that would be for nothing.
    requireFreeLogin(this.db, input.login);
    this.requireFreeEmail(input.email);
    const passwordHash = input.password === undefined ? null : await this.passwords.hash(input.password);
    return this.db.transaction(() => {
      how.check?.();
      requireFreeLogin(this.db, input.login);
      this.requireFreeEmail(input.email);
      const now = input.createdAt ?? this.clock();
      store.removeUserRedirect(this.db, input.login);
      const id = store.insertUser(this.db, {
        login: input.login,
        kind: input.kind ?? "individual",
        email: input.email,
        fullName: input.fullName ?? "",
        passwordHash,
        mustChangePassword: input.mustChangePassword ?? false,
        isAdmin: input.isAdmin ?? false,
        isActive: how.isActive,
        isRestricted: input.isRestricted ?? false,
        visibility: input.visibility ?? "public",
        loginName: input.loginName ?? "",
        sourceId: input.sourceId ?? 0,
        createdAt: now,
      });
      const { isVerified, isProven } = how;
      store.insertEmail(this.db, id, { email: input.email, isVerified, isProven, isPrimary: true });
      const by = storedPrincipal(principal);
      // Who registers does it themselves.
      const creator = principal.via === "nothing" ? { ...by, userId: id } : by;
      this.outbox.append("user.created", { principal: creator, ownerId: id }, { login: input.login });
      const user = this.require(id);
      this.audit.append(principal, "account-created", user, {});
      how.made?.(user);
      return user;
    });
  }

  /**
   * A visitor makes an account; never the first one, which `setUp` makes. Where addresses are confirmed, the account
   * waits for that, inactive.
   * @param made called in the transaction that makes the account
   * @throws Forbidden registration is closed; ValidationFailed
   */
  async register(
    principal: Principal,
    input: { login: string; email: string; password: string },
    made?: (user: User) => void,
  ): Promise<User> {
    const requireOpen = () => {
      if (!this.registrationOpen() || !this.hasAnyUser()) throw new Forbidden("account.registration-closed");
    };
    requireOpen();
    const isUsable = !this.options.confirmAddresses;
    const how = { check: requireOpen, isActive: isUsable, isVerified: isUsable, isProven: false, made };
    return this.make(principal, input, how);
  }

  /**
   * An account for someone whom a sign-in source vouches for: it has no password here, and is active at once. Where
   * addresses are confirmed, one that the source does not vouch for does not count before.
   * @param made called in the transaction that makes the account
   * @throws ValidationFailed for values that break a rule or are taken
   */
  async createFromSource(
    principal: Principal,
    input: Omit<CreateUser, "password"> & { readonly isEmailProven: boolean },
    made: (user: User) => void,
  ): Promise<User> {
    const isVerified = input.isEmailProven || !this.options.confirmAddresses;
    const how = { isActive: true, isVerified, isProven: input.isEmailProven, made };
    return this.make(principal, input, how);
  }

  /**
   * Makes the site's first account, an administrator, whatever the registration setting; the caller has checked the
   * set-up token. Decided in the transaction that makes it: of two first visitors one wins.
   * @throws Forbidden there is an account already; ValidationFailed
   */
  async setUp(principal: Principal, input: { login: string; email: string; password: string }): Promise<User> {
    const requireNobody = () => {
      if (this.hasAnyUser()) throw new Forbidden("account.set-up-already");
    };
    requireNobody();
    const how = { check: requireNobody, isActive: true, isVerified: true, isProven: true };
    return this.make(principal, { ...input, isAdmin: true }, how);
  }

  /** Whether a visitor may make an account now; the very first one needs the set-up token besides. */
  registrationOpen(): boolean {
    return this.options.registration === "open" || (this.options.registration === "first" && !this.hasAnyUser());
  }

  /** @param sinceMs only those who signed in after this time */
  countPeople(sinceMs?: number): number {
    return store.countPeople(this.db, sinceMs);
  }

  hasAnyUser(): boolean {
    return store.hasAnyUser(this.db);
  }

  /**
   * Checks a name (or verified address) and password. Bots, reserved names and unknown names cost the same as a wrong password.
   * The state of the account is not examined: see `accountProblem`.
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
    // Read again: the account may have gone or changed while the hash was computed.
    if (right) return user && store.findUserById(this.db, user.id);
    // Of what is no account's name nothing is kept: people type passwords there.
    if (user)
      this.audit.append({ ...anonymous, address: attempt.address }, "sign-in-failed", user, { method: "password" });
    return undefined;
  }

  /** Changes with the password, and says nothing about it. */
  passwordMark(userId: number): string {
    return sha256Hex(store.passwordHashOf(this.db, userId) ?? "");
  }

  signedIn(user: User): void {
    store.updateUser(this.db, user.id, { lastLoginAt: this.clock() }, this.clock());
  }

  /** Why this account may not be used now; undefined when it may. */
  accountProblem(user: User): AccountProblem | undefined {
    if (user.kind === "organization" || user.kind === "reserved" || user.prohibitLogin) return "prohibited";
    if (!user.isActive) return "inactive";
    if (user.mustChangePassword && user.sourceId === 0) return "must-change-password";
    return this.lacksSecondFactor(user) ? "two-factor-required" : undefined;
  }

  byId(id: number): User | undefined {
    return store.findUserById(this.db, id);
  }

  byIds(ids: readonly number[]): Map<number, User> {
    return new Map(store.findUsersByIds(this.db, ids).map((user) => [user.id, user]));
  }

  byLogin(login: string): User | undefined {
    return store.findUserByLogin(this.db, login);
  }

  byEmail(email: string): User | undefined {
    return store.findUserByEmail(this.db, email);
  }

  /** Accounts by proven address, for the authors of many commits at once; keys are lower-case. */
  byEmails(emails: readonly string[]): Map<string, User> {
    return store.findUsersByEmails(this.db, emails);
  }

  /**
   * The account of that name, as far as the principal sees it.
   * @param redirect builds the address to send the caller to when the account was renamed
   * @throws NotFound; Redirected 307; Forbidden only the token's `public-only` hides it
   */
  visible(principal: Principal, login: string, redirect: (presentLogin: string) => string): User {
    const present = store.findUserByLogin(this.db, login);
    const found = present ?? this.renamedTo(login);
    if (!found || !this.sees({ ...principal, scope: undefined }, found))
      throw new NotFound("account.no-such-name", { params: { name: login } });
    if (!this.sees(principal, found)) throw new Forbidden("account.public-only");
    if (!present) throw new Redirected(307, redirect(found.login));
    return found;
  }

  /** The account a former name leads to, whoever asks. */
  renamedTo(login: string): User | undefined {
    const id = store.redirectedUserId(this.db, login);
    return id === undefined ? undefined : store.findUserById(this.db, id);
  }

  /** The account whose uploaded picture has that address, whoever asks. */
  byAvatar(address: string): User | undefined {
    return store.findUserByAvatar(this.db, address);
  }

  /**
   * @param address of the uploaded picture; empty for none. Joins the running transaction.
   * @throws Forbidden neither the account nor a site administrator
   */
  setAvatar(principal: Principal, user: User, address: string): void {
    requireAccount(principal, user.id);
    store.setUserAvatar(this.db, user.id, address, this.clock());
  }

  sees(principal: Principal, user: User): boolean {
    return this.access.sees(principal, user);
  }

  /** Accounts the principal sees, of any kind; a text finds addresses too, as far as the principal is shown them. */
  list(
    principal: Principal,
    filter: ListFilter,
    order: { by: keyof typeof store.userOrders; descending: boolean },
    paging: Paging,
  ): Slice<User> {
    const viewer = { isVisible: this.access.accountCondition("users"), params: this.access.params(principal) };
    const searchEmails = administersSite(principal) ? "all" : principal.user ? "shown" : "none";
    const wanted = { ...filter, searchEmails } as const;
    const { limit, offset } = paging;
    return this.lists.once(JSON.stringify([viewer.params, wanted, order, limit, offset]), () =>
      store.listUsers(this.db, viewer, this.secondFactorSql, wanted, order, limit, offset),
    );
  }

  /** Accounts in use with these names that the principal sees, by name in lower case. */
  seenByLogins(principal: Principal, logins: readonly string[]): Map<string, User> {
    const viewer = { isVisible: this.access.accountCondition("users"), params: this.access.params(principal) };
    const found = store.findUsersByLogins(this.db, viewer, logins);
    return new Map(found.map((user) => [user.login.toLowerCase(), user]));
  }

  /** People the principal may see, by part of name or full name, or by exact shown address when signed in. */
  search(principal: Principal, text: string, paging: Paging): Slice<User> {
    const kinds: UserKind[] = ["individual"];
    return this.list(principal, { kinds, text }, { by: "name", descending: false }, paging);
  }

  /** One person by number, the system's own accounts too; no one when the principal may not see them. */
  searchById(principal: Principal, id: number): Slice<User> {
    const found = systemUserById(id) ?? store.findUserById(this.db, id);
    const isShown = found && (found.id < 0 || (found.kind === "individual" && this.sees(principal, found)));
    return isShown ? { items: [found], total: 1 } : { items: [], total: 0 };
  }

  /**
   * Changes an account and, with `login`, its name; all or nothing.
   * @throws Forbidden another's account, or a field that is the administrators'; ValidationFailed a value that breaks a
   * rule, a name that is taken; BadRequest a short password, an address in use, the last administrator
   */
  async edit(principal: Principal, user: User, edit: EditUser): Promise<User> {
    requireAccount(principal, user.id);
    const given = Object.entries(edit).filter(([, value]) => value !== undefined);
    if (given.some(([field]) => ADMIN_FIELDS.has(field))) requireSiteAdmin(principal);
    for (const problem of profileProblems(edit)) throw problem;
    const { login, password, email, ...fields } = edit;
    if (login !== undefined && login !== user.login) requireOwnName(principal, user);
    const sourceId = fields.sourceId ?? user.sourceId;
    if (password !== undefined) this.checkGivenPassword({ ...user, sourceId }, password);
    if (email !== undefined) checkGivenEmail(email);
    const passwordHash = password === undefined ? undefined : await this.passwords.hash(password);
    return this.db.transaction(() => {
      const before = this.require(user.id);
      const losesAdmin =
        before.isAdmin && (fields.isAdmin === false || fields.isActive === false || fields.prohibitLogin === true);
      if (losesAdmin && store.countActiveAdmins(this.db, user.id) === 0)
        throw new BadRequest("account.last-admin", { params: { id: user.id } });
      if (email !== undefined && email.toLowerCase() !== before.email.toLowerCase())
        this.replacePrimary(principal, before, email);
      // Who lets an account in says that it need not wait for the link in the mail.
      if (fields.isActive === true && !before.isActive) store.markPrimaryVerified(this.db, user.id);
      const comesFromSource = fields.sourceId !== undefined && fields.sourceId !== 0;
      const hash = comesFromSource ? { passwordHash: null } : passwordHash === undefined ? {} : { passwordHash };
      store.updateUser(this.db, user.id, { ...fields, ...hash }, this.clock());
      if (fields.sourceId !== undefined && fields.sourceId !== before.sourceId)
        this.outbox.append(
          "user.source-changed",
          { principal: storedPrincipal(principal), ownerId: user.id },
          { userId: user.id, from: before.sourceId, to: fields.sourceId },
        );
      if (login !== undefined && login !== before.login) this.changeLogin(principal, before, login);
      const isElsewhereNow = comesFromSource && fields.sourceId !== before.sourceId;
      const endsSessions =
        isElsewhereNow || passwordHash !== undefined || fields.isActive === false || fields.prohibitLogin === true;
      if (endsSessions) this.sessions.closeAllOf(user.id);
      this.auditEdit(principal, before, { ...fields, isPasswordNew: passwordHash !== undefined });
      const changesOwn =
        fields.isActive !== undefined || fields.isAdmin !== undefined || fields.isRestricted !== undefined;
      if (fields.visibility !== undefined || changesOwn)
        this.outbox.append(
          "access.changed",
          { ownerId: user.id },
          { userId: fields.visibility === undefined ? user.id : null },
        );
      return this.require(user.id);
    });
  }

  /**
   * A person changes the own password; other sessions end.
   * @throws ValidationFailed wrong old password, or a new one that breaks a rule; TooManyRequests, Overloaded
   */
  async changePassword(
    principal: Principal,
    oldPassword: string,
    newPassword: string,
    attempt: Attempt,
  ): Promise<void> {
    this.checkPassword(newPassword);
    if (accountOf(principal).sourceId !== 0) throw new Forbidden("account.password-elsewhere");
    if (!(await this.isOwnPassword(principal, oldPassword, attempt)))
      throw new ValidationFailed("account.wrong-password", { field: "old_password" });
    await this.setOwnPassword(principal, newPassword, attempt);
  }

  /**
   * A person whose password someone else knows chooses another one; other sessions end.
   * @throws Forbidden nobody asked for that; ValidationFailed the present one again, or one that breaks a rule
   */
  async chooseNewPassword(principal: Principal, newPassword: string, attempt: Attempt): Promise<void> {
    if (!accountOf(principal).mustChangePassword) throw new Forbidden("account.password-not-due");
    this.checkPassword(newPassword);
    if (await this.isOwnPassword(principal, newPassword, attempt))
      throw new ValidationFailed("account.same-password", { field: "password" });
    await this.setOwnPassword(principal, newPassword, attempt);
  }

  /** Whether it is the password of the account that asks. @throws TooManyRequests, Overloaded */
  async isOwnPassword(principal: Principal, password: string, attempt: Attempt): Promise<boolean> {
    const user = accountOf(principal);
    return this.isPasswordOf(user, guessedAccount(user, user.login), password, attempt);
  }

  /** An empty password is never right, whatever a directory makes of it (security rule H19). */
  private isPasswordOf(user: User | undefined, account: string, password: string, attempt: Attempt): Promise<boolean> {
    const { elsewhere } = this;
    const isPerson = user?.kind === "individual" && password !== "";
    if (isPerson && user.sourceId !== 0 && elsewhere) {
      const mark = `elsewhere ${user.sourceId} ${user.loginName}`;
      const ask = () => elsewhere.isRight(user, password, attempt);
      return this.guesses.isRightElsewhere(account, password, mark, attempt, ask);
    }
    const stored = isPerson && user.sourceId === 0 ? store.passwordHashOf(this.db, user.id) : undefined;
    return this.guesses.isRight(account, password, stored, attempt);
  }

  /**
   * A former name leads to the account from then on.
   * @throws Forbidden another's account; ValidationFailed an organization, a name that is invalid, reserved or taken
   */
  rename(principal: Principal, user: User, login: string): User {
    requireAccount(principal, user.id);
    requireOwnName(principal, user);
    return this.db.transaction(() => {
      this.changeLogin(principal, this.require(user.id), login);
      return this.require(user.id);
    });
  }

  /**
   * Removes an account that owns nothing any more: the administration's service ensures it. Joins a running transaction.
   * @throws Forbidden another's account; ValidationFailed the last administrator
   */
  remove(principal: Principal, user: User): void {
    requireAccount(principal, user.id);
    this.db.transaction(() => {
      if (user.isAdmin && store.countActiveAdmins(this.db, user.id) === 0)
        throw new ValidationFailed("account.last-admin", { params: { id: user.id } });
      this.outbox.append(
        "user.deleted",
        { principal: storedPrincipal(principal), ownerId: user.id },
        { login: user.login },
      );
      this.outbox.append("access.changed", { ownerId: user.id }, { userId: user.id });
      this.audit.append(principal, "account-deleted", user, {});
      store.deleteUserRow(this.db, user.id);
    });
  }

  /** @throws ValidationFailed */
  checkPassword(password: string): void {
    checkPassword(password, this.options.minPasswordLength);
  }

  /** What administrators set is refused in words of its own (contract identity.md 15.1). @throws BadRequest */
  private checkGivenPassword(user: User, password: string): void {
    const facts = { field: "password", params: { min: this.options.minPasswordLength } };
    if (user.kind !== "individual") throw new BadRequest("account.no-password-for-kind", facts);
    if (user.sourceId !== 0) throw new BadRequest("account.password-elsewhere", facts);
    if (password.length < this.options.minPasswordLength) throw new BadRequest("account.password-short", facts);
    this.checkPassword(password);
  }

  private async setOwnPassword(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const { id } = accountOf(principal);
    requireAccount(principal, id);
    const passwordHash = await this.passwords.hash(password, attempt);
    this.db.transaction(() => {
      store.updateUser(this.db, id, { passwordHash, mustChangePassword: false }, this.clock());
      this.sessions.closeAllOf(id, principal.sessionId);
      this.audit.append(principal, "password-changed", accountOf(principal), {});
    });
  }

  private auditEdit(
    principal: Principal,
    before: User,
    { isPasswordNew, ...edit }: EditByAdmin & { readonly isPasswordNew: boolean },
  ): void {
    const changes = (now: boolean | undefined, then: boolean) => now !== undefined && now !== then;
    const { isActive, isAdmin, prohibitLogin, mustChangePassword } = edit;
    const happened: [AuditAction, boolean][] = [
      ["password-changed", isPasswordNew],
      ["password-due", changes(mustChangePassword, before.mustChangePassword) && mustChangePassword === true],
      [isActive ? "account-activated" : "account-deactivated", changes(isActive, before.isActive)],
      [isAdmin ? "admin-granted" : "admin-revoked", changes(isAdmin, before.isAdmin)],
      [prohibitLogin ? "sign-in-prohibited" : "sign-in-permitted", changes(prohibitLogin, before.prohibitLogin)],
    ];
    for (const [action, did] of happened) if (did) this.audit.append(principal, action, before, {});
  }

  private changeLogin(principal: Principal, user: User, login: string): void {
    if (user.kind === "organization") throw new ValidationFailed("account.is-organization");
    changeLogin({ db: this.db, outbox: this.outbox, clock: this.clock }, principal, user, login);
    this.audit.append(principal, "account-renamed", { id: user.id, login }, { from: user.login, to: login });
  }

  private replacePrimary(principal: Principal, user: User, email: string): void {
    const owner = store.isEmailTaken(this.db, email);
    if (owner !== undefined) throw new BadRequest("email.taken", { field: "email", params: { email } });
    const old = store.emailsOf(this.db, user.id).find((own) => own.isPrimary);
    if (old) store.deleteEmail(this.db, user.id, old.id);
    store.insertEmail(this.db, user.id, { email, isVerified: true, isProven: true, isPrimary: true });
    store.updateUser(this.db, user.id, { email }, this.clock());
    this.audit.append(principal, "email-primary", user, { email, before: old?.email ?? "" });
  }

  private requireFreeEmail(email: string): void {
    if (store.isEmailTaken(this.db, email) !== undefined)
      throw new ValidationFailed("email.taken", { field: "email", params: { email } });
  }

  private require(id: number): User {
    const user = store.findUserById(this.db, id);
    if (!user) throw new NotFound();
    return user;
  }
}

/** Whom a source knows is called as it says, unless an administrator decides otherwise. @throws Forbidden */
function requireOwnName(principal: Principal, user: User): void {
  if (user.sourceId !== 0 && !administersSite(principal)) throw new Forbidden("account.name-elsewhere");
}

/** What administrators set is refused as a bad request (contract identity.md 15.1). @throws BadRequest */
function checkGivenEmail(email: string): void {
  try {
    checkEmail(email);
  } catch (error) {
    throw error instanceof ValidationFailed ? new BadRequest(error.code, error) : error;
  }
}
