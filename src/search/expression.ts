import { RE2JS } from "re2js";
import type { Pattern } from "./pattern.ts";

/** A pattern to search for in lines. */
export interface Expression {
  matches(text: string): boolean;
  /** The positions of its matches, from left to right without overlaps; empty matches are omitted. */
  places(text: string): Iterable<readonly [start: number, end: number]>;
}

/**
 * Literal texts are matched by the runtime, which is fast and cannot backtrack on them; expressions written by users by
 * a matcher that takes linear time for any input.
 */
export function expressionsOf({ expressions, isLiteral }: Pattern): Expression[] {
  return expressions.map(({ source, flags }) =>
    isLiteral ? literal(new RegExp(source, flags)) : compiled(source, flags),
  );
}

/** Whether the expression is supported: without backreferences and lookaheads. */
export function isLinear(source: string): boolean {
  try {
    compiled(source, "");
    return true;
  } catch {
    return false;
  }
}

function literal(expression: RegExp): Expression {
  return {
    matches: (text) => {
      expression.lastIndex = 0;
      return expression.test(text);
    },
    *places(text) {
      expression.lastIndex = 0;
      for (const match of text.matchAll(expression))
        if (match[0] !== "") yield [match.index, match.index + match[0].length];
    },
  };
}

function compiled(source: string, flags: string): Expression {
  const expression = RE2JS.compile(RE2JS.translateRegExp(source), flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    matches: (text) => expression.test(text),
    *places(text) {
      const matcher = expression.matcher(text);
      while (matcher.find()) if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()];
    },
  };
}
