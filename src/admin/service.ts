import { accountOf, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Attempt } from "../identity/guesses.ts";
import type { IdentityService } from "../identity/service.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { RepoService } from "../repos/service.ts";

export interface AdminNeeds {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly repos: RepoService;
}

/** Accounts together with what they own, which crosses areas. */
export class AdminService {
  constructor(private readonly needs: AdminNeeds) {}

  /**
   * Removes another's account, and with `purge` what it owns, in one transaction: all is gone or nothing is
   * (contract identity.md 15.1).
   * @throws Forbidden not an administrator; ValidationFailed oneself, an organization, the last administrator, or an
   * owner of repositories without `purge`
   */
  deleteUser(principal: Principal, user: User, options: { readonly purge: boolean }): void {
    requireSiteAdmin(principal);
    if (user.kind === "organization") throw new ValidationFailed("account.is-organization");
    if (user.id === principal.user?.id) throw new ValidationFailed("account.cannot-delete-self");
    this.delete(principal, user, { ...options, code: "account.owns-repositories" });
  }

  /**
   * Removes the account that asks. It proves itself by its password, and leaves nothing behind.
   * @throws TooManyRequests; ValidationFailed `account.password-wrong`, `account.still-owns-repositories`, the last
   * administrator
   */
  async deleteOwnAccount(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const { identity } = this.needs;
    const user = accountOf(principal);
    requireAccount(principal, user.id);
    if (password === "" || !(await identity.isOwnPassword(principal, password, attempt)))
      throw new ValidationFailed("account.password-wrong", { field: "password" });
    this.delete(principal, user, { purge: false, code: "account.still-owns-repositories" });
  }

  /** @param how.code what is thrown when it owns something and may not be purged */
  private delete(principal: Principal, user: User, how: { readonly purge: boolean; readonly code: string }): void {
    const { db, identity, repos } = this.needs;
    db.transaction(() => {
      const owned = repos.ownedBy(user);
      if (owned.length > 0 && !how.purge) throw new ValidationFailed(how.code, { params: { id: user.id } });
      for (const repo of owned) repos.remove(principal, repo);
      identity.remove(principal, user);
    });
  }
}
