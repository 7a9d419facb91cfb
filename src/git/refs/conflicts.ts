import { compareRefNames } from "./names.ts";
import type { RefChange } from "./types.ts";

/**
 * A ref cannot be both a name and a directory of names: `refs/heads/a` and `refs/heads/a/b` exclude each other,
 * in every store, because real git keeps refs as files.
 */

/** Index of the first of the sorted names that is not before `name`. */
function lowerBound(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRefNames(names[middle]!, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The directories a name is in, excluding the name itself: `refs` and `refs/heads` for `refs/heads/a`. */
function* directoriesOf(name: string): Generator<string> {
  for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) yield name.slice(0, slash);
}

/**
 * Finds changes that would create a ref where there is a directory of refs, or vice versa, each with the conflicting
 * name. Existing names must be sorted in byte order. A ref deleted by the same changes never conflicts; of two new refs
 * that exclude each other the later one is refused.
 */
export function findRefConflicts(
  existing: readonly string[],
  changes: readonly RefChange[],
): Map<string, { readonly conflictsWith: string }> {
  const deleted = new Set(changes.filter((change) => change.newOid === null).map((change) => change.name));
  const stays = (name: string) => !deleted.has(name);
  const conflicts = new Map<string, { conflictsWith: string }>();
  const created = new Set<string>();
  const createdDirectories = new Map<string, string>();

  const inTheWay = (name: string): string | undefined => {
    for (const directory of directoriesOf(name)) {
      if (existing[lowerBound(existing, directory)] === directory && stays(directory)) return directory;
      if (created.has(directory)) return directory;
    }
    for (let at = lowerBound(existing, `${name}/`); existing[at]?.startsWith(`${name}/`); at++)
      if (stays(existing[at]!)) return existing[at];
    return createdDirectories.get(name);
  };

  for (const change of changes) {
    if (change.newOid === null) continue;
    if (existing[lowerBound(existing, change.name)] === change.name) continue;
    const other = inTheWay(change.name);
    if (other !== undefined) {
      conflicts.set(change.name, { conflictsWith: other });
      continue;
    }
    created.add(change.name);
    for (const directory of directoriesOf(change.name)) createdDirectories.set(directory, change.name);
  }
  return conflicts;
}
