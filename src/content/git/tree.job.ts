import { keptRepository } from "../../git/kept-repository.ts";
import type { Oid } from "../../git/objects/types.ts";
import { listTree, type PathEntry, type TreeWalkOptions } from "../../git/trees.ts";
import type { JobContext } from "../../workers/job.ts";
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
export async function run(
  input: TreeInput,
  context: JobContext,
): Promise<{ entries: PathEntry[]; total: number | undefined }> {
  const { store } = keptRepository(context, input.repoDir);
  const { entries } = listTree(store, input.tree, input.options);
  return { entries, total: input.count ? countTree(store, input.tree, input.options.recursive ?? true) : undefined };
}
