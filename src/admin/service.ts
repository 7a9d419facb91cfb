import { accountOf, asAccount, operator, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { eraseDependents, hasMuch, inSlices } from "../db/erase.ts";
import type { AccountPasswords } from "../identity/account-passwords.ts";
import type { Attempt } from "../identity/guesses.ts";
import type { IdentityService } from "../identity/service.ts";
import { requirePerson } from "../identity/values.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { JobPayloads } from "../jobs/types.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Completes an account deletion that a crash interrupted. */
    "account.delete": { readonly userId: number; readonly by: number | null; readonly purge: boolean };
  }
}

/** Up to this many repositories are deleted in the transaction that deletes the account; more are deleted before it. */
const REPOS_AT_ONCE = 5;
/** By then the deleting process has finished or crashed. */
const TAKE_UP_MS = 600_000;

export interface AdminNeeds {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly identity: IdentityService;
  readonly accountPasswords: AccountPasswords;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly organizations: OrganizationService;
}

/** Deletes accounts with everything they own, across areas. */
export class AdminService {
  constructor(private readonly needs: AdminNeeds) {}

  /** Completes an interrupted deletion. */
  async resumeDeletion({ by, purge, userId }: JobPayloads["account.delete"]): Promise<void> {
    const { identity } = this.needs;
    const user = identity.byId(userId);
    const doer = by === null ? undefined : identity.byId(by);
    if (user) await this.delete(doer ? asAccount(doer) : operator, user, { ...STAYS, purge });
  }

  /**
   * Deletes another account and, with `purge`, what it owns: nothing is deleted if refused (contract identity.md
   * 15.1).
   * @throws Forbidden not an administrator; ValidationFailed oneself, an organization, the last administrator, or,
   * without `purge`, an owner of repositories or packages or a member of organizations
   */
  async deleteUser(principal: Principal, user: User, options: { readonly purge: boolean }): Promise<void> {
    requireSiteAdmin(principal);
    requirePerson(user);
    if (user.id === principal.user?.id) throw new ValidationFailed("account.cannot-delete-self");
    await this.delete(principal, user, { ...STAYS, ...options });
  }

  /**
   * Deletes the caller's own account, which requires its password (contract identity.md 8.11).
   * @throws TooManyRequests; ValidationFailed `account.password-wrong`, `account.still-owns-repositories`,
   * `account.admin-stays`: another administrator has to do it
   */
  async deleteOwnAccount(principal: Principal, password: string, attempt: Attempt): Promise<void> {
    const user = accountOf(principal);
    requireAccount(principal, user.id);
    if (user.isAdmin) throw new ValidationFailed("account.admin-stays");
    if (password === "" || !(await this.needs.accountPasswords.isOwn(principal, password, attempt)))
      throw new ValidationFailed("account.password-wrong", { field: "password" });
    await this.delete(principal, user, {
      purge: false,
      owns: "account.still-owns-repositories",
      belongs: "account.still-belongs-to-organizations",
    });
  }

  /**
   * @param how.owns the error if it owns repositories, `how.belongs` if it is in organizations, and may not be purged
   */
  private async delete(
    principal: Principal,
    user: User,
    how: { readonly purge: boolean; readonly owns: string; readonly belongs: string },
  ): Promise<void> {
    const { db, identity, jobs, organizations, repoRemoval, repos } = this.needs;
    const check = () => {
      const params = { id: user.id };
      identity.requireRemovable(principal, user);
      if (how.purge) return;
      if (repos.ownedBy(user).length > 0) throw new ValidationFailed(how.owns, { params });
      if (organizations.membershipsOf(user).length > 0) throw new ValidationFailed(how.belongs, { params });
      identity.requireWithoutBelongings(user);
    };
    const going = () => [user, ...(how.purge ? organizations.ownedAlone(user) : [])];
    const isMuch = db.transaction(() => {
      check();
      const isMuch = going().some((account) => this.isLarge(account));
      const payload = { userId: user.id, by: principal.user?.id ?? null, purge: how.purge };
      if (isMuch) jobs.enqueue("account.delete", payload, { delayMs: TAKE_UP_MS });
      return isMuch;
    });
    if (isMuch) for (const account of going()) await this.empty(principal, account);
    db.transaction(() => {
      // Someone else may have completed it meanwhile.
      if (!identity.byId(user.id)) return;
      check();
      if (how.purge) organizations.purge(principal, user);
      for (const repo of repos.ownedBy(user)) repoRemoval.removeForGood(principal, repo);
      identity.remove(principal, user);
    });
  }

  private isLarge(account: User): boolean {
    const { db, repos } = this.needs;
    return (
      (repos.countsOwned([account]).get(account.id) ?? 0) > REPOS_AT_ONCE ||
      hasMuch(db, [{ table: "users", id: account.id }])
    );
  }

  /** Deletes what an account owns, in small steps; its memberships are deleted with the account. */
  private async empty(principal: Principal, account: User): Promise<void> {
    const { db, repoRemoval, repos } = this.needs;
    const removeSome = () => {
      const some = repos.ownedBy(account).slice(0, REPOS_AT_ONCE);
      for (const repo of some) repoRemoval.removeForGood(principal, repo);
      return some.length > 0;
    };
    while (db.transaction(removeSome)) await nextTurn();
    await inSlices(db, eraseDependents(db, "users", account.id, { except: ["organization_members", "organizations"] }));
  }
}

const STAYS = { owns: "account.owns-repositories", belongs: "account.belongs-to-organizations" };

export function parseDeletion(payload: unknown): JobPayloads["account.delete"] {
  const { by, purge, userId } = (payload ?? {}) as Record<string, unknown>;
  if (typeof userId !== "number" || typeof purge !== "boolean" || (by !== null && typeof by !== "number"))
    throw new Error("the job names no account");
  return { userId, by, purge };
}
