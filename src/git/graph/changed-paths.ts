import { diffTrees, TreeTooLarge } from "../diff/tree.ts";
import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { buildFilter, MAX_CHANGED_PATHS } from "./bloom.ts";

/** A commit that differs in more trees than this gets a filter that matches everything. */
const MAX_TREES = 20_000;

/**
 * Computes the changed-path filter of a commit with tree `tree` whose first parent has `parentTree`. Trees that are
 * unreadable, or unfold to too much, yield a filter that matches everything: still correct, and the graph gets written.
 */
export function changedPathFilter(store: ObjectSource, parentTree: Oid | undefined, tree: Oid): Uint8Array {
  const changed: string[] = [];
  const visit = ({ path }: { path: string }) => {
    changed.push(path);
    return changed.length <= MAX_CHANGED_PATHS;
  };
  try {
    diffTrees(store, parentTree, tree, visit, { maxTrees: MAX_TREES });
  } catch (error) {
    if (!(error instanceof CorruptObject || error instanceof TreeTooLarge)) throw error;
    return new Uint8Array([0xff]);
  }
  return buildFilter(changed);
}
