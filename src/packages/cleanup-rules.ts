import { atLeast } from "../access/levels.ts";
import { operator } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import { JobTimedOut, type WorkerPool } from "../workers/pool.ts";
import type { Lane } from "../workers/task.ts";
import { type CleanupRule, type CleanupRuleValues, keepCounts, MAX_PATTERN, removeDays } from "./cleanup-rule-types.ts";
import * as store from "./cleanup-rules-store.ts";
import type { PackageService } from "./service.ts";
import type { PackageVersion, SeenPackages } from "./types.ts";

const DAY_MS = 24 * 3_600_000;
/** Versions processed together, and deleted in one transaction. */
const BATCH = 50;
const PACKAGES = 100;
const RULES = 100;
const MATCH_TIMEOUT_MS = 10_000;

export interface CleanupRuleParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly log: Log;
  readonly packages: PackageService;
  readonly pool: WorkerPool;
}

/** Versions of one package that a rule would delete, and the range they were found in. */
interface Going {
  readonly range: store.VersionRange;
  readonly versions: readonly PackageVersion[];
}

/**
 * Rules that delete old versions, one per type of an account's packages, managed by its owners only
 * (contract packages.md 8).
 */
export class PackageCleanupRules {
  constructor(private readonly parts: CleanupRuleParts) {}

  /** @throws Forbidden */
  list(seen: SeenPackages): CleanupRule[] {
    requireOwner(seen);
    return store.rulesOf(this.parts.db, seen.owner.id);
  }

  /** @throws NotFound, Forbidden */
  get(seen: SeenPackages, id: number): CleanupRule {
    requireOwner(seen);
    const rule = store.findRule(this.parts.db, seen.owner.id, id);
    if (!rule) throw new NotFound("packages.cleanup-rule-missing");
    return rule;
  }

  /** @throws ValidationFailed, Forbidden */
  async create(seen: SeenPackages, values: CleanupRuleValues): Promise<CleanupRule> {
    const { clock, db } = this.parts;
    requireOwner(seen);
    await this.check(values);
    const id = db.transaction(() => store.insertRule(db, seen.owner.id, values, clock()));
    if (id === undefined) throw ruleExists();
    return { ...values, id, ownerId: seen.owner.id };
  }

  /** @throws NotFound, ValidationFailed, Forbidden */
  async edit(seen: SeenPackages, id: number, values: CleanupRuleValues): Promise<void> {
    const { clock, db } = this.parts;
    this.get(seen, id);
    await this.check(values);
    db.transaction(() => {
      this.get(seen, id);
      if (!store.updateRule(db, id, values, clock())) throw ruleExists();
    });
  }

  /** @throws NotFound, Forbidden */
  delete(seen: SeenPackages, id: number): void {
    const { db } = this.parts;
    requireOwner(seen);
    if (!db.transaction(() => store.deleteRule(db, seen.owner.id, id)))
      throw new NotFound("packages.cleanup-rule-missing");
  }

  /**
   * What the rule would delete now if it were enabled, and whether there is more.
   * @throws NotFound, Forbidden, ValidationFailed
   */
  async preview(
    seen: SeenPackages,
    id: number,
    limit: number,
  ): Promise<{ readonly versions: readonly PackageVersion[]; readonly isMore: boolean }> {
    const found: PackageVersion[] = [];
    for await (const { versions } of this.going(this.get(seen, id), "interactive")) {
      found.push(...versions);
      if (found.length > limit) break;
    }
    return { versions: found.slice(0, limit), isMore: found.length > limit };
  }

  /** Runs all enabled rules. */
  async run(signal: AbortSignal): Promise<void> {
    const { db, identity, log } = this.parts;
    for (let after = 0; ; ) {
      const rules = store.enabledRules(db, after, RULES);
      const owners = identity.byIds(rules.map(({ ownerId }) => ownerId));
      for (const rule of rules) {
        const owner = owners.get(rule.ownerId);
        if (!owner) continue;
        try {
          await this.apply({ principal: operator, owner, level: "owner", challenges: false }, rule, signal);
        } catch (error) {
          if (!(error instanceof ValidationFailed)) throw error;
          log.warn("a cleanup rule of packages could not be applied", { rule: rule.id, code: error.code });
        }
      }
      const last = rules.at(-1);
      if (!last || rules.length < RULES) return;
      after = last.id;
    }
  }

