import { isHiddenRef } from "../repos/refs/hidden.ts";

/** Which refs two repositories share. */
export interface RefSelection {
  /** Patterns of branch names (`main`, `release/*`); all branches without any. */
  readonly branches?: readonly string[];
  readonly tags: boolean;
  /** Notes and whatever else people keep below `refs/`, but for what servers make themselves. */
  readonly others: boolean;
}

/** Single refs, by their names on the other server, and what they are called here. */
export type RenamedRefs = ReadonlyMap<string, string>;

export const isRenaming = (select: RefSelection | RenamedRefs): select is RenamedRefs => select instanceof Map;

/** Refs that forges make of their pull requests and builds: those of another server mean nothing here. */
const SERVER_REFS = [
  "refs/pull/",
  "refs/merge-requests/",
  "refs/changes/",
  "refs/pipelines/",
  "refs/for/",
  "refs/remotes/",
];

/** Answers for full ref names whether they are selected. */
export function selects(selection: RefSelection): (name: string) => boolean {
  const patterns = (selection.branches ?? []).map((pattern) => new Bun.Glob(pattern));
  return (name) => {
    if (name.startsWith("refs/heads/")) {
      const branch = name.slice("refs/heads/".length);
      return patterns.length === 0 || patterns.some((pattern) => pattern.match(branch));
    }
    if (name.startsWith("refs/tags/")) return selection.tags;
    return selection.others && !isHiddenRef(name) && !SERVER_REFS.some((prefix) => name.startsWith(prefix));
  };
}

/** What to ask a server for: it may tell less than all. */
export function prefixesOf(selection: RefSelection | RenamedRefs): string[] {
  if (isRenaming(selection)) return [...selection.keys()];
  if (selection.others) return ["refs/"];
  return ["refs/heads/", ...(selection.tags ? ["refs/tags/"] : [])];
}
