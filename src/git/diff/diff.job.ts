import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import { CorruptObject } from "../errors.ts";
import { readLinks } from "../graph/links.ts";
import { peelToCommit, peelToTree } from "../graph/peel.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { type DiffOptions, diffOfTrees, type TreeDiff } from "./file-diff.ts";

export interface DiffInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** A commit, tag or tree. If omitted: the first parent of `to`, or nothing if that is a root commit. */
  readonly from?: Oid;
  /** A commit, tag or tree. */
  readonly to: Oid;
  readonly options?: DiffOptions;
}

/** The diff of two trees, for a page. */
export async function run(input: DiffInput, context: JobContext): Promise<TreeDiff> {
  const { store } = cachedRepository(context, input.repoDir);
  return diffOfTrees(store, oldTreeOf(store, input.from, input.to), treeOf(store, input.to), input.options);
}

/** The tree to compare with: that of `from`, or of the first parent of `to`. @throws CorruptObject */
export function oldTreeOf(store: ObjectSource, from: Oid | undefined, to: Oid): Oid | undefined {
  if (from !== undefined) return treeOf(store, from);
  const commit = peelToCommit(store, to);
  const parent = commit === undefined ? undefined : readLinks(store, commit)?.parents[0];
  return parent === undefined ? undefined : treeOf(store, parent);
}

/** @throws CorruptObject when the id does not peel to a tree */
export function treeOf(store: ObjectSource, oid: Oid): Oid {
  const tree = peelToTree(store, oid);
  if (tree === undefined) throw new CorruptObject(`${oid} names no tree`);
  return tree;
}
