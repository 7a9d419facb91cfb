import type { ObjectSource } from "../../git/objects/source.ts";
import { MODE_GITLINK } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import { listTree } from "../../git/trees.ts";

export interface PathsRequest {
  readonly tree: Oid;
  /** Maximum number of files examined. */
  readonly limit: number;
  /** Only files of this name, case-insensitive, up to the limit. */
  readonly named?: { readonly name: string; readonly limit: number };
}

/** The paths of a tree's files, as JSON: one string leaves a worker quickly, one per path takes long. */
export function pathsJson(objects: ObjectSource, { tree, limit, named }: PathsRequest): string {
  const name = named?.name.toLowerCase();
  const paths: string[] = [];
  for (const { mode, path } of listTree(objects, tree, { limit, directories: false }).entries) {
    if (mode === MODE_GITLINK) continue;
    if (name !== undefined && path.slice(path.lastIndexOf("/") + 1).toLowerCase() !== name) continue;
    paths.push(path.toWellFormed());
    if (paths.length === named?.limit) break;
  }
  return JSON.stringify(paths);
}
