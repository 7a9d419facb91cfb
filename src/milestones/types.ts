/** A goal that items of a repository lead to. */
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

/** What a list of milestones shows. */
export interface MilestoneFilter {
  readonly state: MilestoneState;
  /** Part of the title, whatever its case; empty: any. */
  readonly name: string;
  readonly order: MilestoneOrder;
}

/** What someone says of a milestone; absent: as it is. */
export interface MilestoneEdit {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds; null: none. */
  readonly dueAt?: number | null | undefined;
  readonly isClosed?: boolean | undefined;
}
