/** An account, or the author's name on the forge it was imported from. */
export interface ReactionGiver {
  readonly userId: number | null;
  readonly originalAuthor: string;
}

/** Count of one reaction, and whether the viewer gave it. */
export interface ReactionCount {
  readonly entryId: number | undefined;
  readonly content: string;
  readonly count: number;
  readonly mine: boolean;
  /** The first few who gave it. */
  readonly givers: readonly ReactionGiver[];
}
