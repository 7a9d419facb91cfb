import type { Principal } from "../access/principal.ts";
import { administersSite, requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { AccessControl } from "../access/service.ts";
import type { AccountProblem, User, UserKind } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import type { IdList } from "../db/id-lists.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { CacheBudget } from "../kernel/cache.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Forbidden, NotFound, Redirected, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import {
  ADMIN_FIELDS,
  auditedChanges,
  checkGivenEmail,
  checkGivenPassword,
  type EditUser,
  requireOwnName,
} from "./edits.ts";
import * as emails from "./emails/store.ts";
import type { UserFilter, UserOrder } from "./list-store.ts";
import { AccountLists } from "./lists.ts";
import { changeLogin } from "./logins.ts";
import type { Passwords } from "./passwords.ts";
import type { SessionService } from "./sessions/service.ts";
import * as store from "./store.ts";
import { systemUserById } from "./system-users.ts";
import type { UserCountName, UserCounts } from "./types.ts";
import { profileProblems, requirePerson } from "./values.ts";

/** Filter for a list of accounts, without `searchEmails`: the service decides whose addresses are searchable. */
export type ListFilter = Omit<UserFilter, "searchEmails">;

/**
 * Accounts: finding, changing and removing them. Creation, passwords, addresses, sessions and tokens have services of
 * their own. The server's internal look-ups (`byLogin`) take no principal.
 */
export class IdentityService {
  private readonly countSql = new Map<UserCountName, string>();
  private secondFactorSql = "0";
  private readonly acquaintances: string[] = [];
  private readonly belongings: { readonly code: string; has(user: User): boolean }[] = [];
  private readonly lists: AccountLists;
  private lacksSecondFactor: (user: User) => boolean = () => false;

  constructor(
    private readonly db: Database,
    private readonly access: AccessControl,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly sessions: SessionService,
    private readonly audit: AuditService,
    private readonly minPasswordLength: number,
    caches: CacheBudget,
  ) {
    this.lists = new AccountLists(db, caches);
  }

  /**
   * Registers, during wiring, a count that an area provides for each account.
   * @param sql returns the query for the count, given the SQL expression for the account's id; it must use an index
   */
  addCount(name: UserCountName, sql: (user: string) => string): void {
    if (this.countSql.has(name)) throw new Error(`two areas count the ${name} of accounts`);
    this.countSql.set(name, sql("wanted.value"));
  }

  /**
   * Registers, during wiring, accounts that lists show to `$me` though they hide from others (contract identity.md
   * 8.6).
   * @param sql returns the condition, given the SQL expression for the account's id; it must use an index
   */
  addAcquaintance(sql: (user: string) => string): void {
    this.acquaintances.push(sql("users.id"));
  }

  /**
   * Registers, during wiring, the condition for having a second factor.
   * @param sql returns the condition, given the SQL expression for the account's id
   */
  addSecondFactor(sql: (user: string) => string): void {
    this.secondFactorSql = sql("users.id");
  }

  /** Registers, during wiring, which accounts must have a second factor and lack one. */
  demandSecondFactor(isLacking: (user: User) => boolean): void {
    this.lacksSecondFactor = isLacking;
  }

  /**
   * Registers, during wiring, something that prevents deleting an account unless it is purged along with it.
   * @param code of the refusal; its message gets the account's `id`
   */
  addBelongings(code: string, has: (user: User) => boolean): void {
    this.belongings.push({ code, has });
  }

  /** @throws ValidationFailed the account owns something that prevents its deletion */
  requireWithoutBelongings(user: User): void {
    const found = this.belongings.find(({ has }) => has(user));
    if (found) throw new ValidationFailed(found.code, { params: { id: user.id } });
  }

  /** The counts of each of these accounts, in one query. */
  counts(userIds: readonly number[]): Map<number, UserCounts> {
    return store.userCountsOf(this.db, this.countSql, userIds);
  }

  /** @param sinceMs only those who signed in after this time */
  countPeople(sinceMs?: number): number {
    return store.countPeople(this.db, sinceMs);
  }

  hasAnyUser(): boolean {
    return store.hasAnyUser(this.db);
  }

  signedIn(user: User): void {
    store.updateUser(this.db, user.id, { lastLoginAt: this.clock() }, this.clock());
  }

  /** Why this account may not be used now; undefined if it may. */
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
   * The account with that name, if the principal may see it.
   * @param redirect builds the address to redirect to when the account was renamed
   * @param isListed accounts that every signed-in user can find by their current name
   * @throws NotFound; Redirected 307; Forbidden only the token's `public-only` hides it
   */
  visible(
    principal: Principal,
    login: string,
    redirect: (presentLogin: string) => string,
    isListed: (account: User) => boolean = () => false,
  ): User {
    const present = store.findUserByLogin(this.db, login);
    if (present && principal.user && !principal.scope?.publicOnly && isListed(present)) return present;
    const found = present ?? this.renamedTo(login);
    if (!found || !this.sees({ ...principal, scope: undefined }, found))
      throw new NotFound("account.no-such-name", { params: { name: login } });
    if (!this.sees(principal, found)) throw new Forbidden("account.public-only");
    if (!present) throw new Redirected(307, redirect(found.login));
    return found;
  }

  /** The account that a former name redirects to; no permission is checked. */
  renamedTo(login: string): User | undefined {
    const id = store.redirectedUserId(this.db, login);
    return id === undefined ? undefined : store.findUserById(this.db, id);
  }

  /** The account whose uploaded picture has that address; no permission is checked. */
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

  /** Accounts of any kind that the principal may see; text also matches those addresses the principal is shown. */
  list(principal: Principal, filter: ListFilter, order: UserOrder, paging: Paging): Slice<User> {
    const known = this.acquaintances.map((isKnown) => ` OR ${isKnown}`).join("");
    const isVisible = `(${this.access.accountCondition("users")} OR ($me > 0 AND NOT $publicOnly AND (0${known})))`;
    const viewer = { isVisible, params: this.access.params(principal) };
    const searchEmails = administersSite(principal) ? "all" : principal.user ? "shown" : "none";
    return this.lists.page(viewer, this.secondFactorSql, { ...filter, searchEmails }, order, paging);
  }

  /**
   * Account ids found by an area, cached until the visibility or membership of accounts changes.
   * @param question what they depend on besides the database
   */
  rememberedIds(question: readonly unknown[], read: () => IdList): IdList {
    return this.lists.remembered(question, read);
  }

  /** Active accounts with these names that the principal may see, by lower-case name. */
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

  /** One person by id, including system accounts; an empty page if the principal may not see them. */
  searchById(principal: Principal, id: number): Slice<User> {
    const found = systemUserById(id) ?? store.findUserById(this.db, id);
    const isShown = found && (found.id < 0 || (found.kind === "individual" && this.sees(principal, found)));
    return isShown ? { items: [found], total: 1 } : { items: [], total: 0 };
  }

  /**
   * Changes an account and, with `login`, its name; all or nothing.
   * @throws Forbidden another's account, or a field only administrators may change; ValidationFailed a value that
   * breaks a rule, a name that is taken; BadRequest a short password, an address in use, the last administrator
   */
  async edit(principal: Principal, user: User, edit: EditUser): Promise<User> {
    requireAccount(principal, user.id);
    const given = Object.entries(edit).filter(([, value]) => value !== undefined);
    if (given.some(([field]) => ADMIN_FIELDS.has(field))) requireSiteAdmin(principal);
    requirePerson(user);
    for (const problem of profileProblems(edit)) throw problem;
    const { login, password, email, ...fields } = edit;
    if (login !== undefined && login !== user.login) requireOwnName(principal, user);
    const sourceId = fields.sourceId ?? user.sourceId;
    if (password !== undefined) checkGivenPassword({ ...user, sourceId }, password, this.minPasswordLength);
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
      // Activating an account makes following the mailed link unnecessary.
      if (fields.isActive === true && !before.isActive) emails.markPrimaryVerified(this.db, user.id);
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
      for (const action of auditedChanges(before, edit)) this.audit.append(principal, action, before, {});
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
   * Renames an account; its former name redirects to it from then on.
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

  /** @throws Forbidden another's account; ValidationFailed the last administrator */
  requireRemovable(principal: Principal, user: User): void {
    requireAccount(principal, user.id);
    if (user.isAdmin && store.countActiveAdmins(this.db, user.id) === 0)
      throw new ValidationFailed("account.last-admin", { params: { id: user.id } });
  }

  /**
   * Removes an account that no longer owns anything, as the administration service ensures. Joins a running
   * transaction.
   * @throws Forbidden another's account; ValidationFailed the last administrator
   */
  remove(principal: Principal, user: User): void {
    this.db.transaction(() => {
      this.requireRemovable(principal, user);
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

  private changeLogin(principal: Principal, user: User, login: string): void {
    requirePerson(user);
    changeLogin({ db: this.db, outbox: this.outbox, clock: this.clock }, principal, user, login);
    this.audit.append(principal, "account-renamed", { id: user.id, login }, { from: user.login, to: login });
  }

  private replacePrimary(principal: Principal, user: User, email: string): void {
    const owner = emails.isEmailTaken(this.db, email);
    if (owner !== undefined) throw new BadRequest("email.taken", { field: "email", params: { email } });
    const old = emails.emailsOf(this.db, user.id).find((own) => own.isPrimary);
    if (old) emails.deleteEmail(this.db, user.id, old.id);
    emails.insertEmail(this.db, user.id, { email, isVerified: true, isProven: true, isPrimary: true });
    store.updateUser(this.db, user.id, { email }, this.clock());
    this.audit.append(principal, "email-primary", user, { email, before: old?.email ?? "" });
  }

  private require(id: number): User {
    const user = store.findUserById(this.db, id);
    if (!user) throw new NotFound();
    return user;
  }
}
