import type { Visibility } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { Failure, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import * as emails from "./emails/store.ts";
import { requireFreeLogin } from "./logins.ts";
import type { Passwords } from "./passwords.ts";
import * as store from "./store.ts";
import { checkAccountName, checkEmail, checkPassword, profileProblems } from "./values.ts";

export interface CreationOptions {
  readonly minPasswordLength: number;
  readonly registration: "open" | "first" | "closed";
  /** Addresses that people enter themselves must be confirmed by a mailed link (`mail.confirm_addresses`). */
  readonly confirmAddresses: boolean;
}

export interface CreateUser {
  readonly login: string;
  readonly email: string;
  readonly password?: string | undefined;
  readonly kind?: "individual" | "bot";
  readonly fullName?: string;
  readonly loginName?: string;
  /** The sign-in source it comes from; 0, the default, for none. */
  readonly sourceId?: number;
  readonly mustChangePassword?: boolean;
  readonly isAdmin?: boolean;
  readonly isRestricted?: boolean;
  readonly visibility?: Visibility;
  readonly createdAt?: number;
}

/** How an account is created. */
interface Making {
  readonly isActive: boolean;
  readonly isVerified: boolean;
  readonly isProven: boolean;
  /** Checked again in the creating transaction; throws when the account may not be created. */
  readonly check?: () => void;
  readonly made?: ((user: User) => void) | undefined;
}

/** Creates accounts: by an administrator, a visitor, a sign-in source, or the set-up. */
export class AccountCreation {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly passwords: Passwords,
    private readonly audit: AuditService,
    private readonly options: CreationOptions,
  ) {}

  /** The problems of each part of a new account, so that a form can show all of them at once. */
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
   * Creates an account as an administrator; its address is proven.
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
    // Checked again in the transaction; checking here saves a useless hash.
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
      emails.insertEmail(this.db, id, { email: input.email, isVerified, isProven, isPrimary: true });
      const by = storedPrincipal(principal);
      // A visitor who registers is their own creator.
      const creator = principal.via === "nothing" ? { ...by, userId: id } : by;
      this.outbox.append("user.created", { principal: creator, ownerId: id }, { login: input.login });
      const user = store.findUserById(this.db, id);
      if (!user) throw new NotFound();
      this.audit.append(principal, "account-created", user, {});
      how.made?.(user);
      return user;
    });
  }

  /**
   * Registers an account for a visitor; never the first one, which `setUp` creates. Where addresses are confirmed,
   * the account is inactive until then.
   * @param made called in the transaction that creates the account
   * @throws Forbidden registration is closed; ValidationFailed
   */
  async register(
    principal: Principal,
    input: { login: string; email: string; password: string },
    made?: (user: User) => void,
  ): Promise<User> {
    const requireOpen = () => {
      if (!this.isRegistrationOpen() || !store.hasAnyUser(this.db)) throw new Forbidden("account.registration-closed");
    };
    requireOpen();
    const isUsable = !this.options.confirmAddresses;
    const how = { check: requireOpen, isActive: isUsable, isVerified: isUsable, isProven: false, made };
    return this.make(principal, input, how);
  }

  /**
   * Creates an account that a sign-in source vouches for: it has no local password and is active at once. Where
   * addresses are confirmed, one that the source does not vouch for is not verified until then.
   * @param made called in the transaction that creates the account
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
   * Creates the site's first account, an administrator, whatever the registration setting; the caller has checked the
   * set-up token. Checked in the creating transaction: of two first visitors only one succeeds.
   * @throws Forbidden an account already exists; ValidationFailed
   */
  async setUp(principal: Principal, input: { login: string; email: string; password: string }): Promise<User> {
    const requireNobody = () => {
      if (store.hasAnyUser(this.db)) throw new Forbidden("account.set-up-already");
    };
    requireNobody();
    const how = { check: requireNobody, isActive: true, isVerified: true, isProven: true };
    return this.make(principal, { ...input, isAdmin: true }, how);
  }

  /** Whether a visitor may register now; the very first account also needs the set-up token. */
  isRegistrationOpen(): boolean {
    return (
      this.options.registration === "open" || (this.options.registration === "first" && !store.hasAnyUser(this.db))
    );
  }

  private checkPassword(password: string): void {
    checkPassword(password, this.options.minPasswordLength);
  }

  private requireFreeEmail(email: string): void {
    if (emails.isEmailTaken(this.db, email) !== undefined)
      throw new ValidationFailed("email.taken", { field: "email", params: { email } });
  }
}
