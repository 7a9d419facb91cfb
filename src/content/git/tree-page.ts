import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { countTree, listTree, type PathEntry, type TreeWalkOptions } from "../../git/trees.ts";

export interface TreePage {
  readonly entries: readonly PathEntry[];
  /** The number of entries in the whole tree. */
  readonly total: number;
}

/**
 * A page of a tree's entries.
 * @param total if already known
 * @throws CorruptObject; TreeTooLarge if more entries precede the page than can be walked
 */
export function treePage(store: ObjectSource, tree: Oid, options: TreeWalkOptions, total?: number): TreePage {
  const all = total ?? countTree(store, tree, options.recursive ?? true);
  const isBehind = (options.skip ?? 0) >= all;
  return { entries: isBehind ? [] : listTree(store, tree, options).entries, total: all };
}
