import type { BranchRule, RuleEdit, RuleList, RuleSettings } from "../../src/protections/branches/types.ts";
import type { Form } from "../form-data.ts";

/** The form of a branch protection rule: the values it shows, and the edit made from it. */

/** Settings with a checkbox, by field name. */
export const ruleBoxes = {
  push_whitelist_deploy_keys: "pushWhitelistDeployKeys",
  force_push_allowlist_deploy_keys: "forcePushAllowlistDeployKeys",
  require_signed_commits: "requireSignedCommits",
  enable_bypass_allowlist: "enableBypassAllowlist",
  block_admin_merge_override: "blockAdminMergeOverride",
  block_on_outdated_branch: "blockOnOutdatedBranch",
  require_merge_queue: "requireMergeQueue",
  enable_status_check: "enableStatusCheck",
  enable_approvals_whitelist: "enableApprovalsWhitelist",
  block_on_rejected_reviews: "blockOnRejectedReviews",
  block_on_official_review_requests: "blockOnOfficialReviewRequests",
  dismiss_stale_approvals: "dismissStaleApprovals",
  ignore_stale_approvals: "ignoreStaleApprovals",
} as const satisfies Record<string, keyof RuleSettings>;
export type RuleBox = keyof typeof ruleBoxes;

/** Text fields of the form. */
export const ruleTexts = [
  "rule_name",
  "required_approvals",
  "status_check_contexts",
  "protected_file_patterns",
  "unprotected_file_patterns",
  "push_users",
  "push_teams",
  "force_push_users",
  "force_push_teams",
  "merge_users",
  "merge_teams",
  "bypass_users",
  "bypass_teams",
  "approvals_users",
  "approvals_teams",
] as const;
export type RuleText = (typeof ruleTexts)[number];

/** Choices about who may push, force-push and merge. */
export const ruleChoices = {
  push: ["nobody", "writers", "listed"],
  force_push: ["nobody", "writers", "listed"],
  merge: ["writers", "listed"],
} as const;
export type RuleChoice = keyof typeof ruleChoices;

export interface RuleFormValues {
  readonly texts: Readonly<Record<RuleText, string>>;
  readonly boxes: Readonly<Record<RuleBox, boolean>>;
  readonly choices: Readonly<Record<RuleChoice, string>>;
}

const listOf: Readonly<Record<RuleList, string>> = {
  push: "push",
  forcePush: "force_push",
  merge: "merge",
  bypass: "bypass",
  approvals: "approvals",
};

/** The form values of a rule. */
export function valuesOf(
  { name, settings }: Pick<BranchRule, "name" | "settings">,
  names: { users: Record<RuleList, string[]>; teams: Record<RuleList, string[]> },
): RuleFormValues {
  const lists = Object.entries(listOf).flatMap(([list, field]) => [
    [`${field}_users`, names.users[list as RuleList].join(", ")],
    [`${field}_teams`, names.teams[list as RuleList].join(", ")],
  ]);
  const boxes = Object.entries(ruleBoxes).map(([field, setting]) => [field, settings[setting]]);
  return {
    texts: {
      ...(Object.fromEntries(lists) as Record<RuleText, string>),
      rule_name: name,
      required_approvals: String(settings.requiredApprovals),
      status_check_contexts: settings.statusCheckContexts.join("\n"),
      protected_file_patterns: settings.protectedFilePatterns,
      unprotected_file_patterns: settings.unprotectedFilePatterns,
    },
    boxes: Object.fromEntries(boxes) as Record<RuleBox, boolean>,
    choices: {
      push: !settings.enablePush ? "nobody" : settings.enablePushWhitelist ? "listed" : "writers",
      force_push: !settings.enableForcePush ? "nobody" : settings.enableForcePushAllowlist ? "listed" : "writers",
      merge: settings.enableMergeWhitelist ? "listed" : "writers",
    },
  };
}

/** The typed values, to be shown again. */
export function typedValues(form: Form): RuleFormValues {
  const texts = ruleTexts.map((field) => [field, form.text(field).slice(0, 10_000)]);
  const boxes = Object.keys(ruleBoxes).map((field) => [field, form.checked(field)]);
  return {
    texts: Object.fromEntries(texts) as Record<RuleText, string>,
    boxes: Object.fromEntries(boxes) as Record<RuleBox, boolean>,
    choices: { push: form.text("push"), force_push: form.text("force_push"), merge: form.text("merge") },
  };
}

/** Names separated by commas or whitespace. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ""))];
}

/** The complete rule from the form: an unchecked box is off. */
export function editOf({ texts, boxes, choices }: RuleFormValues): RuleEdit {
  const settings = Object.fromEntries(
    Object.entries(ruleBoxes).map(([field, setting]) => [setting, boxes[field as RuleBox]]),
  );
  const lists = (kind: "users" | "teams") =>
    Object.fromEntries(
      Object.entries(listOf).map(([list, field]) => [list, namesIn(texts[`${field}_${kind}` as RuleText])]),
    );
  const approvals = /^\d{1,9}$/.test(texts.required_approvals) ? Number(texts.required_approvals) : 0;
  return {
    settings: {
      ...settings,
      enablePush: choices.push === "writers" || choices.push === "listed",
      enablePushWhitelist: choices.push === "listed",
      enableForcePush: choices.force_push === "writers" || choices.force_push === "listed",
      enableForcePushAllowlist: choices.force_push === "listed",
      enableMergeWhitelist: choices.merge === "listed",
      requiredApprovals: approvals,
      statusCheckContexts: texts.status_check_contexts.split("\n"),
      protectedFilePatterns: texts.protected_file_patterns,
      unprotectedFilePatterns: texts.unprotected_file_patterns,
    },
    users: lists("users"),
    teams: lists("teams"),
  };
}
