import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { walkTree } from "../../git/trees.ts";

/** How many entries a tree has, those of its folders included when `recursive`. @throws CorruptObject */
export function countTree(store: ObjectSource, tree: Oid, recursive: boolean): number {
  let count = 0;
  for (const _ of walkTree(store, tree, recursive)) count++;
  return count;
}
