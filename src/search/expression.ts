import { RE2JS } from "re2js";
import type { Pattern } from "./pattern.ts";

/** Something that is looked for in lines. */
export interface Expression {
  matches(text: string): boolean;
  /** Where it stands, from the left, one after the other; empty matches are left out. */
  places(text: string): Iterable<readonly [start: number, end: number]>;
}

/**
 * Texts are looked for by the runtime, which is fast and has nothing to go back for; expressions that someone wrote by a
 * matcher that takes linear time whatever they say.
 */
export function expressionsOf({ expressions, isLiteral }: Pattern): Expression[] {
  return expressions.map(({ source, flags }) =>
    isLiteral ? literal(new RegExp(source, flags)) : compiled(source, flags),
  );
}

/** Whether it is an expression that can be looked for: without references back and looks ahead. */
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
