import { compileGlob, isGlob } from "../../git/patterns/rule-glob.ts";
import type { BranchRule } from "./types.ts";

/** In order of precedence: by priority, plain names before globs, older rules first (contract git-content.md 9.3). */
export function inOrder(rules: readonly BranchRule[]): BranchRule[] {
  return [...rules].sort(
    (a, b) =>
      a.priority - b.priority ||
      Number(isGlob(a.name)) - Number(isGlob(b.name)) ||
      a.createdAt - b.createdAt ||
      a.id - b.id,
  );
}

/** Finds the one rule for a branch: the first that matches; rules are never combined. */
export function ruleFinder(rules: readonly BranchRule[]): (branch: string) => BranchRule | undefined {
  const matchers = inOrder(rules).map((rule) => ({ rule, matches: matcherOf(rule.name) }));
  return (branch) => matchers.find(({ matches }) => matches(branch))?.rule;
}

/** Matches a plain name case-insensitively, or a glob. */
export function matcherOf(name: string): (branch: string) => boolean {
  if (!isGlob(name)) {
    const folded = name.toLowerCase();
    return (branch) => branch.toLowerCase() === folded;
  }
  const glob = compileGlob(name, "/");
  return (branch) => glob.matches(branch);
}

/** File patterns: globs separated by `;`. */
export function filePatterns(text: string): string[] {
  return text
    .split(";")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
}
