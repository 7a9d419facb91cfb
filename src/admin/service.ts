import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { RepoService } from "../repos/service.ts";

/** What an administrator does that crosses areas. */
export class AdminService {
  constructor(
    private readonly db: Database,
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
  ) {}

  /**
   * Removes an account, and with `purge` what it owns, in one transaction: all is gone or nothing is
   * (contract identity.md 15.1).
   * @throws ValidationFailed oneself, an organization, the last administrator, or an owner of repositories without `purge`
   */
  deleteUser(principal: Principal, user: User, options: { readonly purge: boolean }): void {
    if (user.kind === "organization") throw new ValidationFailed("account.is-organization");
    if (user.id === principal.user?.id) throw new ValidationFailed("account.cannot-delete-self");
    this.db.transaction(() => {
      const owned = this.repos.ownedBy(user);
      if (owned.length > 0 && !options.purge)
        throw new ValidationFailed("account.owns-repositories", { params: { id: user.id } });
      for (const repo of owned) this.repos.remove(principal, repo);
      this.identity.remove(principal, user);
    });
  }

  /** @throws ValidationFailed an organization, or a name that is invalid, reserved or taken */
  renameUser(principal: Principal, user: User, login: string): User {
    if (user.kind === "organization") throw new ValidationFailed("account.is-organization");
    return this.identity.rename(principal, user, login);
  }
}
