import type { FailureParams } from "../../kernel/errors.ts";

/** A problem: a code with words on the command line, and their values. */
export interface Problem {
  readonly code: string;
  readonly params?: FailureParams;
  /** Whether `hearth doctor --fix` can repair it. */
  readonly canFix: boolean;
}
