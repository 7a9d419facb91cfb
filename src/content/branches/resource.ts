import { Type } from "@sinclair/typebox";
import { atLeast } from "../../access/levels.ts";
import { text, whole, yesNo } from "../../http/fields.ts";
import type { Links } from "../../kernel/links.ts";
import type { Verification } from "../../keys/verification/service.ts";
import type { BranchState } from "../../protections/branches/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { PayloadCommitResource, payloadCommitResource } from "../commits/resource.ts";
import type { People, ReadCommit } from "../commits/service.ts";

export const BranchResource = Type.Object(
  {
    name: text("Name of the branch."),
    commit: PayloadCommitResource,
    protected: yesNo("Whether a rule protects it."),
    required_approvals: whole("Approvals that pull requests to it need."),
    enable_status_check: yesNo("Whether checks must succeed before a merge."),
    status_check_contexts: Type.Array(Type.String(), { description: "Names of those checks." }),
    user_can_push: yesNo("Whether the caller may push to it."),
    user_can_merge: yesNo("Whether the caller may merge into it."),
    effective_branch_protection_name: text("The name of the rule that protects it; for administrators."),
  },
  { $id: "Branch", description: "A branch." },
);

/** A branch with what the viewer may do with it, by their rights and the rules (contract git-content.md 8.1). */
export function branchResource(
  seen: SeenRepo,
  name: string,
  commit: ReadCommit,
  { rule, mayPush, mayMerge }: BranchState,
  people: People,
  verification: Verification | undefined,
  links: Links,
) {
  const { settings } = rule ?? {};
  return {
    name,
    commit: payloadCommitResource(seen, commit, people, verification, links),
    protected: rule !== undefined,
    required_approvals: settings?.requiredApprovals ?? 0,
    enable_status_check: settings?.enableStatusCheck ?? false,
    status_check_contexts: [...(settings?.statusCheckContexts ?? [])],
    user_can_push: mayPush,
    user_can_merge: mayMerge,
    effective_branch_protection_name: rule && atLeast(seen.access.level, "admin") ? rule.name : "",
  };
}
