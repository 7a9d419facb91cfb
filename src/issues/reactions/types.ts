/** An account, or who it was on the forge it was moved from. */
export interface ReactionGiver {
  readonly userId: number | null;
  readonly originalAuthor: string;
}

/** How many of a kind someone gave, and whether the viewer is among them. */
export interface ReactionCount {
  readonly entryId: number | undefined;
  readonly content: string;
  readonly count: number;
  readonly mine: boolean;
  /** The first few who gave it. */
  readonly givers: readonly ReactionGiver[];
}
