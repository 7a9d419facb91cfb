import { atLeast } from "../../access/levels.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { isGlob } from "../../git/patterns/rule-glob.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { RuleMembersService } from "../members.ts";
import { inOrder, ruleFinder } from "./match.ts";
import { countedApprovals, type MergeFacts, type MergeObstacle, mergeObstacle } from "./merge.ts";
import { RulePermissions } from "./permissions.ts";
import * as store from "./store.ts";
import {
  type BranchRule,
  defaultRuleSettings,
  type RuleEdit,
  type RuleList,
  type RuleMembers,
  type RuleSettings,
  ruleLists,
} from "./types.ts";
import { checkRuleName, checkSettings } from "./values.ts";

/** Every push evaluates them all. */
const MAX_RULES = 200;

/** What the rules allow the principal on a branch. */
export interface BranchState {
  readonly rule: BranchRule | undefined;
  readonly mayPush: boolean;
  readonly mayMerge: boolean;
  /** By the pages and routes for branches. */
  readonly mayDelete: boolean;
  readonly mayRename: boolean;
}

/** What a rule decides about a merge. */
export interface MergeDecision {
  /** Whether the principal may merge at all. */
  readonly mayMerge: boolean;
  readonly obstacle: MergeObstacle | undefined;
  /** Whether they may merge despite the obstacle. */
  readonly mayBypass: boolean;
  /** How many approvals count, and how many are required. */
  readonly approvals: { readonly given: number; readonly needed: number };
}

