import { cachedRepository } from "../../git/cached-repository.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { TreeWalkOptions } from "../../git/trees.ts";
import type { JobContext } from "../../workers/job.ts";
import { type TreePage, treePage } from "./tree-page.ts";

export interface TreeInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tree: Oid;
  readonly options: TreeWalkOptions;
  /** The number of entries, if known. */
  readonly total: number | undefined;
}

/** A page of a large tree. */
export async function run(input: TreeInput, context: JobContext): Promise<TreePage> {
  const { store } = cachedRepository(context, input.repoDir);
  return treePage(store, input.tree, input.options, input.total);
}
