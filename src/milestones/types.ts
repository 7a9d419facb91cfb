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
