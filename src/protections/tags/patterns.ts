import { compileGlob, isGlobSound } from "../../git/patterns/rule-glob.ts";

/** Whether a rule applies to a tag. */
export type TagMatcher = (tag: string) => boolean;

/** The text between the slashes; undefined if the pattern is a glob. */
export function expressionOf(pattern: string): string | undefined {
  return pattern.length > 2 && pattern.startsWith("/") && pattern.endsWith("/") ? pattern.slice(1, -1) : undefined;
}

/** Whether a pattern may be stored: an expression that compiles, or a glob with balanced brackets and braces. */
export function isTagPattern(pattern: string): boolean {
  return expressionOf(pattern) === undefined ? isGlobSound(pattern) : tagMatcher(pattern) !== undefined;
}

/**
 * Matches a glob in which `*` also matches slashes, or a regular expression between slashes, which is unanchored and
 * case-sensitive (contract git-content.md 10.2). Expressions use RE2, which matches in linear time. Returns undefined
 * if the expression is invalid.
 */
export function tagMatcher(pattern: string): TagMatcher | undefined {
  const expression = expressionOf(pattern);
  if (expression === undefined) {
    const glob = compileGlob(pattern, "");
    return (tag) => glob.matches(tag);
  }
  // Loaded by the first such rule, synchronously: a decision about a ref cannot wait for a promise.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  try {
    const compiled = RE2JS.compile(expression);
    return (tag) => compiled.matcher(tag).find();
  } catch {
    return undefined;
  }
}
