import { compileGlob } from "../../git/patterns/rule-glob.ts";
import type { BranchRule } from "./types.ts";

/** A commit status as it counts for merging: the newest of its context. */
export interface CheckState {
  readonly context: string;
  readonly state: "success" | "skipped" | "pending" | "failure" | "error" | "warning";
}

/** The state of a pull request, as far as it matters for merging. */
export interface MergeFacts {
  /** The newest status of each context on the head; undefined: they are checked later, on another commit. */
  readonly checks: readonly CheckState[] | undefined;
  /** Approvals that count: official and not dismissed, with their staleness. */
  readonly approvals: readonly { readonly isStale: boolean }[];
  /** There is an undismissed official review that requests changes. */
  readonly hasRejection: boolean;
  readonly hasOfficialRequest: boolean;
  /** The head lacks commits of the base. */
  readonly isOutdated: boolean;
  readonly changesProtectedFiles: boolean;
}

/** Why a pull request may not be merged yet, in the order checked (contract git-content.md 9.5). */
export type MergeObstacle = "checks" | "approvals" | "rejected" | "review-requested" | "outdated" | "protected-files";

/** Returns undefined if there is no obstacle. */
export function mergeObstacle(rule: BranchRule, facts: MergeFacts): MergeObstacle | undefined {
  const { settings } = rule;
  if (settings.enableStatusCheck && facts.checks && !checksPass(settings.statusCheckContexts, facts.checks))
    return "checks";
  if (countedApprovals(rule, facts).length < settings.requiredApprovals) return "approvals";
  if (settings.blockOnRejectedReviews && facts.hasRejection) return "rejected";
  if (settings.blockOnOfficialReviewRequests && facts.hasOfficialRequest) return "review-requested";
  if (settings.blockOnOutdatedBranch && facts.isOutdated) return "outdated";
  return facts.changesProtectedFiles ? "protected-files" : undefined;
}

/** The approvals the rule counts. */
export function countedApprovals({ settings }: BranchRule, { approvals }: MergeFacts): MergeFacts["approvals"] {
  return approvals.filter(({ isStale }) => !(settings.ignoreStaleApprovals && isStale));
}

/**
 * Each pattern needs at least one status, and all that match it must be good; without patterns, all statuses must be
 * good, and there must be at least one.
 */
export function checksPass(contexts: readonly string[], checks: readonly CheckState[]): boolean {
  const isGood = ({ state }: CheckState) => state === "success" || state === "skipped";
  if (contexts.length === 0) return checks.length > 0 && checks.every(isGood);
  return contexts.every((pattern) => {
    const glob = compileGlob(pattern, "");
    const matching = checks.filter(({ context }) => glob.matches(context));
    return matching.length > 0 && matching.every(isGood);
  });
}

/** Whether a required status has failed, so that waiting will not help. */
export function checksFail(contexts: readonly string[], checks: readonly CheckState[]): boolean {
  const globs = contexts.map((pattern) => compileGlob(pattern, ""));
  return checks.some(
    ({ context, state }) =>
      (state === "failure" || state === "error" || state === "warning") &&
      (globs.length === 0 || globs.some((glob) => glob.matches(context))),
  );
}
