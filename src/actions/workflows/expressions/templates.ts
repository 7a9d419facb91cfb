import type { Json } from "../../../kernel/json.ts";
import { ExpressionError } from "./error.ts";
import { evaluate, type Scope } from "./evaluator.ts";
import { type Expression, parseExpression, partsOf } from "./parser.ts";
import { textOf } from "./values.ts";

/** A string with embedded expressions: `v${{ matrix.node }}`. */
export type Template = readonly (string | Expression)[];

const MAX_CHARACTERS = 1 << 20;

export const hasExpressions = (text: string): boolean => text.includes("${{");

/** @throws ExpressionError */
export function parseTemplate(text: string): Template {
  const parts: (string | Expression)[] = [];
  let at = 0;
  for (let start = text.indexOf("${{"); start >= 0; start = text.indexOf("${{", at)) {
    if (start > at) parts.push(text.slice(at, start));
    const end = endOf(text, start + 3);
    parts.push(parseExpression(text.slice(start + 3, end)));
    at = end + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** The position of the `}}` that ends an expression, skipping quoted strings. */
function endOf(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith("}}", at)) return at;
  }
  throw new ExpressionError("an expression has no end");
}

/** Replaces the expressions of a string with their values. @throws ExpressionError */
export function interpolate(text: string, scope: Scope): string {
  if (!hasExpressions(text)) return text;
  let result = "";
  for (const part of parseTemplate(text)) {
    result += typeof part === "string" ? part : textOf(evaluate(part, scope));
    if (result.length > MAX_CHARACTERS) throw new ExpressionError("the text becomes too long");
  }
  return result;
}

/** Like `interpolate`, but a string that is a single expression keeps the type of its value. @throws ExpressionError */
export function comesTo(text: string, scope: Scope): Json {
  const [only, ...more] = hasExpressions(text) ? parseTemplate(text.trim()) : [];
  return only === undefined || typeof only === "string" || more.length > 0
    ? interpolate(text, scope)
    : evaluate(only, scope);
}

/** Whether one of its expressions names the given context. @throws ExpressionError */
export function names(text: string, context: string): boolean {
  if (!hasExpressions(text)) return false;
  return parseTemplate(text).some(
    (part) =>
      typeof part !== "string" &&
      [...partsOf(part)].some((inner) => inner.kind === "context" && inner.name === context),
  );
}
