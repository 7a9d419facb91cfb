import { TreeAttributes } from "../../git/attributes/tree.ts";
import { changedFiles } from "../../git/diff/changes.ts";
import { oldTreeOf, treeOf } from "../../git/diff/diff.job.ts";
import { Budget, type DiffOptions, diffOfFile, type FileDiff } from "../../git/diff/file-diff.ts";
import { comparedBy, DiffDrivers } from "../../git/diff/functions/drivers.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { PatternsTooCostly } from "../../git/patterns/glob.ts";
import { type ColouredFile, DiffColours } from "./coloured.ts";

/** Which files of a change a page wants. */
export interface FileDiffRequest {
  readonly to: Oid;
  /** Left out: the first parent of `to`, or nothing when that is a root commit. */
  readonly from?: Oid | undefined;
  readonly options: DiffOptions;
  /** Begin at the file of this name; at the first one when there is none of that name. */
  readonly skipTo?: string | undefined;
  /** Only these files, by their new names. */
  readonly only?: readonly string[] | undefined;
  /** `only` has the names that files had; a copy is not its original. */
  readonly onlyByOldNames?: boolean | undefined;
  /** So many files are passed over. */
  readonly skip?: number | undefined;
  /** Files at most. */
  readonly limit: number;
  /** Lines come in the colours of their language. */
  readonly colours?: boolean | undefined;
}

export interface FileDiffs {
  readonly files: readonly ColouredFile[];
  /** How many files the change has. */
  readonly total: number;
  /** The new name of the first file after those, when there are more. */
  readonly next: string | undefined;
}

/** More files than that are not listed by anybody. */
const MAX_FILES = 20_000;

/**
 * Some of the files of a change, with their lines, within limits.
 * @throws CorruptObject when an object is missing
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

/** What the tree's `.gitattributes` say of a path. Patterns made to take forever say nothing. */
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
