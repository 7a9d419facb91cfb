import { isRegular } from "../diff/renames.ts";
import { type MergeOptions, mergeTrees } from "../merge/merge-trees.ts";
import type { MergeResult } from "../merge/result.ts";
import { decodeName } from "../objects/names.ts";
import { MODE_FILE } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { entryAt } from "../trees.ts";
import { applyPatch } from "./apply.ts";
import { editTree, type NewEntry } from "./edit-tree.ts";
import type { FilePatch } from "./patch.ts";

/**
 * Applies a patch to the files it was made from, which its `index` lines name, and merges the result into a tree, as
 * `git apply --3way` does where hunks do not fit.
 * @returns undefined if a file that the patch was made from is not stored
 * @throws PatchRefused if the patch does not fit even the files it was made from; CorruptObject if an object is missing
 */
export function applyThreeWay(
  overlay: Overlay,
  tree: Oid,
  patches: readonly FilePatch[],
  options: MergeOptions = {},
): MergeResult | undefined {
  const preimages = new Map<string, NewEntry>();
  for (const patch of patches) {
    const { oldName, oldOid, oldMode } = patch;
    if (oldName === undefined || patch.isNew) {
      if (patch.newName !== undefined) preimages.set(nameOf(patch.newName), undefined);
      continue;
    }
    const path = nameOf(oldName);
    const present = entryAt(overlay, tree, path);
    const [blob, ...others] = oldOid.length < 4 ? [] : overlay.findByPrefix(oldOid, 2);
    if (blob === undefined || others.length > 0 || overlay.header(blob)?.type !== "blob") return undefined;
    const mode = oldMode !== 0 ? oldMode : present && isRegular(present.mode) ? present.mode : MODE_FILE;
    preimages.set(path, { mode, oid: blob });
  }
  const base = editTree(overlay, tree, preimages);
  const { tree: theirs } = applyPatch(overlay, base, patches);
  return mergeTrees(overlay, {
    base,
    ours: tree,
    theirs,
    labels: { base: "base", ours: "ours", theirs: "theirs" },
    options,
  });
}

function nameOf(latin1: string): string {
  return decodeName(Buffer.from(latin1, "latin1"));
}
