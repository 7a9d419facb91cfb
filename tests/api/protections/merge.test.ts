import { expect, test } from "bun:test";
import {
  type CheckState,
  checksPass,
  type MergeFacts,
  mergeObstacle,
} from "../../../src/protections/branches/merge.ts";
import { type BranchRule, defaultRuleSettings, type RuleSettings } from "../../../src/protections/branches/types.ts";

const check = (context: string, state: CheckState["state"]): CheckState => ({ context, state });

test.each<[contexts: string[], checks: CheckState[], passes: boolean]>([
  [[], [], false],
  [[], [check("a", "success"), check("b", "skipped")], true],
  [[], [check("a", "success"), check("b", "pending")], false],
  [["ci/*"], [check("other", "success")], false],
  [["ci/*"], [check("ci/a/b", "success"), check("other", "failure")], true],
  [["ci/*"], [check("ci/a", "success"), check("ci/b", "warning")], false],
  [["ci/a", "ci/b"], [check("ci/a", "success")], false],
])("contexts %p with %p pass: %p", (contexts, checks, passes) => {
  expect(checksPass(contexts, checks)).toBe(passes);
});

const fine: MergeFacts = {
  checks: [check("ci", "success")],
  approvals: [{ isStale: false }],
  hasRejection: false,
  hasOfficialRequest: false,
  isOutdated: false,
  changesProtectedFiles: false,
};
const bad: MergeFacts = {
  checks: [],
  approvals: [{ isStale: true }],
  hasRejection: true,
  hasOfficialRequest: true,
  isOutdated: true,
  changesProtectedFiles: true,
};

test("the first thing that stands in the way is named, in the contract's order", () => {
  const steps: [Partial<RuleSettings>, string][] = [
    [{ enableStatusCheck: true }, "checks"],
    [{ requiredApprovals: 1, ignoreStaleApprovals: true }, "approvals"],
    [{ blockOnRejectedReviews: true }, "rejected"],
    [{ blockOnOfficialReviewRequests: true }, "review-requested"],
    [{ blockOnOutdatedBranch: true }, "outdated"],
    [{}, "protected-files"],
  ];
  for (let from = 0; from < steps.length; from++) {
    const settings = Object.assign({}, defaultRuleSettings, ...steps.slice(from).map(([part]) => part)) as RuleSettings;
    const rule: BranchRule = {
      ...{ id: 1, repoId: 1, name: "main", priority: 1, users: {}, teams: {}, createdAt: 0, updatedAt: 0 },
      settings,
    };
    expect(mergeObstacle(rule, bad)).toBe(steps[from]?.[1] as never);
    expect(mergeObstacle(rule, fine)).toBeUndefined();
  }
});
