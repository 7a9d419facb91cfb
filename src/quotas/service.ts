import type { Principal } from "../access/principal.ts";
import { requireAccount } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { TooLarge } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { requireOwner } from "../organizations/service.ts";
import type { SeenOrganization } from "../organizations/types.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { HeldFile, HeldFiles, HeldKind } from "./held-files.ts";
import * as store from "./store.ts";
import { contentSubject, counters, covers, type Subject, type Usage, usedOf } from "./subjects.ts";
import type { QuotaGroup, QuotaRule } from "./types.ts";
import { checkSubject } from "./values.ts";

export interface QuotaOptions {
  readonly isEnabled: boolean;
  /** The groups whose rules apply to accounts without a group. */
  readonly defaultGroups: readonly string[];
  /** The total limit if there are no such groups; -1: no limit. */
  readonly defaultTotalBytes: number;
}

/** An account's usage, and the rules that apply to it. */
export interface AccountQuota {
  readonly usage: Usage;
  readonly groups: readonly QuotaGroup[];
}

const nothing = Object.fromEntries(counters.map((counter) => [counter, 0])) as Usage;

/** Storage limits and usage of accounts (contract identity.md 14). An account is a person or an organization. */
export class QuotaService {
  constructor(
    private readonly db: Database,
    private readonly files: HeldFiles,
    private readonly options: QuotaOptions,
  ) {}

  get isEnabled(): boolean {
    return this.options.isEnabled;
  }

  /** @throws Forbidden neither the account itself nor a site administrator */
  ofAccount(principal: Principal, account: User): AccountQuota {
    requireAccount(principal, account.id, "read");
    return this.of(account);
  }

  /** @throws Forbidden not an owner of it */
  ofOrganization(seen: SeenOrganization): AccountQuota {
    requireOwner(seen);
    return this.of(seen.organization);
  }

  /** An account's stored files of a kind, for those who may see its quota. */
  filesOf(principal: Principal, account: User, kind: HeldKind, paging: Paging): Slice<HeldFile> {
    requireAccount(principal, account.id, "read");
    return this.files.page(kind, account, paging);
  }

  /** @throws Forbidden not an owner of it */
  filesOfOrganization(seen: SeenOrganization, kind: HeldKind, paging: Paging): Slice<HeldFile> {
    requireOwner(seen);
    return this.files.page(kind, seen.organization, paging);
  }

  /**
   * Whether the account may store more of a subject.
   * @param moreBytes the size about to be added, if known
   */
  allows(account: User, subject: Subject, moreBytes = 0): boolean {
    return moreBytes <= this.room(account, subject);
  }

  /** @param given a subject by its name in the API @throws ValidationFailed there is no such subject */
  allowsNamed(account: User, given: string): boolean {
    return this.allows(account, checkSubject(given));
  }

  /**
   * To be called before storing anything, and again in the transaction that adds it.
   * @throws TooLarge `quota.exceeded`
   */
  require(account: User, subject: Subject, moreBytes = 0): void {
    if (!this.allows(account, subject, moreBytes)) throw quotaExceeded(account);
  }

  /** The same for the content of a repository, which counts for its owner. @throws TooLarge */
  requireForContent({ owner, repo }: Pick<SeenRepo, "owner" | "repo">, moreBytes = 0): void {
    this.require(owner, contentSubject(repo.isPrivate), moreBytes);
  }

  /**
   * How many more bytes of a subject the account may store: the remaining room in the most generous group, whose
   * rules all apply. Negative: over the limit; Infinity: no limit.
   */
  room(account: User, subject: Subject): number {
    if (!this.isEnabled) return Number.POSITIVE_INFINITY;
    const { usage, groups } = this.of(account);
    const ofGroups = groups.map(({ rules }) =>
      Math.min(
        ...rules
          .filter((rule) => rule.limitBytes !== -1 && isAbout(rule, subject))
          .map((rule) => rule.limitBytes - usedBy(rule, usage)),
      ),
    );
    return ofGroups.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ofGroups);
  }

  private of({ id }: User): AccountQuota {
    const own = store.groupsOf(this.db, id);
    return { usage: store.usageOf(this.db, id) ?? nothing, groups: own.length > 0 ? own : this.defaults() };
  }

  private defaults(): QuotaGroup[] {
    const { defaultGroups, defaultTotalBytes } = this.options;
    const named = defaultGroups.length === 0 ? [] : store.groupsNamed(this.db, defaultGroups);
    if (named.length > 0 || defaultTotalBytes === -1) return named;
    return [{ name: "default", rules: [{ name: "default", limitBytes: defaultTotalBytes, subjects: ["size:all"] }] }];
  }
}

export function quotaExceeded({ id, login }: User): TooLarge {
  return new TooLarge("quota.exceeded", { details: { user_id: id, username: login } });
}

/** The usage of all subjects of a rule together. */
export function usedBy({ subjects }: QuotaRule, usage: Usage): number {
  return subjects.reduce((sum, subject) => sum + usedOf(usage, subject), 0);
}

function isAbout({ subjects }: QuotaRule, subject: Subject): boolean {
  return subjects.some((wider) => covers(wider, subject));
}