/** Branch rules: who may push, force-push, delete and merge where (contract git-content.md 9). */
export class BranchProtections {
  readonly permissions: RulePermissions;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly members: RuleMembersService,
  ) {
    this.permissions = new RulePermissions(members);
  }

  /** In order of precedence. */
  list({ repo }: SeenRepo): BranchRule[] {
    return inOrder(store.rulesOf(this.db, repo.id));
  }

  /** @throws NotFound */
  get(seen: SeenRepo, name: string): BranchRule {
    const found = this.list(seen).find((rule) => rule.name === name);
    if (!found) throw new NotFound();
    return found;
  }

  /** The rule that applies to a branch, which need not exist. */
  ruleOf(seen: SeenRepo, branch: string): BranchRule | undefined {
    return this.finder(seen)(branch);
  }

  /** The same for many branches. */
  finder({ repo }: SeenRepo): (branch: string) => BranchRule | undefined {
    return ruleFinder(store.rulesOf(this.db, repo.id));
  }

  /** What the rules allow on some branches, in the order given. */
  statesOf(seen: SeenRepo, branches: readonly string[]): BranchState[] {
    const find = this.finder(seen);
    const mayWrite = atLeast(seen.access.on("code"), "write");
    const isAdmin = atLeast(seen.access.level, "admin");
    return branches.map((branch): BranchState => {
      const rule = find(branch);
      if (!rule) return { rule, mayPush: mayWrite, mayMerge: mayWrite, mayDelete: mayWrite, mayRename: mayWrite };
      return {
        rule,
        mayPush: this.permissions.mayPush(seen, rule),
        mayMerge: this.permissions.mayMerge(seen, rule),
        mayDelete: false,
        mayRename: mayWrite && isAdmin && !isGlob(rule.name),
      };
    });
  }

  /** Whether the branch's rule requires merges to go through the merge queue. */
  wantsQueue(seen: SeenRepo, branch: string): boolean {
    return this.ruleOf(seen, branch)?.settings.requireMergeQueue === true;
  }

  /** Applies the base branch's rule to a merge; without a rule, everyone with write access may merge. */
  decideMerge(seen: SeenRepo, branch: string, facts: MergeFacts): MergeDecision {
    const rule = this.ruleOf(seen, branch);
    if (!rule) {
      const mayMerge = atLeast(seen.access.on("code"), "write");
      return { mayMerge, obstacle: undefined, mayBypass: false, approvals: { given: 0, needed: 0 } };
    }
    return {
      approvals: { given: countedApprovals(rule, facts).length, needed: rule.settings.requiredApprovals },
      mayMerge: this.permissions.mayMerge(seen, rule),
      obstacle: mergeObstacle(rule, facts),
      mayBypass: this.permissions.mayBypass(seen, rule),
    };
  }

  /** @throws BadRequest no name; Forbidden the name is taken; ValidationFailed a bad value, an unknown name */
  create(seen: SeenRepo, name: string, edit: RuleEdit): BranchRule {
    if (name === "") throw new BadRequest("protection.name-missing");
    checkRuleName(name);
    const now = this.clock();
    const settings = checkSettings(
      underParents(
        { ...defaultRuleSettings, ...given(edit.settings), requiredApprovals: approvalsOf(edit) ?? 0 },
        true,
      ),
    );
    return this.db.transaction(() => {
      if (this.list(seen).some((rule) => rule.name === name)) throw new Forbidden("protection.exists");
      if (store.countRules(this.db, seen.repo.id) >= MAX_RULES)
        throw new ValidationFailed("protection.too-many", { params: { max: MAX_RULES } });
      store.insertRule(this.db, {
        repoId: seen.repo.id,
        name,
        priority: edit.priority,
        settings,
        users: this.usersOf(seen, edit, settings, {}),
        teams: this.teamsOf(seen, edit, settings, {}),
        createdAt: now,
        updatedAt: now,
      });
      this.tell(seen, name);
      return this.get(seen, name);
    });
  }

  /** @throws NotFound; ValidationFailed a bad value, an unknown name */
  edit(seen: SeenRepo, name: string, edit: RuleEdit): BranchRule {
    return this.db.transaction(() => {
      const before = this.get(seen, name);
      const merged = { ...before.settings, ...given(edit.settings) };
      const requiredApprovals = approvalsOf(edit) ?? before.settings.requiredApprovals;
      const settings = checkSettings(underParents({ ...merged, requiredApprovals }, false));
      store.updateRule(this.db, {
        ...before,
        priority: edit.priority ?? before.priority,
        settings,
        users: this.usersOf(seen, edit, settings, before.users),
        teams: this.teamsOf(seen, edit, settings, before.teams),
        updatedAt: this.clock(),
      });
      this.tell(seen, name);
      return this.get(seen, name);
    });
  }

  /** @throws NotFound */
  remove(seen: SeenRepo, name: string): void {
    this.db.transaction(() => {
      store.deleteRule(this.db, this.get(seen, name).id);
      this.tell(seen, name);
    });
  }

  /**
   * Copies a template's rules to a new repository; their lists keep only those with write access to it. Joins the
   * running transaction.
   */
  copy(template: SeenRepo, made: SeenRepo): void {
    const now = this.clock();
    for (const rule of this.list(template)) {
      store.insertRule(this.db, {
        ...rule,
        repoId: made.repo.id,
        users: eachList(rule.users, (ids) => this.members.writersAmong(made, ids)),
        teams: eachList(rule.teams, (ids) => this.members.teamsAmong(made, ids)),
        createdAt: now,
        updatedAt: now,
      });
      this.tell(made, rule.name);
    }
  }

  /** Gives the rules with these ids the priorities 1, 2, 3 in that order; others keep theirs. */
  reorder(seen: SeenRepo, ids: readonly number[]): void {
    if (ids.length > MAX_RULES) throw new ValidationFailed("value.too-long", { field: "ids", params: { name: "Ids" } });
    if (ids.length === 0) return;
    this.db.transaction(() => {
      for (const [at, id] of ids.entries()) store.setPriority(this.db, seen.repo.id, id, at + 1);
      this.tell(seen, "");
    });
  }

  /** Renames the rule with exactly that name along with its branch. Joins the running transaction. */
  followBranch(repoId: number, from: string, to: string): void {
    const rules = store.rulesOf(this.db, repoId);
    const rule = rules.find(({ name }) => !isGlob(name) && name.toLowerCase() === from.toLowerCase());
    if (!rule || isGlob(to) || rules.some(({ name }) => name === to)) return;
    store.updateRule(this.db, { ...rule, name: to, updatedAt: this.clock() });
  }

  /** Removes someone who left the repository from all its lists. Joins the running transaction. */
  forget(repoId: number, kind: "user" | "team", id: number): void {
    store.removeMember(this.db, repoId, kind, id);
  }

  /** Removes all teams after a change of owner. Joins the running transaction. */
  forgetTeams(repoId: number): void {
    store.removeTeams(this.db, repoId);
  }

  /** Names of a rule's people and teams, by list. */
  namesOf(rule: BranchRule): { users: Record<RuleList, string[]>; teams: Record<RuleList, string[]> } {
    const names = (members: RuleMembers, nameAll: (ids: readonly number[]) => string[]) =>
      Object.fromEntries(ruleLists.map((list) => [list, nameAll(members[list] ?? [])])) as Record<RuleList, string[]>;
    return {
      users: names(rule.users, (ids) => this.members.userNames(ids)),
      teams: names(rule.teams, (ids) => this.members.teamNames(ids)),
    };
  }

  private usersOf(seen: SeenRepo, edit: RuleEdit, settings: RuleSettings, before: RuleMembers): RuleMembers {
    return replaced(edit.users, settings, before, (names, list) => {
      const [unit, level] = list === "approvals" ? (["pulls", "read"] as const) : (["code", "write"] as const);
      return this.members.usersNamed(seen, names, `${list}_usernames`, unit, level);
    });
  }

  private teamsOf(seen: SeenRepo, edit: RuleEdit, settings: RuleSettings, before: RuleMembers): RuleMembers {
    return replaced(edit.teams, settings, before, (names, list) =>
      this.members.teamsNamed(seen, names, `${list}_teams`),
    );
  }

  private tell({ repo, owner, principal }: SeenRepo, name: string): void {
    const about = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal), unit: "code" } as const;
    this.outbox.append("branch-protections.changed", about, { name });
  }
}

