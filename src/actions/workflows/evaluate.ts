import type { ConcurrencyText, ConditionFacts, Contexts } from "./types.ts";

/** An expression that cannot be read, asks for too much, or fails. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
}

/** Whether a job with needs runs. @param condition `if` as it is written; undefined or empty: `success()` @throws ExpressionError */
export function conditionHolds(condition: string | undefined, contexts: Contexts, facts: ConditionFacts): boolean {
  throw new ExpressionError(`${condition}${contexts}${facts}`);
}

export interface Concurrency {
  /** Empty: none. */
  readonly group: string;
  readonly cancels: boolean;
}

/** @throws ExpressionError */
export function concurrencyOf(text: ConcurrencyText | undefined, contexts: Contexts): Concurrency {
  throw new ExpressionError(`${text}${contexts}`);
}
