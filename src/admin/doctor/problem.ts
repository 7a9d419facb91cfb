import type { FailureParams } from "../../kernel/errors.ts";

/** Something that is not as it should be: a code that the terminal has words for, and what they mention. */
export interface Problem {
  readonly code: string;
  readonly params?: FailureParams;
  /** Whether `hearth doctor --fix` can repair it. */
  readonly canFix: boolean;
}
