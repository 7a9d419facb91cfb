import { CorruptObject } from "../../errors.ts";
import { eachTreeEntry, isFolder, MODE_GITLINK } from "../../objects/tree.ts";
import type { Catalog } from "./catalog.ts";
import type { Selection } from "./selection.ts";

/**
 * Marks what is in the trees the client has (`had`), as far as the trees that are to be sent (`wanted`) make it
 * matter: both are entered side by side, path by path, and where only one of them has a folder nobody looks into it.
 * So a small change in a large tree costs the folders on its path. What moved from one folder to another may be sent
 * though the client has it; nothing it lacks is ever left out. (git's `pack.useSparse` does the same.)
 */
export function markKnownTrees(
  catalog: Catalog,
  selection: Selection,
  wanted: Iterable<number>,
  had: Iterable<number>,
): void {
  const stack = [{ wanted: new Set(wanted), had: new Set(had) }];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const hadFolders = new Map<string, Set<number>>();
    for (const tree of pair.had) {
      selection.markKnown(tree);
      eachChild(catalog, tree, (child, folder) => {
        selection.markKnown(child);
        if (folder !== undefined) entry(hadFolders, folder).add(child);
      });
    }
    if (hadFolders.size === 0) continue;
    const wantedFolders = new Map<string, Set<number>>();
    for (const tree of pair.wanted) {
      if (selection.isKnown(tree)) continue;
      eachChild(catalog, tree, (child, folder) => {
        if (folder !== undefined && hadFolders.has(folder) && !selection.isKnown(child))
          entry(wantedFolders, folder).add(child);
      });
    }
    for (const [folder, below] of wantedFolders) stack.push({ wanted: below, had: hadFolders.get(folder)! });
  }
}

function entry(map: Map<string, Set<number>>, key: string): Set<number> {
  const known = map.get(key);
  if (known) return known;
  const made = new Set<number>();
  map.set(key, made);
  return made;
}

/** Calls with each child we have, and its name when it is a folder. A tree that we lack has none. */
function eachChild(catalog: Catalog, tree: number, visit: (child: number, folder: string | undefined) => void): void {
  let data: Uint8Array;
  try {
    data = catalog.read(tree).data;
  } catch (error) {
    if (error instanceof CorruptObject) return;
    throw error;
  }
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  eachTreeEntry(data, catalog.format, (mode, nameStart, nameEnd, oidStart) => {
    if (mode === MODE_GITLINK) return true;
    const child = catalog.findAt(data, oidStart);
    if (child >= 0) visit(child, isFolder(mode) ? bytes.toString("latin1", nameStart, nameEnd) : undefined);
    return true;
  });
}