  private async apply(seen: SeenPackages, rule: CleanupRule, signal: AbortSignal): Promise<void> {
    const { db, packages } = this.parts;
    for await (const { range, versions } of this.going(rule, "bulk", signal)) {
      db.transaction(() => {
        // Since they were found, something may have been published, or may now list one of them.
        const still = new Set(store.removableVersions(db, range).map(({ id }) => id));
        packages.deleteWherePossible(
          seen,
          versions.filter(({ id }) => still.has(id)),
        );
      });
      await nextTurn();
    }
  }

  /** Package by package, a batch of versions at a time. */
  private async *going(rule: CleanupRule, lane: Lane, signal?: AbortSignal): AsyncGenerator<Going> {
    const { clock, db } = this.parts;
    const before = clock() - rule.removeDays * DAY_MS;
    for (let afterName = ""; ; await nextTurn()) {
      const packages = store.packagesAfter(db, rule, afterName, PACKAGES);
      for (const { id: packageId } of packages)
        for (let after: PackageVersion | undefined; ; ) {
          signal?.throwIfAborted();
          const range = { packageId, keepCount: rule.keepCount, before, after, limit: BATCH };
          const found = store.removableVersions(db, range);
          const versions = await this.matching(rule, found, lane);
          if (versions.length > 0) yield { range, versions };
          after = found.at(-1);
          if (found.length < BATCH) break;
        }
      const last = packages.at(-1);
      if (!last || packages.length < PACKAGES) return;
      afterName = last.name.toLowerCase();
    }
  }

  /** The versions whose names the patterns let go. @throws ValidationFailed */
  private async matching(
    { keepPattern, matchFullName, removePattern }: CleanupRuleValues,
    versions: readonly PackageVersion[],
    lane: Lane,
  ): Promise<readonly PackageVersion[]> {
    if (versions.length === 0 || (keepPattern === "" && removePattern === "")) return versions;
    const subjects = versions.map(({ package: { name }, version }) =>
      (matchFullName ? `${name}/${version}` : version).toLowerCase(),
    );
    const goes = await this.match({ keepPattern, removePattern }, subjects, lane);
    return versions.filter((_, at) => goes[at]);
  }

  /** Runs in a worker: even linear time is long for long input. @throws ValidationFailed */
  private async match(
    patterns: Pick<CleanupRuleValues, "keepPattern" | "removePattern">,
    subjects: readonly string[],
    lane: Lane,
  ): Promise<readonly boolean[]> {
    const input = { keepPattern: patterns.keepPattern, removePattern: patterns.removePattern, subjects };
    const result = await this.parts.pool
      .run("packages.cleanupMatch", input, { lane, timeoutMs: MATCH_TIMEOUT_MS })
      .catch((error) => {
        if (error instanceof JobTimedOut) throw new ValidationFailed("packages.cleanup-slow-pattern");
        throw error;
      });
    if ("goes" in result) return result.goes;
    const { field, name } = patternFields[result.bad];
    throw new ValidationFailed("packages.cleanup-bad-pattern", { field, params: { name } });
  }

  /** @throws ValidationFailed */
  private async check(values: CleanupRuleValues): Promise<void> {
    if (!keepCounts.includes(values.keepCount)) throw badValue("keep_count", "KeepCount");
    if (!removeDays.includes(values.removeDays)) throw badValue("remove_days", "RemoveDays");
    for (const key of ["keepPattern", "removePattern"] as const)
      if (values[key].length > MAX_PATTERN)
        throw new ValidationFailed("value.too-long", {
          field: patternFields[key].field,
          params: { name: patternFields[key].name, max: MAX_PATTERN },
        });
    await this.match(values, [], "interactive");
  }
}

const patternFields = {
  keepPattern: { field: "keep_pattern", name: "KeepPattern" },
  removePattern: { field: "remove_pattern", name: "RemovePattern" },
} as const;

const badValue = (field: string, name: string) =>
  new ValidationFailed("packages.cleanup-bad-value", { field, params: { name } });
const ruleExists = () => new ValidationFailed("packages.cleanup-rule-exists", { field: "type" });

/** @throws Forbidden */
function requireOwner({ level }: SeenPackages): void {
  if (!atLeast(level, "owner")) throw new Forbidden("packages.api-needs-access");
}
