import { atLeast } from "../../access/levels.ts";
import type { Fact, PathQuery } from "../../git/inspect/facts.ts";
import { isGlob } from "../../git/patterns/rule-glob.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { type Failure, Forbidden } from "../../kernel/errors.ts";
import { perSeen } from "../../repos/rules/per-seen.ts";
import type { KnownFacts, ProposedChange, PushRule, Refusal, RuleNeeds } from "../../repos/rules/types.ts";
import { filePatterns } from "./match.ts";
import type { BranchProtections } from "./service.ts";
import type { BranchRule } from "./types.ts";

const PROTECTED = "protected files";
const UNPROTECTED = "unprotected files";

/** The branch rules as a push rule, applied to pushes, edits and pages (contract git-content.md 13.2). */
export function branchRule(protections: BranchProtections): PushRule {
  const finder = perSeen((seen) => protections.finder(seen));
  const ruleOf = ({ seen, name }: ProposedChange): BranchRule | undefined =>
    name.startsWith(BRANCHES) ? finder(seen)(name.slice(BRANCHES.length)) : undefined;
  return {
    name: "branch protection",
    needs: (change) => {
      const rule = ruleOf(change);
      return rule && needsOf(change, rule, protections.permissions.mayPush(change.seen, rule));
    },
    judge: (change, facts) => {
      const rule = ruleOf(change);
      const failure = rule && failureOf(protections, change, rule, facts);
      return failure && ({ failure } satisfies Refusal);
    },
  };
}

function needsOf(change: ProposedChange, { settings }: BranchRule, mayPush: boolean): RuleNeeds {
  if (change.newOid === null || change.via === "rename") return { facts: [] };
  const facts: Fact[] = change.oldOid === null ? [] : ["forced"];
  if (settings.requireSignedCommits) facts.push("commits");
  const pathQueries: PathQuery[] = [];
  const ask = (key: string, text: string) => {
    const globs = filePatterns(text);
    if (globs.length > 0) pathQueries.push({ key, globs });
  };
  if (change.via !== "merge") ask(PROTECTED, settings.protectedFilePatterns);
  if (!mayPush) ask(UNPROTECTED, settings.unprotectedFilePatterns);
  return { facts, pathQueries, ...(settings.requireSignedCommits ? { signatures: true } : {}) };
}

/** The first violation. */
function failureOf(
  { permissions }: BranchProtections,
  change: ProposedChange,
  rule: BranchRule,
  facts: KnownFacts,
): Failure | undefined {
  const { seen, via } = change;
  const { settings } = rule;
  const branch = change.name.slice(BRANCHES.length);
  const refuse = (code: string, params: Record<string, string> = {}) =>
    new Forbidden(code, { params: { branch, ...params } });
  const mayPush = permissions.mayPush(seen, rule);
  if (via === "rename") return renameFailure(change, rule, mayPush);
  if (change.newOid === null)
    return refuse(via === "ref" ? "protection.branch-protected" : "protection.deletion-refused");
  const isForced = facts.isForced === true;
  if (isForced && !settings.enableForcePush) return refuse("protection.force-refused");
  if (settings.requireSignedCommits) {
    const unsigned = facts.commits?.find(({ oid }) => !facts.verified?.has(oid));
    if (unsigned) return refuse("protection.unverified-commit", { commit: unsigned.oid });
  }
  const file = via === "merge" ? undefined : facts.pathMatches?.[PROTECTED]?.matching;
  if (file !== undefined)
    return refuse(via === "edit" ? "protection.path-refused" : "protection.file-refused", { path: file });
  if (isForced ? permissions.mayForcePush(seen, rule) : mayPush) return undefined;
  const open = facts.pathMatches?.[UNPROTECTED];
  if (open && open.matching !== undefined && open.other === undefined) return undefined;
  if (via === "merge" && !isForced && permissions.mayMerge(seen, rule)) return undefined;
  if (isForced) return refuse("protection.force-push-refused");
  return via === "edit"
    ? refuse("protection.edit-refused", { user: seen.principal.user?.login ?? "" })
    : refuse("protection.push-refused");
}

/**
 * Renaming a branch away from a rule with exactly its name requires an administrator, away from a glob is never
 * allowed, and renaming into a rule requires push permission.
 */
function renameFailure({ seen, newOid }: ProposedChange, rule: BranchRule, mayPush: boolean): Failure | undefined {
  if (newOid !== null) return mayPush ? undefined : new Forbidden("protection.rename-refused");
  if (isGlob(rule.name)) return new Forbidden("protection.rename-refused");
  return atLeast(seen.access.level, "admin") ? undefined : new Forbidden("protection.rename-needs-admin");
}
