/** Lists who may create, move and delete the tags it matches. */
export interface TagRule {
  readonly id: number;
  readonly repoId: number;
  /** A glob, or a regular expression between slashes. */
  readonly pattern: string;
  readonly users: readonly number[];
  readonly teams: readonly number[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A requested change of a rule; absent fields are left unchanged. */
export interface TagRuleEdit {
  readonly pattern?: string | undefined;
  readonly users?: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
}
