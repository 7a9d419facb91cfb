import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { RuleMembersService } from "../members.ts";
import { isTagPattern, tagMatcher } from "./patterns.ts";
import * as store from "./store.ts";
import type { TagRule, TagRuleEdit } from "./types.ts";

const MAX_RULES = 200;
const MAX_PATTERN = 255;

/** Tag rules: who may create, move and delete which tags (contract git-content.md 10.2). */
export class TagProtections {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly members: RuleMembersService,
  ) {}

  list({ repo }: SeenRepo): TagRule[] {
    return store.rulesOf(this.db, repo.id);
  }

  /** @throws NotFound missing, or another repository's */
  get(seen: SeenRepo, id: number): TagRule {
    const found = this.list(seen).find((rule) => rule.id === id);
    if (!found) throw new NotFound();
    return found;
  }

  /** Returns whether the principal may change a tag: if no rule matches it, or a matching one lists them. */
  permission(seen: SeenRepo): (tag: string) => boolean {
    if (seen.principal.via === "operator") return () => true;
    const rules = this.list(seen).map((rule) => ({
      // A pattern that has become invalid protects nothing, rather than failing every push.
      matches: tagMatcher(rule.pattern) ?? (() => false),
      lists: this.members.isListed(seen, rule.users, rule.teams),
    }));
    return (tag) => {
      const matching = rules.filter(({ matches }) => matches(tag));
      return matching.length === 0 || matching.some(({ lists }) => lists);
    };
  }

  /**
   * @throws BadRequest no pattern or no members; Forbidden the pattern already has a rule; ValidationFailed a bad value
   * or name
   */
  create(seen: SeenRepo, edit: TagRuleEdit): TagRule {
    const pattern = edit.pattern?.trim() ?? "";
    if (pattern === "") throw new BadRequest("protection.tag-pattern-missing", { field: "name_pattern" });
    const [users, teams] = [edit.users ?? [], edit.teams ?? []];
    if (users.length === 0 && teams.length === 0) throw new BadRequest("protection.tag-lists-empty");
    checkPattern(pattern);
    const now = this.clock();
    return this.db.transaction(() => {
      const present = this.list(seen);
      if (present.some((rule) => rule.pattern === pattern)) throw new Forbidden("protection.tag-exists");
      if (present.length >= MAX_RULES)
        throw new ValidationFailed("protection.too-many", { params: { max: MAX_RULES } });
      const id = store.insertRule(this.db, {
        repoId: seen.repo.id,
        pattern,
        users: this.usersNamed(seen, users),
        teams: this.members.teamsNamed(seen, teams, "whitelist_teams"),
        createdAt: now,
        updatedAt: now,
      });
      this.tell(seen, pattern);
      return this.get(seen, id);
    });
  }

  /** @throws NotFound; Forbidden another rule has the pattern; ValidationFailed a bad value or name */
  edit(seen: SeenRepo, id: number, edit: TagRuleEdit): TagRule {
    return this.db.transaction(() => {
      const before = this.get(seen, id);
      const pattern = edit.pattern?.trim() || before.pattern;
      checkPattern(pattern);
      if (this.list(seen).some((rule) => rule.id !== id && rule.pattern === pattern))
        throw new Forbidden("protection.tag-exists");
      store.updateRule(this.db, {
        ...before,
        pattern,
        users: edit.users ? this.usersNamed(seen, edit.users) : before.users,
        teams: edit.teams ? this.members.teamsNamed(seen, edit.teams, "whitelist_teams") : before.teams,
        updatedAt: this.clock(),
      });
      this.tell(seen, pattern);
      return this.get(seen, id);
    });
  }

  /** @throws NotFound */
  remove(seen: SeenRepo, id: number): void {
    this.db.transaction(() => {
      const rule = this.get(seen, id);
      store.deleteRule(this.db, rule.id);
      this.tell(seen, rule.pattern);
    });
  }

  /** Removes someone who left the repository from all its lists. Joins the running transaction. */
  forget(repoId: number, kind: "user" | "team", id: number): void {
    store.removeMember(this.db, repoId, kind, id);
  }

  /** Removes all teams after a change of owner. Joins the running transaction. */
  forgetTeams(repoId: number): void {
    store.removeTeams(this.db, repoId);
  }

  namesOf(rule: TagRule): { users: string[]; teams: string[] } {
    return { users: this.members.userNames(rule.users), teams: this.members.teamNames(rule.teams) };
  }

  private tell({ repo, owner, principal }: SeenRepo, pattern: string): void {
    const about = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal), unit: "code" } as const;
    this.outbox.append("tag-protections.changed", about, { pattern });
  }

  private usersNamed(seen: SeenRepo, names: readonly string[]): number[] {
    return this.members.usersNamed(seen, names, "whitelist_usernames", "code", "read");
  }
}

function checkPattern(pattern: string): void {
  const about = { field: "name_pattern", params: { name: "NamePattern", pattern } };
  if (pattern.length > MAX_PATTERN) throw new ValidationFailed("value.too-long", about);
  if (!isTagPattern(pattern)) throw new ValidationFailed("protection.tag-bad-pattern", about);
}
