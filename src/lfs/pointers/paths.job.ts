import { cachedRepository } from "../../git/cached-repository.ts";
import { parseCommitLinks } from "../../git/objects/commit.ts";
import type { Oid } from "../../git/objects/types.ts";
import { listTree } from "../../git/trees.ts";
import type { JobContext } from "../../workers/job.ts";

export interface PointerPathsInput {
  readonly repoDir: string;
  readonly branches: readonly { readonly name: string; readonly commit: Oid }[];
  /** The files to find, at any path. */
  readonly blobs: readonly Oid[];
  /** Limits the entries read per tree and the paths found. */
  readonly maxEntries: number;
  readonly maxPaths: number;
}

export interface PointerPath {
  readonly branch: string;
  readonly path: string;
}

/** Finds the paths on some branches with a pointer to an object. */
export function run(input: PointerPathsInput, context: JobContext): PointerPath[] {
  const { store } = cachedRepository(context, input.repoDir);
  const wanted = new Set(input.blobs);
  const found: PointerPath[] = [];
  const seen = new Set<Oid>();
  for (const { commit, name: branch } of input.branches) {
    context.signal.throwIfAborted();
    const object = store.read(commit);
    if (object?.type !== "commit") continue;
    const { tree } = parseCommitLinks(object.data);
    if (seen.has(tree)) continue;
    seen.add(tree);
    for (const { oid, path } of listTree(store, tree, { limit: input.maxEntries, directories: false }).entries) {
      if (!wanted.has(oid)) continue;
      if (found.push({ branch, path: path.toWellFormed() }) === input.maxPaths) return found;
    }
  }
  return found;
}
