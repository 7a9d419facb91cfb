import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import * as store from "./store.ts";
import type { QuotaGroup, QuotaRule } from "./types.ts";
import { checkLimit, checkQuotaName, checkSubjects } from "./values.ts";

/** A requested rule. */
export interface RuleRequest {
  readonly name?: string | undefined;
  readonly limit?: number | undefined;
  readonly subjects?: readonly string[] | undefined;
}

/** Rules, groups and their members, for site administrators. All methods throw Forbidden for others. */
export class QuotaAdministration {
  constructor(
    private readonly db: Database,
    private readonly identity: IdentityService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  rules(principal: Principal): QuotaRule[] {
    requireSiteAdmin(principal, "read");
    return store.allRules(this.db);
  }

  /** @throws NotFound */
  rule(principal: Principal, name: string): QuotaRule {
    requireSiteAdmin(principal, "read");
    return this.requireRule(name);
  }

  /** @throws ValidationFailed a value; Conflict the name is taken */
  addRule(principal: Principal, request: RuleRequest): QuotaRule {
    requireSiteAdmin(principal);
    const name = checkQuotaName(request.name);
    this.change(principal, name, () => this.insertRule({ ...request, name }));
    return this.requireRule(name);
  }

  /** Absent fields stay as they are. @throws NotFound; ValidationFailed a value */
  editRule(principal: Principal, name: string, { limit, subjects }: RuleRequest): QuotaRule {
    requireSiteAdmin(principal);
    this.change(principal, name, () => {
      const before = this.requireRule(name);
      const rule = {
        name,
        limitBytes: limit === undefined ? before.limitBytes : checkLimit(limit),
        subjects: subjects === undefined ? before.subjects : checkSubjects(subjects),
      };
      store.putRule(this.db, rule, this.clock());
    });
    return this.requireRule(name);
  }

  /** Removes it from its groups too. @throws NotFound */
  removeRule(principal: Principal, name: string): void {
    requireSiteAdmin(principal);
    this.change(principal, name, () => {
      if (!store.deleteRule(this.db, name)) throw ruleMissing(name);
    });
  }

  groups(principal: Principal): QuotaGroup[] {
    requireSiteAdmin(principal, "read");
    return store.allGroups(this.db);
  }

  /** @throws NotFound */
  group(principal: Principal, name: string): QuotaGroup {
    requireSiteAdmin(principal, "read");
    return this.requireGroup(name);
  }

  /**
   * @param rules existing ones by name alone, or unchanged; others are created with it
   * @throws ValidationFailed a value; Conflict the group's name is taken, or a rule of that name differs
   */
  addGroup(principal: Principal, given: string | undefined, rules: readonly RuleRequest[] = []): QuotaGroup {
    requireSiteAdmin(principal);
    const name = checkQuotaName(given);
    this.change(principal, name, () => {
      if (store.hasGroup(this.db, name)) throw new Conflict("quota.group-exists", { field: "name", params: { name } });
      store.insertGroup(this.db, name, this.clock());
      for (const request of rules) store.addGroupRule(this.db, name, this.ruleFor(request));
    });
    return this.requireGroup(name);
  }

  /** Its members lose it too. @throws NotFound */
  removeGroup(principal: Principal, name: string): void {
    requireSiteAdmin(principal);
    this.change(principal, name, () => {
      if (!store.deleteGroup(this.db, name)) throw groupMissing(name);
    });
  }

  /** @throws NotFound one of them; Conflict it is already in it */
  addRuleTo(principal: Principal, group: string, rule: string): void {
    requireSiteAdmin(principal);
    this.change(principal, group, () => {
      this.requireGroup(group);
      this.requireRule(rule);
      if (!store.addGroupRule(this.db, group, rule))
        throw new Conflict("quota.rule-in-group", { params: { rule, group } });
    });
  }

  /** @throws NotFound one of them, or the rule is not in it */
  removeRuleFrom(principal: Principal, group: string, rule: string): void {
    requireSiteAdmin(principal);
    this.change(principal, group, () => {
      this.requireGroup(group);
      this.requireRule(rule);
      if (!store.removeGroupRule(this.db, group, rule))
        throw new NotFound("quota.rule-not-in-group", { params: { rule, group } });
    });
  }

  /** The accounts in a group, oldest first. @throws NotFound */
  members(principal: Principal, group: string, paging: Paging): Slice<User> {
    requireSiteAdmin(principal, "read");
    this.requireGroup(group);
    const { ids, total } = store.membersOf(this.db, group, paging);
    const users = this.identity.byIds(ids);
    return { items: ids.flatMap((id) => users.get(id) ?? []), total };
  }

  /** @throws NotFound the group; Conflict it is already in it */
  addMember(principal: Principal, group: string, user: User): void {
    requireSiteAdmin(principal);
    this.change(principal, group, () => {
      this.requireGroup(group);
      if (!store.addMember(this.db, group, user.id))
        throw new Conflict("quota.user-in-group", { params: { user: user.login, group } });
    });
  }

  /** @throws NotFound the group, or it is not in it */
  removeMember(principal: Principal, group: string, user: User): void {
    requireSiteAdmin(principal);
    this.change(principal, group, () => {
      this.requireGroup(group);
      if (!store.removeMember(this.db, group, user.id))
        throw new NotFound("quota.user-not-in-group", { params: { user: user.login, group } });
    });
  }

  /** Replaces the account's groups. @throws ValidationFailed one does not exist */
  setGroups(principal: Principal, user: User, groups: readonly string[]): void {
    requireSiteAdmin(principal);
    const names = [...new Set(groups)];
    this.change(principal, names.join(", "), () => {
      const missing = names.find((name) => !store.hasGroup(this.db, name));
      if (missing !== undefined)
        throw new ValidationFailed("quota.group-unknown", { field: "groups", params: { name: missing } });
      store.removeFromGroups(this.db, user.id);
      for (const name of names) store.addMember(this.db, name, user.id);
    });
  }

  private change(principal: Principal, name: string, work: () => void): void {
    this.db.transaction(() => {
      work();
      this.audit.append(principal, "quota-changed", { id: undefined, login: "" }, { name });
    });
  }

  private insertRule({ name, limit, subjects }: RuleRequest & { readonly name: string }): void {
    if (store.findRule(this.db, name)) throw ruleExists(name);
    const rule = { name, limitBytes: checkLimit(limit), subjects: checkSubjects(subjects) };
    store.putRule(this.db, rule, this.clock());
  }

  /** The name of the rule, created if necessary. */
  private ruleFor(request: RuleRequest): string {
    const name = checkQuotaName(request.name);
    const there = store.findRule(this.db, name);
    if (!there) {
      this.insertRule({ ...request, name });
      return name;
    }
    const isSame =
      (request.limit === undefined || request.limit === there.limitBytes) &&
      (request.subjects === undefined || String([...request.subjects].sort()) === String([...there.subjects].sort()));
    if (!isSame) throw ruleExists(name);
    return name;
  }

  private requireRule(name: string): QuotaRule {
    const rule = store.findRule(this.db, name);
    if (!rule) throw ruleMissing(name);
    return rule;
  }

  private requireGroup(name: string): QuotaGroup {
    const [group] = store.groupsNamed(this.db, [name]);
    if (!group) throw groupMissing(name);
    return group;
  }
}

const ruleExists = (name: string) => new Conflict("quota.rule-exists", { field: "name", params: { name } });
const ruleMissing = (name: string) => new NotFound("quota.rule-missing", { params: { name } });
const groupMissing = (name: string) => new NotFound("quota.group-missing", { params: { name } });