function eachList(members: RuleMembers, keep: (ids: readonly number[]) => number[]): RuleMembers {
  return Object.fromEntries(Object.entries(members).map(([list, ids]) => [list, keep(ids)]));
}

/** Given lists replace existing ones; the bypass list only while it is enabled. */
function replaced(
  edit: RuleEdit["users"],
  { enableBypassAllowlist }: RuleSettings,
  before: RuleMembers,
  resolve: (names: readonly string[], list: RuleList) => number[],
): RuleMembers {
  const members: Partial<Record<RuleList, readonly number[]>> = { ...before };
  for (const list of ruleLists) {
    const names = edit[list];
    if (names && (list !== "bypass" || enableBypassAllowlist)) members[list] = resolve(names, list);
  }
  return members;
}

function given(settings: RuleEdit["settings"]): Partial<RuleSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Negative numbers are ignored. */
function approvalsOf({ settings: { requiredApprovals } }: RuleEdit): number | undefined {
  return requiredApprovals !== undefined && requiredApprovals >= 0 ? requiredApprovals : undefined;
}

/**
 * A switch is on only if its parent switches are. An edit that disables pushing keeps the force-push settings, without
 * effect.
 */
function underParents(settings: RuleSettings, isNew: boolean): RuleSettings {
  const enablePushWhitelist = settings.enablePush && settings.enablePushWhitelist;
  const enableForcePush = settings.enableForcePush && (settings.enablePush || !isNew);
  const enableForcePushAllowlist = enableForcePush && settings.enableForcePushAllowlist;
  return {
    ...settings,
    enablePushWhitelist,
    pushWhitelistDeployKeys: enablePushWhitelist && settings.pushWhitelistDeployKeys,
    enableForcePush,
    enableForcePushAllowlist,
    forcePushAllowlistDeployKeys: enableForcePushAllowlist && settings.forcePushAllowlistDeployKeys,
  };
}
