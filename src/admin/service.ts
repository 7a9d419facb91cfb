import { accountOf, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { AccountPasswords } from "../identity/account-passwords.ts";
import type { Attempt } from "../identity/guesses.ts";
import type { IdentityService } from "../identity/service.ts";
import { requirePerson } from "../identity/values.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";

export interface AdminNeeds {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly accountPasswords: AccountPasswords;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly organizations: OrganizationService;
}

/** Accounts together with what they own, which crosses areas. */
export class AdminService {
  constructor(private readonly needs: AdminNeeds) {}

  /**
   * Removes another's account, and with `purge` what it owns, in one transaction: all is gone or nothing is
   * (contract identity.md 15.1).
   * @throws Forbidden not an administrator; ValidationFailed oneself, an organization, the last administrator, or, without
   * `purge`, an owner of repositories or packages or a member of organizations
   */
  deleteUser(principal: Principal, user: User, options: { readonly purge: boolean }): void {
    requireSiteAdmin(principal);
    requirePerson(user);
    if (user.id === principal.user?.id) throw new ValidationFailed("account.cannot-delete-self");
    this.delete(principal, user, {
      ...options,
      owns: "account.owns-repositories",
      belongs: "account.belongs-to-organizations",
    });
  }

  /**
   * Removes the account that asks. It proves itself by its password, and leaves nothing behind (contract identity.md 8.11).
   * @throws TooManyRequests; ValidationFailed `account.password-wrong`, `account.still-owns-repositories`,
   * `account.admin-stays`: another administrator has to do it
   */
  async deleteOwnAccount(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const user = accountOf(principal);
    requireAccount(principal, user.id);
    if (user.isAdmin) throw new ValidationFailed("account.admin-stays");
    if (password === "" || !(await this.needs.accountPasswords.isOwn(principal, password, attempt)))
      throw new ValidationFailed("account.password-wrong", { field: "password" });
    this.delete(principal, user, {
      purge: false,
      owns: "account.still-owns-repositories",
      belongs: "account.still-belongs-to-organizations",
    });
  }

  /** @param how.owns what is thrown when it owns repositories, `how.belongs` when it is in organizations, and may not be purged */
  private delete(
    principal: Principal,
    user: User,
    how: { readonly purge: boolean; readonly owns: string; readonly belongs: string },
  ): void {
    const { db, identity, organizations, repoRemoval, repos } = this.needs;
    db.transaction(() => {
      const owned = repos.ownedBy(user);
      const params = { id: user.id };
      if (owned.length > 0 && !how.purge) throw new ValidationFailed(how.owns, { params });
      if (how.purge) organizations.purge(principal, user);
      else if (organizations.membershipsOf(user).length > 0) throw new ValidationFailed(how.belongs, { params });
      if (!how.purge) identity.requireWithoutBelongings(user);
      for (const repo of owned) repoRemoval.removeForGood(principal, repo);
      identity.remove(principal, user);
    });
  }
}
