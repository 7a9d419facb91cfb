import { ObjectStore } from "../../git/objects/store.ts";
import type { Oid } from "../../git/objects/types.ts";
import { listTree, type PathEntry, type TreeWalkOptions } from "../../git/trees.ts";
import { countTree } from "./tree-count.ts";

export interface TreeInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tree: Oid;
  readonly options: TreeWalkOptions;
  /** Count all entries as well. */
  readonly count: boolean;
}

/** A page of a large tree. */
export async function run(input: TreeInput): Promise<{ entries: PathEntry[]; total: number | undefined }> {
  const store = ObjectStore.open(input.repoDir);
  try {
    const { entries } = listTree(store, input.tree, input.options);
    return { entries, total: input.count ? countTree(store, input.tree, input.options.recursive ?? true) : undefined };
  } finally {
    store.close();
  }
}
