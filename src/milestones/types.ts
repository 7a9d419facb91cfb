/** A goal that items of a repository contribute to. */
export interface Milestone {
  readonly id: number;
  readonly repoId: number;
  readonly title: string;
  readonly description: string;
  readonly dueAt: number | undefined;
  readonly closedAt: number | undefined;
  /** Issues and pull requests together. */
  readonly openItems: number;
  readonly closedItems: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const milestoneStates = ["open", "closed", "all"] as const;
export type MilestoneState = (typeof milestoneStates)[number];

export const milestoneOrders = [
  "closestduedate",
  "furthestduedate",
  "leastcomplete",
  "mostcomplete",
  "leastissues",
  "mostissues",
  "id",
  "name",
] as const;
export type MilestoneOrder = (typeof milestoneOrders)[number];

/** Criteria for a list of milestones. */
export interface MilestoneFilter {
  readonly state: MilestoneState;
  /** Part of the title, case-insensitive; empty: any. */
  readonly name: string;
  readonly order: MilestoneOrder;
}

/** A requested change of a milestone; absent fields are left unchanged. */
export interface MilestoneEdit {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds; null removes it. */
  readonly dueAt?: number | null | undefined;
  readonly isClosed?: boolean | undefined;
}
