import { diffTrees } from "../diff/tree.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { buildFilter, MAX_CHANGED_PATHS } from "./bloom.ts";

/**
 * The changed-path filter of a commit with the tree `tree`, whose first parent has `parentTree`.
 * @throws CorruptObject when a tree is missing or malformed
 */
export function changedPathFilter(store: ObjectSource, parentTree: Oid | undefined, tree: Oid): Uint8Array {
  const changed: string[] = [];
  diffTrees(store, parentTree, tree, ({ path }) => {
    changed.push(path);
    return changed.length <= MAX_CHANGED_PATHS;
  });
  return buildFilter(changed);
}
