import { TreeAttributes } from "../../git/attributes/tree.ts";
import { changedFiles } from "../../git/diff/changes.ts";
import { oldTreeOf, treeOf } from "../../git/diff/diff.job.ts";
import { Budget, type DiffOptions, diffOfFile, type FileDiff } from "../../git/diff/file-diff.ts";
import { comparedBy, DiffDrivers } from "../../git/diff/functions/drivers.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { PatternsTooCostly } from "../../git/patterns/glob.ts";
import { type ColouredFile, DiffColours } from "./coloured.ts";

/** Selects the files of a change for a page. */
export interface FileDiffRequest {
  readonly to: Oid;
  /** Absent: the first parent of `to`, or nothing for a root commit. */
  readonly from?: Oid | undefined;
  readonly options: DiffOptions;
  /** Start at the file of this name, or at the first if there is none. */
  readonly skipTo?: string | undefined;
  /** Only these files, by their new names. */
  readonly only?: readonly string[] | undefined;
  /** `only` has old names; a copy does not count as its original. */
  readonly onlyByOldNames?: boolean | undefined;
  /** Number of files to skip. */
  readonly skip?: number | undefined;
  /** Maximum number of files. */
  readonly limit: number;
  /** Add syntax highlighting. */
  readonly colours?: boolean | undefined;
}

export interface FileDiffs {
  readonly files: readonly ColouredFile[];
  /** The number of files in the change. */
  readonly total: number;
  /** The new name of the next file, if there are more. */
  readonly next: string | undefined;
}

/** Nobody lists more files than this. */
const MAX_FILES = 20_000;

/**
 * Diffs of some of the files of a change, within limits.
 * @throws CorruptObject if an object is missing
 */
export function fileDiffs(store: ObjectSource, request: FileDiffRequest): FileDiffs {
  const { only, skip = 0, skipTo, limit } = request;
  const newTree = treeOf(store, request.to);
  const options = { ...request.options, ...byAttributes(store, newTree) };
  const { files: changed } = changedFiles(store, oldTreeOf(store, request.from, request.to), newTree, {
    ...options,
    maxFiles: MAX_FILES,
  });
  const wanted = only ? changed.filter(isOneOf(only, request.onlyByOldNames === true)) : changed;
  const first = skipTo === undefined ? 0 : wanted.findIndex((file) => file.newPath === skipTo);
  const start = Math.max(0, first) + skip;
  const budget = new Budget(options);
  const colours = request.colours ? new DiffColours(store) : undefined;
  const files = wanted.slice(start, start + limit).map((change) => {
    const file = diffOfFile(store, change, options, budget);
    return colours?.coloured(file) ?? file;
  });
  return { files, total: changed.length, next: wanted[start + limit]?.newPath };
}

function isOneOf(names: readonly string[], byOldNames: boolean) {
  const wanted = new Set(names);
  return ({ newPath, oldPath, status }: Pick<FileDiff, "newPath" | "oldPath" | "status">) =>
    byOldNames ? status !== "copied" && wanted.has(oldPath) : wanted.has(newPath);
}

/** The options set for a path by the tree's `.gitattributes`. Patterns designed to take forever set none. */
function byAttributes(store: ObjectSource, tree: Oid): DiffOptions {
  const attributes = new TreeAttributes(store, tree, { only: ["diff"] });
  let isSound = true;
  return comparedBy(new DiffDrivers(), (path) => {
    try {
      return isSound ? attributes.of(path).get("diff") : undefined;
    } catch (error) {
      if (!(error instanceof PatternsTooCostly)) throw error;
      isSound = false;
      return undefined;
    }
  });
}
