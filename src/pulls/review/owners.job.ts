import { cachedRepository } from "../../git/cached-repository.ts";
import { changedFiles } from "../../git/diff/changes.ts";
import { treeOf } from "../../git/diff/diff.job.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";
import { type OwnersRule, parseOwners } from "./code-owners.ts";

export interface OwnersInput {
  readonly repoDir: string;
  readonly mergeBase: Oid;
  readonly head: Oid;
  /** The text of CODEOWNERS. */
  readonly text: string;
}

const MAX_FILES = 20_000;
/** Time limit of one rule for all paths; a slower one ends the search. */
const MAX_RULE_MS = 150;
const MAX_ALL_MS = 2_000;

/** The owners of changed files, in file order. A pattern that backtracks forever costs its worker thread. */
export function run({ repoDir, mergeBase, head, text }: OwnersInput, context: JobContext): string[] {
  const { store } = cachedRepository(context, repoDir);
  const { files } = changedFiles(store, treeOf(store, mergeBase), treeOf(store, head), { maxFiles: MAX_FILES });
  const paths = [...new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]))];
  const owners = new Set<string>();
  const begun = performance.now();
  for (const rule of parseOwners(text).rules) {
    const ruleBegun = performance.now();
    if (matches(rule, paths)) for (const owner of rule.owners) owners.add(owner);
    const now = performance.now();
    if (now - ruleBegun > MAX_RULE_MS || now - begun > MAX_ALL_MS) break;
  }
  return [...owners];
}

function matches({ pattern, isNegated }: OwnersRule, paths: readonly string[]): boolean {
  return paths.some((path) => pattern.test(path) !== isNegated);
}
