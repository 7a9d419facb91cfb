/** A topic by which repositories can be found. */
export interface Topic {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of repositories with this topic that the viewer may see. */
  readonly repoCount: number;
}
