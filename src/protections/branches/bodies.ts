import { type Static, Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../../http/fields.ts";
import type { RuleEdit } from "./types.ts";

/** Request bodies for creating and editing branch rules (contract git-content.md 9.2). */

const maybeNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ description: "A name." }), { description }));
const maybeWhole = (description: string) => Type.Optional(Type.Integer({ description }));

const fields = {
  priority: maybeWhole("Among matching rules, the one with the lowest number decides."),
  enable_push: maybeYesNo("Let people push."),
  enable_push_whitelist: maybeYesNo("Let only those listed push."),
  push_whitelist_usernames: maybeNames("Who may push; accounts without write access are left out."),
  push_whitelist_teams: maybeNames("Teams that may push."),
  push_whitelist_deploy_keys: maybeYesNo("Let deploy keys push even though there is a list."),
  enable_force_push: maybeYesNo("Let history be rewritten."),
  enable_force_push_allowlist: maybeYesNo("Let only those listed rewrite history."),
  force_push_allowlist_usernames: maybeNames("Who may rewrite history."),
  force_push_allowlist_teams: maybeNames("Teams that may rewrite history."),
  force_push_allowlist_deploy_keys: maybeYesNo("Let deploy keys rewrite history even though there is a list."),
  enable_merge_whitelist: maybeYesNo("Let only those listed merge."),
  merge_whitelist_usernames: maybeNames("Who may merge."),
  merge_whitelist_teams: maybeNames("Teams that may merge."),
  enable_bypass_allowlist: maybeYesNo("Let those listed bypass unmet conditions when merging."),
  bypass_allowlist_usernames: maybeNames("Who may bypass them; no effect while that is disabled."),
  bypass_allowlist_teams: maybeNames("Teams that may bypass them; no effect while that is disabled."),
  enable_status_check: maybeYesNo("Require checks to succeed before a merge."),
  status_check_contexts: maybeNames("The required checks, as globs; all if empty."),
  required_approvals: maybeWhole("How many approvals a merge needs."),
  enable_approvals_whitelist: maybeYesNo("Count only reviews of those listed."),
  approvals_whitelist_username: maybeNames("Whose reviews count."),
  approvals_whitelist_teams: maybeNames("Teams whose reviews count."),
  block_on_rejected_reviews: maybeYesNo("Block a merge when a review requests changes."),
  block_on_official_review_requests: maybeYesNo("Block a merge while requested reviews are outstanding."),
  block_on_outdated_branch: maybeYesNo("Block a merge while the head is behind its base."),
  dismiss_stale_approvals: maybeYesNo("Dismiss approvals when new commits arrive."),
  ignore_stale_approvals: maybeYesNo("Ignore approvals of older commits."),
  require_signed_commits: maybeYesNo("Accept only commits signed with a known key."),
  protected_file_patterns: maybeText("Files that nobody may change by pushing: globs separated by ;."),
  unprotected_file_patterns: maybeText("Files that everyone with write access may change: globs separated by ;."),
  block_admin_merge_override: maybeYesNo("Require administrators to meet the merge conditions, too."),
  apply_to_admins: maybeYesNo("Another name for the same setting."),
  require_merge_queue: maybeYesNo("Merge through a merge queue. Specific to Hearth."),
};

export const CreateBranchProtectionBody = Type.Object(
  {
    rule_name: maybeText("A branch, or a glob."),
    branch_name: maybeText("Older name of rule_name."),
    ...fields,
  },
  { $id: "CreateBranchProtectionOption", description: "A rule for branches." },
);

export const EditBranchProtectionBody = Type.Object(fields, {
  $id: "EditBranchProtectionOption",
  description: "Changes to a rule; fields left out are unchanged.",
});

export const RulePriorityBody = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.Integer({ description: "Number of a rule." }), { description: "Rules in their new order." }),
    ),
  },
  { $id: "UpdateBranchProtectionPriories", description: "The order of rules." },
);

export function ruleEditOf(body: Static<typeof EditBranchProtectionBody>): RuleEdit {
  return {
    priority: body.priority,
    settings: {
      enablePush: body.enable_push,
      enablePushWhitelist: body.enable_push_whitelist,
      pushWhitelistDeployKeys: body.push_whitelist_deploy_keys,
      enableForcePush: body.enable_force_push,
      enableForcePushAllowlist: body.enable_force_push_allowlist,
      forcePushAllowlistDeployKeys: body.force_push_allowlist_deploy_keys,
      enableMergeWhitelist: body.enable_merge_whitelist,
      enableBypassAllowlist: body.enable_bypass_allowlist,
      enableStatusCheck: body.enable_status_check,
      statusCheckContexts: body.status_check_contexts,
      requiredApprovals: body.required_approvals,
      enableApprovalsWhitelist: body.enable_approvals_whitelist,
      blockOnRejectedReviews: body.block_on_rejected_reviews,
      blockOnOfficialReviewRequests: body.block_on_official_review_requests,
      blockOnOutdatedBranch: body.block_on_outdated_branch,
      dismissStaleApprovals: body.dismiss_stale_approvals,
      ignoreStaleApprovals: body.ignore_stale_approvals,
      requireSignedCommits: body.require_signed_commits,
      protectedFilePatterns: body.protected_file_patterns,
      unprotectedFilePatterns: body.unprotected_file_patterns,
      blockAdminMergeOverride: body.block_admin_merge_override ?? body.apply_to_admins,
      requireMergeQueue: body.require_merge_queue,
    },
    users: {
      push: body.push_whitelist_usernames,
      forcePush: body.force_push_allowlist_usernames,
      merge: body.merge_whitelist_usernames,
      bypass: body.bypass_allowlist_usernames,
      approvals: body.approvals_whitelist_username,
    },
    teams: {
      push: body.push_whitelist_teams,
      forcePush: body.force_push_allowlist_teams,
      merge: body.merge_whitelist_teams,
      bypass: body.bypass_allowlist_teams,
      approvals: body.approvals_whitelist_teams,
    },
  };
}
