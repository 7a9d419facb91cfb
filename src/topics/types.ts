/** A word that repositories are found by. */
export interface Topic {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How many repositories have it that whoever asks may see. */
  readonly repoCount: number;
}
