import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { FileChange } from "./change.ts";
import { MODE_KIND } from "./cursor.ts";
import { findRenames, type RenameOptions } from "./renames.ts";
import { diffTrees, type RawChange } from "./tree.ts";

export interface ChangesOptions extends RenameOptions {
  /** Only this file, or files of this folder. Renames from and to elsewhere then look like additions and deletions. */
  readonly within?: string;
  /** Look for renames; true by default. */
  readonly renames?: boolean;
  /** Stop after this many paths; 100,000 by default. */
  readonly maxFiles?: number;
}

export interface Changes {
  readonly files: FileChange[];
  /** More paths differ than were listed; renames were then not looked for. */
  readonly truncated: boolean;
}

/**
 * The files that differ between two trees, in the order of `git diff`, renames paired.
 * @param oldTree undefined: nothing was there (a root commit)
 * @throws CorruptObject when a tree or a blob is missing
 */
export function changedFiles(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  options: ChangesOptions = {},
): Changes {
  const maxFiles = options.maxFiles ?? 100_000;
  const raw: RawChange[] = [];
  let truncated = false;
  diffTrees(
    store,
    oldTree,
    newTree,
    (change) => {
      if (raw.length < maxFiles) raw.push(change);
      else truncated = true;
      return !truncated;
    },
    options.within === undefined ? {} : { within: options.within },
  );
  if (truncated || options.renames === false) return { files: raw.map(plainChange), truncated };
  const pairs = findRenames(store, raw, options);
  const moved = new Set<RawChange>();
  for (const { from, copied } of pairs.values()) if (!copied) moved.add(from);
  const files: FileChange[] = [];
  for (const change of raw) {
    const pair = pairs.get(change);
    if (pair) {
      files.push({
        status: pair.copied ? "copied" : "renamed",
        oldPath: nameOf(pair.from.path),
        newPath: nameOf(change.path),
        oldMode: pair.from.oldMode,
        newMode: change.newMode,
        oldOid: pair.from.oldOid,
        newOid: change.newOid,
        similarity: pair.similarity,
      });
    } else if (!moved.has(change)) files.push(plainChange(change));
  }
  return { files, truncated: false };
}

function nameOf(path: string): string {
  return decodeName(Buffer.from(path, "latin1"));
}

function plainChange({ path, oldMode, newMode, oldOid, newOid }: RawChange): FileChange {
  const name = nameOf(path);
  const sameKind = (oldMode & MODE_KIND) === (newMode & MODE_KIND);
  const status = oldMode === 0 ? "added" : newMode === 0 ? "deleted" : sameKind ? "modified" : "typechanged";
  return { status, oldPath: name, newPath: name, oldMode, newMode, oldOid, newOid };
}
