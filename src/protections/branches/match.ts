import { compileGlob, isGlob } from "../../git/patterns/rule-glob.ts";
import type { BranchRule } from "./types.ts";

/** In the order they are asked: by priority, plain names before globs, the older first (contract git-content.md 9.3). */
export function inOrder(rules: readonly BranchRule[]): BranchRule[] {
  return [...rules].sort(
    (a, b) =>
      a.priority - b.priority ||
      Number(isGlob(a.name)) - Number(isGlob(b.name)) ||
      a.createdAt - b.createdAt ||
      a.id - b.id,
  );
}

/** Finds the one rule that holds for a branch: the first that matches; rules never combine. */
export function ruleFinder(rules: readonly BranchRule[]): (branch: string) => BranchRule | undefined {
  const matchers = inOrder(rules).map((rule) => ({ rule, matches: matcherOf(rule.name) }));
  return (branch) => matchers.find(({ matches }) => matches(branch))?.rule;
}

/** A plain name in any letter case, or a glob. */
export function matcherOf(name: string): (branch: string) => boolean {
  if (!isGlob(name)) {
    const folded = name.toLowerCase();
    return (branch) => branch.toLowerCase() === folded;
  }
  const glob = compileGlob(name, "/");
  return (branch) => glob.matches(branch);
}

/** Patterns of files: globs with `;` between them. */
export function filePatterns(text: string): string[] {
  return text
    .split(";")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
}
