/** Lists of people and teams in a branch rule. */
export const ruleLists = ["push", "forcePush", "merge", "bypass", "approvals"] as const;
export type RuleList = (typeof ruleLists)[number];

/** A rule's settings (contract git-content.md 9.2). A list applies only if its switch is on. */
export interface RuleSettings {
  readonly enablePush: boolean;
  readonly enablePushWhitelist: boolean;
  readonly pushWhitelistDeployKeys: boolean;
  readonly enableForcePush: boolean;
  readonly enableForcePushAllowlist: boolean;
  readonly forcePushAllowlistDeployKeys: boolean;
  readonly enableMergeWhitelist: boolean;
  readonly enableBypassAllowlist: boolean;
  readonly enableStatusCheck: boolean;
  /** Globs in which `*` also matches slashes. */
  readonly statusCheckContexts: readonly string[];
  readonly requiredApprovals: number;
  readonly enableApprovalsWhitelist: boolean;
  readonly blockOnRejectedReviews: boolean;
  readonly blockOnOfficialReviewRequests: boolean;
  readonly blockOnOutdatedBranch: boolean;
  readonly dismissStaleApprovals: boolean;
  readonly ignoreStaleApprovals: boolean;
  readonly requireSignedCommits: boolean;
  /** Globs separated by `;`. */
  readonly protectedFilePatterns: string;
  readonly unprotectedFilePatterns: string;
  readonly blockAdminMergeOverride: boolean;
  /** Merges go through a queue, and are tested together with those ahead of them. */
  readonly requireMergeQueue: boolean;
}

export const defaultRuleSettings: RuleSettings = {
  enablePush: false,
  enablePushWhitelist: false,
  pushWhitelistDeployKeys: false,
  enableForcePush: false,
  enableForcePushAllowlist: false,
  forcePushAllowlistDeployKeys: false,
  enableMergeWhitelist: false,
  enableBypassAllowlist: false,
  enableStatusCheck: false,
  statusCheckContexts: [],
  requiredApprovals: 0,
  enableApprovalsWhitelist: false,
  blockOnRejectedReviews: false,
  blockOnOfficialReviewRequests: false,
  blockOnOutdatedBranch: false,
  dismissStaleApprovals: false,
  ignoreStaleApprovals: false,
  requireSignedCommits: false,
  protectedFilePatterns: "",
  unprotectedFilePatterns: "",
  blockAdminMergeOverride: false,
  requireMergeQueue: false,
};

/** Ids of accounts or teams by list; missing lists are empty. */
export type RuleMembers = Readonly<Partial<Record<RuleList, readonly number[]>>>;

export interface BranchRule {
  readonly id: number;
  readonly repoId: number;
  readonly name: string;
  readonly priority: number;
  readonly settings: RuleSettings;
  readonly users: RuleMembers;
  readonly teams: RuleMembers;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A requested change of a rule; absent fields are left unchanged. Names of people and teams, by list. */
export interface RuleEdit {
  readonly priority?: number | undefined;
  readonly settings: { readonly [Name in keyof RuleSettings]?: RuleSettings[Name] | undefined };
  readonly users: { readonly [List in RuleList]?: readonly string[] | undefined };
  readonly teams: { readonly [List in RuleList]?: readonly string[] | undefined };
}
