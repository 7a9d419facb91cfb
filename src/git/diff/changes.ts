import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { FileChange } from "./change.ts";
import type { PathFilter } from "./paths.ts";
import { findRenames, MAX_SCORE, type RenameOptions, type RenamePair } from "./renames.ts";
import { diffTrees, type RawChange } from "./tree.ts";

export interface ChangesOptions extends RenameOptions {
  /** Only this file, or files in this directory. Renames across its border then appear as additions and deletions. */
  readonly within?: string | undefined;
  /** Only paths that match, with the same effect on renames. */
  readonly paths?: PathFilter | undefined;
  /** Whether to detect renames; true by default. */
  readonly renames?: boolean | undefined;
  /** `-R`: swaps the old and new trees. */
  readonly reverse?: boolean | undefined;
  /** List differing directories themselves without descending into them, like `diff-tree` without `-r`. */
  readonly flat?: boolean | undefined;
  /** `-t`: list differing directories before the changes in them. */
  readonly directories?: boolean | undefined;
  /** Stop after this many paths; 100,000 by default. */
  readonly maxFiles?: number | undefined;
}

export interface Changes {
  readonly files: FileChange[];
  /** Whether more paths differ than are listed; renames are not detected in that case. */
  readonly truncated: boolean;
}

/**
 * The files that differ between two trees, in the order of `git diff`, with renames paired.
 * @param oldTree undefined for no old tree (a root commit)
 * @throws CorruptObject when a tree or a blob is missing
 */
export function changedFiles(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  options: ChangesOptions = {},
): Changes {
  const maxFiles = options.maxFiles ?? 100_000;
  const renames = options.renames ?? true;
  const raw: RawChange[] = [];
  let truncated = false;
  diffTrees(
    store,
    oldTree,
    newTree,
    (change) => {
      if (raw.length < maxFiles) raw.push(options.reverse ? reversed(change) : change);
      else truncated = true;
      return !truncated;
    },
    {
      within: options.within,
      paths: options.paths,
      flat: options.flat,
      directories: options.directories,
      unchanged: renames && options.copies && options.copiesHarder,
    },
  );
  if (truncated || !renames) return { files: raw.filter(differs).map(plainChange), truncated };
  return { files: withRenames(raw, findRenames(store, raw, options)), truncated: false };
}

/** The files in order: renames and copies are listed under their new names only. */
function withRenames(raw: readonly RawChange[], pairs: ReadonlyMap<RawChange, RenamePair>): FileChange[] {
  if (pairs.size === 0) return raw.filter(differs).map(plainChange);
  const uses = new Map<RawChange, number>();
  for (const { from } of pairs.values()) uses.set(from, (uses.get(from) ?? 0) + 1);
  const files: FileChange[] = [];
  for (const change of raw) {
    const pair = pairs.get(change);
    if (!pair) {
      if (differs(change) && !(change.newMode === 0 && uses.has(change))) files.push(plainChange(change));
      continue;
    }
    const { from, score } = pair;
    // When a deleted file has several targets, the last one is the rename and the others are copies.
    const left = uses.get(from)! - 1;
    uses.set(from, left);
    files.push({
      status: left > 0 || from.newMode !== 0 ? "copied" : "renamed",
      oldPath: nameOf(from.path),
      newPath: nameOf(change.path),
      oldMode: from.oldMode,
      newMode: change.newMode,
      oldOid: from.oldOid,
      newOid: change.newOid,
      similarity: Math.floor((score * 100) / MAX_SCORE),
    });
  }
  return files;
}

function reversed({ path, oldMode, newMode, oldOid, newOid }: RawChange): RawChange {
  return { path, oldMode: newMode, newMode: oldMode, oldOid: newOid, newOid: oldOid };
}

function differs({ oldMode, newMode, oldOid, newOid }: RawChange): boolean {
  return oldMode !== newMode || oldOid !== newOid;
}

const ASCII = /^[\x00-\x7f]*$/;

function nameOf(path: string): string {
  return ASCII.test(path) ? path : decodeName(Buffer.from(path, "latin1"));
}

function plainChange({ path, oldMode, newMode, oldOid, newOid }: RawChange): FileChange {
  const name = nameOf(path);
  const sameKind = (oldMode & MODE_KIND) === (newMode & MODE_KIND);
  const status = oldMode === 0 ? "added" : newMode === 0 ? "deleted" : sameKind ? "modified" : "typechanged";
  return { status, oldPath: name, newPath: name, oldMode, newMode, oldOid, newOid };
}
