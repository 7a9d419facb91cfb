import { compileGlob, isGlobSound } from "../../git/patterns/rule-glob.ts";

/** Whether a tag is one that a rule is about. */
export type TagMatcher = (tag: string) => boolean;

/** The text between slashes; undefined: the pattern is a glob. */
export function expressionOf(pattern: string): string | undefined {
  return pattern.length > 2 && pattern.startsWith("/") && pattern.endsWith("/") ? pattern.slice(1, -1) : undefined;
}

/** Whether a pattern may be stored: an expression that compiles, or a glob whose brackets and braces are closed. */
export function isTagPattern(pattern: string): boolean {
  return expressionOf(pattern) === undefined ? isGlobSound(pattern) : tagMatcher(pattern) !== undefined;
}

/**
 * A glob without separators, or a regular expression between slashes, which matches anywhere and minds letter case
 * (contract git-content.md 10.2). Expressions are RE2's, whose matching takes linear time. undefined: the expression is none.
 */
export function tagMatcher(pattern: string): TagMatcher | undefined {
  const expression = expressionOf(pattern);
  if (expression === undefined) {
    const glob = compileGlob(pattern, "");
    return (tag) => glob.matches(tag);
  }
  // Loaded by the first such rule: a decision about a ref cannot wait for a promise.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  try {
    const compiled = RE2JS.compile(expression);
    return (tag) => compiled.matcher(tag).find();
  } catch {
    return undefined;
  }
}
