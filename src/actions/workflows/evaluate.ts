import { ExpressionError } from "./expressions/error.ts";
import { asksForStatus, evaluate, scopeOf } from "./expressions/evaluator.ts";
import { parseExpression } from "./expressions/parser.ts";
import { comesTo, interpolate, parseTemplate } from "./expressions/templates.ts";
import { isTruthy, textOf } from "./expressions/values.ts";
import type { ConcurrencyText, ConditionFacts, Contexts } from "./types.ts";

export { ExpressionError };

/** Expressions that the server evaluates when a job or run is about to start. Bounded: a stranger wrote them. */

/**
 * Whether a job with needs runs.
 * @param condition `if` as written; undefined or empty means `success()`
 * @throws ExpressionError
 */
export function conditionHolds(condition: string | undefined, contexts: Contexts, facts: ConditionFacts): boolean {
  const text = condition?.trim() ?? "";
  const isWell = facts.isSuccess && !facts.isCancelled;
  if (text === "") return isWell;
  const scope = scopeOf(contexts);
  const parts = text.includes("${{") ? parseTemplate(text) : [parseExpression(text)];
  const asks = parts.some((part) => typeof part !== "string" && asksForStatus(part));
  if (!asks && !isWell) return false;
  const values = parts.map((part) => (typeof part === "string" ? part : evaluate(part, scope, facts)));
  const [only = null] = values;
  return isTruthy(values.length === 1 ? only : values.map(textOf).join(""));
}

export interface Concurrency {
  /** Empty if none. */
  readonly group: string;
  readonly cancels: boolean;
}

const MAX_GROUP_CHARACTERS = 1_000;

/** @throws ExpressionError */
export function concurrencyOf(text: ConcurrencyText | undefined, contexts: Contexts): Concurrency {
  if (!text) return { group: "", cancels: false };
  const scope = scopeOf(contexts);
  const group = interpolate(text.group, scope);
  if (group.length > MAX_GROUP_CHARACTERS) throw new ExpressionError("the name of the concurrency group is too long");
  const cancels = comesTo(text.cancelInProgress, scope);
  return { group, cancels: cancels === true || cancels === "true" };
}
