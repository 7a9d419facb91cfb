import { ObjectStore } from "../../git/objects/store.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { TreeWalkOptions } from "../../git/trees.ts";
import { type TreePage, treePage } from "./tree-page.ts";

export interface TreeInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tree: Oid;
  readonly options: TreeWalkOptions;
  /** How many entries there are, when that is known. */
  readonly total: number | undefined;
}

/** A page of a large tree. */
export async function run(input: TreeInput): Promise<TreePage> {
  const store = ObjectStore.open(input.repoDir);
  try {
    return treePage(store, input.tree, input.options, input.total);
  } finally {
    store.close();
  }
}
