import { isObject, type Json } from "../../../kernel/json.ts";
import { numberOf } from "./lexer.ts";

/** The value semantics of expressions (contract actions.md 3.2). */

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export function isTruthy(value: Json): boolean {
  return !(value === null || value === false || value === "" || value === 0 || Number.isNaN(value));
}

export function textOf(value: Json): string {
  if (value === null) return "";
  if (isList(value)) return "Array";
  return isObject(value) ? "Object" : String(value);
}

/** NaN if it is not a number. */
export function toNumber(value: Json): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "number") return value;
  return typeof value === "string" ? numberOf(value) : Number.NaN;
}

/** Ignores letter case; undefined if they cannot be compared. */
export function compare(left: Json, right: Json): number | undefined {
  if (typeof left === "string" && typeof right === "string") {
    const [a, b] = [left.toUpperCase(), right.toUpperCase()];
    return a === b ? 0 : a < b ? -1 : 1;
  }
  const areThings = typeof left === "object" && typeof right === "object" && left !== null && right !== null;
  if (areThings) return left === right ? 0 : undefined;
  const difference = toNumber(left) - toNumber(right);
  if (toNumber(left) === toNumber(right)) return 0;
  return Number.isNaN(difference) ? undefined : difference;
}

/** The own value of a key in any letter case; null if there is none. */
export function memberOf(of: Json, index: Json): Json {
  if (isList(of)) {
    const at = toNumber(index);
    return (Number.isInteger(at) ? of[at] : undefined) ?? null;
  }
  if (!isObject(of) || typeof index === "object") return null;
  const name = textOf(index);
  if (Object.hasOwn(of, name)) return of[name] ?? null;
  const folded = name.toLowerCase();
  const key = Object.keys(of).find((other) => other.toLowerCase() === folded);
  return key === undefined ? null : (of[key] ?? null);
}
