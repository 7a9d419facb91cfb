import { type Static, Type } from "@sinclair/typebox";
import { isGlob } from "../../git/patterns/rule-glob.ts";
import { text, texts, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { BranchProtections } from "./service.ts";
import type { BranchRule } from "./types.ts";

const people = (what: string) => texts(`Who may ${what}, where there is a list.`, "A user name.");
const teams = (what: string) => texts(`Teams that may ${what}, where there is a list.`, "A name of a team.");

export const BranchProtectionResource = Type.Object(
  {
    id: whole("Number of the rule, as the order of rules takes it."),
    branch_name: text("The branch, of a rule that is no glob; older name of the next field."),
    rule_name: text("A branch, or a glob."),
    priority: whole("Of the rules that match, the one with the smallest priority decides."),
    enable_push: yesNo("Whether anyone may push."),
    enable_push_whitelist: yesNo("Whether only those listed may push."),
    push_whitelist_usernames: people("push"),
    push_whitelist_teams: teams("push"),
    push_whitelist_deploy_keys: yesNo("Whether deploy keys may push although there is a list."),
    enable_force_push: yesNo("Whether history may be rewritten."),
    enable_force_push_allowlist: yesNo("Whether only those listed may rewrite history."),
    force_push_allowlist_usernames: people("rewrite history"),
    force_push_allowlist_teams: teams("rewrite history"),
    force_push_allowlist_deploy_keys: yesNo("Whether deploy keys may rewrite history although there is a list."),
    enable_merge_whitelist: yesNo("Whether only those listed may merge."),
    merge_whitelist_usernames: people("merge"),
    merge_whitelist_teams: teams("merge"),
    enable_bypass_allowlist: yesNo("Whether those listed may merge in spite of unmet conditions."),
    bypass_allowlist_usernames: people("merge in spite of unmet conditions"),
    bypass_allowlist_teams: teams("merge in spite of unmet conditions"),
    enable_status_check: yesNo("Whether checks must succeed before a merge."),
    status_check_contexts: texts("Which checks; all there are when empty.", "A context, or a glob."),
    required_approvals: whole("How many approvals a merge needs."),
    enable_approvals_whitelist: yesNo("Whether only reviews of those listed count."),
    approvals_whitelist_username: people("approve"),
    approvals_whitelist_teams: teams("approve"),
    block_on_rejected_reviews: yesNo("Whether a review that asks for changes blocks a merge."),
    block_on_official_review_requests: yesNo("Whether a requested review that is missing blocks a merge."),
    block_on_outdated_branch: yesNo("Whether a head that lacks commits of the base blocks a merge."),
    dismiss_stale_approvals: yesNo("Whether new commits dismiss approvals."),
    ignore_stale_approvals: yesNo("Whether approvals of older commits do not count."),
    require_signed_commits: yesNo("Whether commits must be signed by a known key."),
    protected_file_patterns: text("Files that nobody may change by pushing: globs with ; between them."),
    unprotected_file_patterns: text("Files that everyone who may write may change: globs with ; between them."),
    block_admin_merge_override: yesNo("Whether administrators, too, must meet the conditions of a merge."),
    apply_to_admins: yesNo("The same under another name."),
    require_merge_queue: yesNo("Whether merges wait for their turn in a queue. An addition of Hearth."),
    created_at: time("When it was made."),
    updated_at: time("When it was last changed."),
  },
  { $id: "BranchProtection", description: "A rule that says who may change which branches." },
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
