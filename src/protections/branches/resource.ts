import { type Static, Type } from "@sinclair/typebox";
import { isGlob } from "../../git/patterns/rule-glob.ts";
import { text, texts, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { BranchProtections } from "./service.ts";
import type { BranchRule } from "./types.ts";

const people = (what: string) => texts(`Who may ${what}, if there is a list.`, "A user name.");
const teams = (what: string) => texts(`Teams that may ${what}, if there is a list.`, "A name of a team.");

export const BranchProtectionResource = Type.Object(
  {
    id: whole("Number of the rule, used to set the order."),
    branch_name: text("The branch, if the rule is not a glob; older name of rule_name."),
    rule_name: text("A branch, or a glob."),
    priority: whole("Among matching rules, the one with the lowest number decides."),
    enable_push: yesNo("Whether anyone may push."),
    enable_push_whitelist: yesNo("Whether only those listed may push."),
    push_whitelist_usernames: people("push"),
    push_whitelist_teams: teams("push"),
    push_whitelist_deploy_keys: yesNo("Whether deploy keys may push even though there is a list."),
    enable_force_push: yesNo("Whether history may be rewritten."),
    enable_force_push_allowlist: yesNo("Whether only those listed may rewrite history."),
    force_push_allowlist_usernames: people("rewrite history"),
    force_push_allowlist_teams: teams("rewrite history"),
    force_push_allowlist_deploy_keys: yesNo("Whether deploy keys may rewrite history even though there is a list."),
    enable_merge_whitelist: yesNo("Whether only those listed may merge."),
    merge_whitelist_usernames: people("merge"),
    merge_whitelist_teams: teams("merge"),
    enable_bypass_allowlist: yesNo("Whether those listed may bypass unmet conditions when merging."),
    bypass_allowlist_usernames: people("bypass unmet conditions when merging"),
    bypass_allowlist_teams: teams("bypass unmet conditions when merging"),
    enable_status_check: yesNo("Whether checks must succeed before a merge."),
    status_check_contexts: texts("The required checks; all if empty.", "A context, or a glob."),
    required_approvals: whole("How many approvals a merge needs."),
    enable_approvals_whitelist: yesNo("Whether only reviews of those listed count."),
    approvals_whitelist_username: people("approve"),
    approvals_whitelist_teams: teams("approve"),
    block_on_rejected_reviews: yesNo("Whether a review that requests changes blocks a merge."),
    block_on_official_review_requests: yesNo("Whether an outstanding review request blocks a merge."),
    block_on_outdated_branch: yesNo("Whether a head that is behind its base blocks a merge."),
    dismiss_stale_approvals: yesNo("Whether new commits dismiss approvals."),
    ignore_stale_approvals: yesNo("Whether approvals of older commits are ignored."),
    require_signed_commits: yesNo("Whether commits must be signed by a known key."),
    protected_file_patterns: text("Files that nobody may change by pushing: globs separated by ;."),
    unprotected_file_patterns: text("Files that everyone with write access may change: globs separated by ;."),
    block_admin_merge_override: yesNo("Whether administrators must also meet the merge conditions."),
    apply_to_admins: yesNo("Another name for the same setting."),
    require_merge_queue: yesNo("Whether merges go through a merge queue. Specific to Hearth."),
    created_at: time("When it was created."),
    updated_at: time("When it was last changed."),
  },
  { $id: "BranchProtection", description: "A branch protection rule." },
);
export type BranchProtectionResource = Static<typeof BranchProtectionResource>;

export function branchProtectionResource(protections: BranchProtections, rule: BranchRule): BranchProtectionResource {
  const { settings } = rule;
  const names = protections.namesOf(rule);
  return {
    id: rule.id,
    branch_name: isGlob(rule.name) ? "" : rule.name,
    rule_name: rule.name,
    priority: rule.priority,
    enable_push: settings.enablePush,
    enable_push_whitelist: settings.enablePushWhitelist,
    push_whitelist_usernames: names.users.push,
    push_whitelist_teams: names.teams.push,
    push_whitelist_deploy_keys: settings.pushWhitelistDeployKeys,
    enable_force_push: settings.enableForcePush,
    enable_force_push_allowlist: settings.enableForcePushAllowlist,
    force_push_allowlist_usernames: names.users.forcePush,
    force_push_allowlist_teams: names.teams.forcePush,
    force_push_allowlist_deploy_keys: settings.forcePushAllowlistDeployKeys,
    enable_merge_whitelist: settings.enableMergeWhitelist,
    merge_whitelist_usernames: names.users.merge,
    merge_whitelist_teams: names.teams.merge,
    enable_bypass_allowlist: settings.enableBypassAllowlist,
    bypass_allowlist_usernames: names.users.bypass,
    bypass_allowlist_teams: names.teams.bypass,
    enable_status_check: settings.enableStatusCheck,
    status_check_contexts: [...settings.statusCheckContexts],
    required_approvals: settings.requiredApprovals,
    enable_approvals_whitelist: settings.enableApprovalsWhitelist,
    approvals_whitelist_username: names.users.approvals,
    approvals_whitelist_teams: names.teams.approvals,
    block_on_rejected_reviews: settings.blockOnRejectedReviews,
    block_on_official_review_requests: settings.blockOnOfficialReviewRequests,
    block_on_outdated_branch: settings.blockOnOutdatedBranch,
    dismiss_stale_approvals: settings.dismissStaleApprovals,
    ignore_stale_approvals: settings.ignoreStaleApprovals,
    require_signed_commits: settings.requireSignedCommits,
    protected_file_patterns: settings.protectedFilePatterns,
    unprotected_file_patterns: settings.unprotectedFilePatterns,
    block_admin_merge_override: settings.blockAdminMergeOverride,
    apply_to_admins: settings.blockAdminMergeOverride,
    require_merge_queue: settings.requireMergeQueue,
    created_at: rfc3339(rule.createdAt),
    updated_at: rfc3339(rule.updatedAt),
  };
}
