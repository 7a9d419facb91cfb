import type { Visibility } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { storedPrincipal } from "../events/types.ts";
import { NotFound } from "../kernel/errors.ts";
import { changeLogin, type LoginParts, requireFreeLogin } from "./logins.ts";
import * as store from "./store.ts";
import { checkAccountName, checkEmail, profileProblems } from "./values.ts";

/** The profile of an organization; absent fields stay as they are. */
export interface OrganizationProfile {
  readonly fullName?: string | undefined;
  /** A contact address, not usable for signing in; empty for none. */
  readonly email?: string | undefined;
  readonly description?: string | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly visibility?: Visibility | undefined;
}

/**
 * The accounts of organizations, which share names, profile and picture with those of people. The area of
 * organizations checks permissions and calls this in its transactions.
 */
export class OrganizationAccounts {
  constructor(private readonly parts: LoginParts) {}

  /** @throws ValidationFailed a value that breaks a rule, or a name that is taken */
  create(principal: Principal, login: string, profile: OrganizationProfile): User {
    const { db, clock, outbox } = this.parts;
    checkAccountName(login);
    requireFreeLogin(db, login);
    checkProfile(profile);
    store.removeUserRedirect(db, login);
    const { fullName = "", email = "", visibility = "public", ...texts } = profile;
    const id = store.insertUser(db, {
      login,
      kind: "organization",
      email,
      fullName,
      passwordHash: null,
      mustChangePassword: false,
      isAdmin: false,
      isActive: true,
      isRestricted: false,
      visibility,
      loginName: "",
      sourceId: 0,
      createdAt: clock(),
    });
    store.updateUser(db, id, given(texts), clock());
    outbox.append("user.created", { principal: storedPrincipal(principal), ownerId: id }, { login });
    return this.require(id);
  }

  /** @throws ValidationFailed */
  edit(organization: User, profile: OrganizationProfile): User {
    checkProfile(profile);
    store.updateUser(this.parts.db, organization.id, given(profile), this.parts.clock());
    return this.require(organization.id);
  }

  /** @throws ValidationFailed a name that is malformed, reserved or taken */
  rename(principal: Principal, organization: User, login: string): void {
    changeLogin(this.parts, principal, organization, login);
  }

  /** @param address of the uploaded picture; empty for none */
  setAvatar(organization: User, address: string): void {
    store.setUserAvatar(this.parts.db, organization.id, address, this.parts.clock());
  }

  /** The organization must no longer own anything. */
  remove(principal: Principal, organization: User): void {
    const { db, outbox } = this.parts;
    const { id, login } = organization;
    outbox.append("user.deleted", { principal: storedPrincipal(principal), ownerId: id }, { login });
    outbox.append("access.changed", { ownerId: id }, { userId: null });
    store.deleteUserRow(db, id);
  }

  private require(id: number): User {
    const user = store.findUserById(this.parts.db, id);
    if (!user) throw new NotFound();
    return user;
  }
}

function checkProfile(profile: OrganizationProfile): void {
  for (const problem of profileProblems(profile)) throw problem;
  if (profile.email) checkEmail(profile.email);
}

function given(profile: OrganizationProfile): store.UserEdit {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}
