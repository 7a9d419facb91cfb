/** Lists of people and teams that a rule of branches has. */
export const ruleLists = ["push", "forcePush", "merge", "bypass", "approvals"] as const;
export type RuleList = (typeof ruleLists)[number];

/** What a rule says (contract git-content.md 9.2). A list counts only where its switch is on. */
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
  /** Globs without separators. */
  readonly statusCheckContexts: readonly string[];
  readonly requiredApprovals: number;
  readonly enableApprovalsWhitelist: boolean;
  readonly blockOnRejectedReviews: boolean;
  readonly blockOnOfficialReviewRequests: boolean;
  readonly blockOnOutdatedBranch: boolean;
  readonly dismissStaleApprovals: boolean;
  readonly ignoreStaleApprovals: boolean;
  readonly requireSignedCommits: boolean;
  /** Globs with `;` between them. */
  readonly protectedFilePatterns: string;
  readonly unprotectedFilePatterns: string;
  readonly blockAdminMergeOverride: boolean;
  /** Merges wait for their turn, and are tested together with those before them. */
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

/** Accounts or teams by list; a list that is not there is empty. */
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

/** What is said of a rule; what is absent stays as it is. Names of people and teams, by list. */
export interface RuleEdit {
  readonly priority?: number | undefined;
  readonly settings: { readonly [Name in keyof RuleSettings]?: RuleSettings[Name] | undefined };
  readonly users: { readonly [List in RuleList]?: readonly string[] | undefined };
  readonly teams: { readonly [List in RuleList]?: readonly string[] | undefined };
}
