import type { Json } from "../../../kernel/json.ts";
import { ExpressionError } from "./error.ts";
import { evaluate, type Scope } from "./evaluator.ts";
import { type Expression, parseExpression, partsOf } from "./parser.ts";
import { textOf } from "./values.ts";

/** A text, and expressions in it: `v${{ matrix.node }}`. */
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

/** Where the `}}` is that ends an expression, not one in a quoted text. */
function endOf(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith("}}", at)) return at;
  }
  throw new ExpressionError("an expression has no end");
}

/** The text with what its expressions come to. @throws ExpressionError */
export function interpolate(text: string, scope: Scope): string {
  if (!hasExpressions(text)) return text;
  let result = "";
  for (const part of parseTemplate(text)) {
    result += typeof part === "string" ? part : textOf(evaluate(part, scope));
    if (result.length > MAX_CHARACTERS) throw new ExpressionError("the text becomes too long");
  }
  return result;
}

/** The same; of a text that is one expression and nothing else what that comes to, whatever it is. @throws ExpressionError */
export function comesTo(text: string, scope: Scope): Json {
  const [only, ...more] = hasExpressions(text) ? parseTemplate(text.trim()) : [];
  return only === undefined || typeof only === "string" || more.length > 0
    ? interpolate(text, scope)
    : evaluate(only, scope);
}

/** Whether an expression in it names that context. @throws ExpressionError */
export function names(text: string, context: string): boolean {
  if (!hasExpressions(text)) return false;
  return parseTemplate(text).some(
    (part) =>
      typeof part !== "string" &&
      [...partsOf(part)].some((inner) => inner.kind === "context" && inner.name === context),
  );
}
