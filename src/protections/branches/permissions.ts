import { atLeast } from "../../access/levels.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { RuleMembersService } from "../members.ts";
import type { BranchRule, RuleList } from "./types.ts";

/**
 * What a rule lets the principal do (contract git-content.md 9.4). Owners and site administrators have no special
 * rights here; write access to the code is checked separately.
 */
export class RulePermissions {
  constructor(private readonly members: RuleMembersService) {}

  mayPush(seen: SeenRepo, rule: BranchRule): boolean {
    const { enablePush, enablePushWhitelist, pushWhitelistDeployKeys } = rule.settings;
    if (seen.principal.via === "operator") return true;
    if (!enablePush || !mayWrite(seen)) return false;
    if (!enablePushWhitelist) return true;
    return isDeployKey(seen) ? pushWhitelistDeployKeys : this.isListed(seen, rule, "push");
  }

  mayForcePush(seen: SeenRepo, rule: BranchRule): boolean {
    const { enablePush, enableForcePush, enableForcePushAllowlist, forcePushAllowlistDeployKeys } = rule.settings;
    if (seen.principal.via === "operator") return true;
    if (!enableForcePush || !enablePush || !mayWrite(seen)) return false;
    // A key needs to be on only one of the two lists, an account on both.
    if (isDeployKey(seen)) return !enableForcePushAllowlist || forcePushAllowlistDeployKeys;
    return (!enableForcePushAllowlist || this.isListed(seen, rule, "forcePush")) && this.mayPush(seen, rule);
  }

  mayMerge(seen: SeenRepo, rule: BranchRule): boolean {
    return rule.settings.enableMergeWhitelist ? this.isListed(seen, rule, "merge") : mayWrite(seen);
  }

  /** Whether the principal's reviews count. */
  isOfficialReviewer(seen: SeenRepo, rule: BranchRule): boolean {
    return rule.settings.enableApprovalsWhitelist ? this.isListed(seen, rule, "approvals") : mayWrite(seen);
  }

  /** Whether the principal may merge although conditions are not met. */
  mayBypass(seen: SeenRepo, rule: BranchRule): boolean {
    if (rule.settings.enableBypassAllowlist && this.isListed(seen, rule, "bypass")) return true;
    return atLeast(seen.access.level, "admin") && !rule.settings.blockAdminMergeOverride;
  }

  private isListed(seen: SeenRepo, { users, teams }: BranchRule, list: RuleList): boolean {
    return this.members.isListed(seen, users[list] ?? [], teams[list] ?? []);
  }
}

function mayWrite({ access }: SeenRepo): boolean {
  return atLeast(access.on("code"), "write");
}

function isDeployKey({ principal }: SeenRepo): boolean {
  return principal.via === "deploy-key";
}
