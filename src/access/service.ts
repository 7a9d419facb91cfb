import type { Database } from "../db/database.ts";
import {
  type AccessParams,
  accessParams,
  accountCondition,
  type RepoConditionOptions,
  repoCondition,
  repoConditionByUnit,
  type SiteAccess,
} from "./conditions.ts";
import { type AccountFacts, type Decision, decide, type Grant, type RepoFacts, seesAccount } from "./decide.ts";
import { type GrantSource, grantsOn, type MembershipSource } from "./grants.ts";
import type { Principal } from "./principal.ts";

const noGrants: readonly Grant[] = [];

/** Access decisions from facts in the database: for one repository, for many at once, or as a query condition. */
export class AccessControl {
  private readonly grantSources: GrantSource[] = [];
  private readonly membershipSources: MembershipSource[] = [];
  private readonly conditions = new Map<string, string>();

  constructor(
    private readonly db: Database,
    private readonly site: SiteAccess,
  ) {}

  /** Areas register their sources during wiring, before any decision is made. */
  addGrants(source: GrantSource): void {
    this.grantSources.push(source);
    this.conditions.clear();
  }

  addMembers(source: MembershipSource): void {
    this.membershipSources.push(source);
    this.conditions.clear();
  }

  on(principal: Principal, repo: RepoFacts): Decision {
    return this.decide(principal, repo, this.grants(principal, [repo.id]).get(repo.id));
  }

  /** One decision per repository, with a single query for the grants. */
  onEach(principal: Principal, repos: readonly RepoFacts[]): Map<number, Decision> {
    const grants = this.grants(
      principal,
      repos.map((repo) => repo.id),
    );
    return new Map(repos.map((repo) => [repo.id, this.decide(principal, repo, grants.get(repo.id))]));
  }

  sees(principal: Principal, account: AccountFacts): boolean {
    const { requireSignIn } = this.site;
    return (
      seesAccount(principal, account, false, requireSignIn) ||
      (seesAccount(principal, account, true, requireSignIn) && this.isMember(principal, account.id))
    );
  }

  /**
   * SQL that holds for the repositories that the principal of `params` may access this way; `conditions.ts` says what
   * it expects of the query.
   */
  repoCondition(options: RepoConditionOptions = {}): string {
    const key = `repo ${options.unit ?? ""} ${options.level ?? ""} ${options.isBinned ?? false}`;
    return this.cached(key, () => repoCondition(this.grantSources, options));
  }

  /** As `repoCondition`, for a list whose rows name their unit in a column; empty: the repository as a whole. */
  repoConditionByUnit(unitColumn: string): string {
    return this.cached(`unit ${unitColumn}`, () => repoConditionByUnit(this.grantSources, unitColumn));
  }

  /** SQL that holds for the accounts visible to the principal of `params`. @param account alias of the `users` row */
  accountCondition(account: string): string {
    return this.cached(`account ${account}`, () => accountCondition(this.membershipSources, account));
  }

  /** Parameters for both conditions. */
  params(principal: Principal): AccessParams {
    return accessParams(principal, this.site);
  }

  private cached(key: string, make: () => string): string {
    const cached = this.conditions.get(key);
    if (cached !== undefined) return cached;
    const made = make();
    this.conditions.set(key, made);
    return made;
  }

  private decide(principal: Principal, repo: RepoFacts, grants: readonly Grant[] = noGrants): Decision {
    const { forcePrivate, requireSignIn } = this.site;
    return decide(principal, forcePrivate ? { ...repo, opened: undefined } : repo, grants, requireSignIn);
  }

  private grants({ user }: Principal, repoIds: readonly number[]): Map<number, Grant[]> {
    if (!user || user.isAdmin) return new Map();
    return grantsOn(this.db, this.grantSources, user.id, repoIds);
  }

  private isMember({ user }: Principal, accountId: number): boolean {
    if (!user) return false;
    return this.membershipSources.some(
      ({ from, where }) =>
        this.db.query(`SELECT 1 FROM ${from} WHERE ${where("$account")}`).get({ me: user.id, account: accountId }) !==
        null,
    );
  }
}
