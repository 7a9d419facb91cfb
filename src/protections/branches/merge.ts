import { compileGlob } from "../../git/patterns/rule-glob.ts";
import type { BranchRule } from "./types.ts";

/** A commit status as it counts for merging: the newest of its context. */
export interface CheckState {
  readonly context: string;
  readonly state: "success" | "skipped" | "pending" | "failure" | "error" | "warning";
}

/** What a pull request has to show for itself. */
export interface MergeFacts {
  /** The newest status of each context on the head; undefined: they are asked for later, of another commit. */
  readonly checks: readonly CheckState[] | undefined;
  /** Approvals that count: official, not dismissed; with their staleness. */
  readonly approvals: readonly { readonly isStale: boolean }[];
  /** An official review that asks for changes and is not dismissed. */
  readonly hasRejection: boolean;
  readonly hasOfficialRequest: boolean;
  /** The head lacks commits of the base. */
  readonly isOutdated: boolean;
  readonly changesProtectedFiles: boolean;
}

/** Why a pull request may not be merged yet, in the order it is asked (contract git-content.md 9.5). */
export type MergeObstacle = "checks" | "approvals" | "rejected" | "review-requested" | "outdated" | "protected-files";

/** undefined: nothing stands in the way. */
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

/** The approvals that the rule counts. */
export function countedApprovals({ settings }: BranchRule, { approvals }: MergeFacts): MergeFacts["approvals"] {
  return approvals.filter(({ isStale }) => !(settings.ignoreStaleApprovals && isStale));
}

/** Each pattern needs a status, and all that match one must be good; without patterns all there are, and at least one. */
export function checksPass(contexts: readonly string[], checks: readonly CheckState[]): boolean {
  const isGood = ({ state }: CheckState) => state === "success" || state === "skipped";
  if (contexts.length === 0) return checks.length > 0 && checks.every(isGood);
  return contexts.every((pattern) => {
    const glob = compileGlob(pattern, "");
    const matching = checks.filter(({ context }) => glob.matches(context));
    return matching.length > 0 && matching.every(isGood);
  });
}

/** One of those that must be good is bad: waiting will not help. */
export function checksFail(contexts: readonly string[], checks: readonly CheckState[]): boolean {
  const globs = contexts.map((pattern) => compileGlob(pattern, ""));
  return checks.some(
    ({ context, state }) =>
      (state === "failure" || state === "error" || state === "warning") &&
      (globs.length === 0 || globs.some((glob) => glob.matches(context))),
  );
}
