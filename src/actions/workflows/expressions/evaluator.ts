import { isObject, type Json, type JsonObject } from "../../../kernel/json.ts";
import type { ConditionFacts, Contexts } from "../types.ts";
import { ExpressionError } from "./error.ts";
import { functions } from "./functions.ts";
import { type Expression, type Operator, partsOf } from "./parser.ts";
import { compare, isList, isTruthy, memberOf } from "./values.ts";

/** Limits of one evaluation: values, and characters of strings. */
const MAX_STEPS = 100_000;
const MAX_CHARACTERS = 8 << 20;

/** The names available to expressions, with their values. */
export type Scope = ReadonlyMap<string, Json>;

/** @param more names of one context only: `jobs` in the outputs of a called workflow */
export function scopeOf(contexts: Contexts, more: JsonObject = {}): Scope {
  const { github, inputs, matrix = {}, needs, strategy = {}, vars } = contexts;
  return new Map<string, Json>([
    ...["github", "gitea", "forge", "forgejo"].map((name) => [name, github] as const),
    ["inputs", inputs],
    ["matrix", matrix],
    ["needs", needs],
    ["strategy", strategy],
    ["vars", vars],
    ...Object.entries(more),
  ]);
}

const statusFunctions = new Set(["always", "success", "failure", "cancelled"]);

export const asksForStatus = (expression: Expression): boolean =>
  [...partsOf(expression)].some((part) => part.kind === "call" && statusFunctions.has(part.name));

/** @param facts what status functions return; absent where they are not allowed @throws ExpressionError */
export function evaluate(expression: Expression, scope: Scope, facts?: ConditionFacts): Json {
  return new Evaluation(scope, facts).valueOf(expression);
}

class Evaluation {
  private steps = 0;
  private characters = 0;

  constructor(
    private readonly scope: Scope,
    private readonly facts: ConditionFacts | undefined,
  ) {}

  valueOf(expression: Expression): Json {
    const value = this.unmeasuredValueOf(expression);
    this.count(1, value);
    return value;
  }

  private unmeasuredValueOf(expression: Expression): Json {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "context": {
        const value = this.scope.get(expression.name);
        if (value === undefined) throw new ExpressionError(`"${expression.name}" is not known here`);
        return value;
      }
      case "member":
        return this.member(expression.of, expression.index);
      case "each":
        return this.each(this.valueOf(expression.of));
      case "not":
        return !isTruthy(this.valueOf(expression.of));
      case "and": {
        const left = this.valueOf(expression.left);
        return isTruthy(left) ? this.valueOf(expression.right) : left;
      }
      case "or": {
        const left = this.valueOf(expression.left);
        return isTruthy(left) ? left : this.valueOf(expression.right);
      }
      case "compare":
        return holds(expression.operator, this.valueOf(expression.left), this.valueOf(expression.right));
      case "call":
        return this.call(expression.name, expression.given);
    }
  }

  /** After `.*`, the member of each item. */
  private member(of: Expression, index: Expression): Json {
    const value = this.valueOf(of);
    const key = this.valueOf(index);
    if (!isOfEach(of) || !isList(value) || typeof key === "number") return memberOf(value, key);
    this.count(value.length);
    return value.flatMap((item) => {
      const found = memberOf(item, key);
      return found === null ? [] : [found];
    });
  }

  private each(value: Json): Json {
    const items = isList(value) ? value : isObject(value) ? Object.values(value) : [];
    this.count(items.length);
    return items;
  }

  private call(name: string, given: readonly Expression[]): Json {
    if (statusFunctions.has(name)) return this.status(name, given.length);
    const known = functions.get(name);
    if (!known) throw new ExpressionError(`the function ${name.slice(0, 50)}() is not known here`);
    if (given.length < known.min || given.length > known.max)
      throw new ExpressionError(`${name}() was given ${given.length} values`);
    const values = given.map((one) => this.valueOf(one));
    for (const value of values) if (isList(value)) for (const item of value) this.count(1, item);
    return known.run(...values);
  }

  private status(name: string, given: number): boolean {
    if (!this.facts || given > 0) throw new ExpressionError(`${name}() is not known here`);
    if (name === "always") return true;
    if (name === "cancelled") return this.facts.isCancelled;
    return name === "success" ? this.facts.isSuccess && !this.facts.isCancelled : this.facts.isFailure;
  }

  private count(steps: number, value: Json = null): void {
    this.steps += steps;
    if (typeof value === "string") this.characters += value.length;
    if (this.steps > MAX_STEPS || this.characters > MAX_CHARACTERS)
      throw new ExpressionError("the expression comes to too much");
  }
}

function isOfEach(expression: Expression): boolean {
  return expression.kind === "each" || (expression.kind === "member" && isOfEach(expression.of));
}

function holds(operator: Operator, left: Json, right: Json): boolean {
  const order = compare(left, right);
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order !== undefined && order < 0;
    case "<=":
      return order !== undefined && order <= 0;
    case ">":
      return order !== undefined && order > 0;
    case ">=":
      return order !== undefined && order >= 0;
  }
}
