/** Something that is not as it should be, in words for the operator. */
export interface Problem {
  readonly message: string;
  /** Whether `hearth doctor --fix` can mend it. */
  readonly canFix: boolean;
}
