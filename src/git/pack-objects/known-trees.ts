import { CorruptObject } from "../errors.ts";
import { eachTreeEntry, isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { Catalog } from "./catalog.ts";
import type { Selection } from "./selection.ts";

/**
 * Flags what is in the trees the client has (`had`), as far as the trees that are to be sent (`wanted`) make it
 * matter: both are entered side by side, path by path, and where only one of them has a folder no one looks into it.
 * So a small change in a large tree costs the folders on its path. What moved from one folder to another may be sent
 * though the client has it; nothing it lacks is ever left out. (git's `pack.useSparse` does the same.)
 */
export function markKnownTrees(
  catalog: Catalog,
  selection: Selection,
  wanted: Iterable<number>,
  had: Iterable<number>,
  /** Told of what the client has at the path of something it lacks: the two are likely versions of one file or folder. */
  onVersion?: (lacked: number, known: number) => void,
): void {
  const stack = [{ wanted: new Set(wanted), had: new Set(had) }];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const hadFolders = new Map<string, Set<number>>();
    const hadFiles = new Map<string, number>();
    let anyTree = -1;
    for (const tree of pair.had) {
      selection.markKnown(tree);
      anyTree = tree;
      eachChild(catalog, tree, onVersion !== undefined, (child, name, folder) => {
        selection.markKnown(child);
        if (folder) entry(hadFolders, name).add(child);
        else if (onVersion) hadFiles.set(name, child);
      });
    }
    if (hadFolders.size === 0 && hadFiles.size === 0) continue;
    const wantedFolders = new Map<string, Set<number>>();
    for (const tree of pair.wanted) {
      if (selection.isKnown(tree)) continue;
      onVersion?.(tree, anyTree);
      eachChild(catalog, tree, onVersion !== undefined, (child, name, folder) => {
        if (selection.isKnown(child)) return;
        if (folder && hadFolders.has(name)) entry(wantedFolders, name).add(child);
        const known = folder ? undefined : hadFiles.get(name);
        if (known !== undefined) onVersion?.(child, known);
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

/** Calls with each child we have, and with its name when it is a folder, or for files, too. A tree that we lack has none. */
function eachChild(
  catalog: Catalog,
  tree: number,
  withFiles: boolean,
  visit: (child: number, name: string, folder: boolean) => void,
): void {
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
    const folder = isTreeMode(mode);
    if (child >= 0) visit(child, folder || withFiles ? bytes.toString("latin1", nameStart, nameEnd) : "", folder);
    return true;
  });
}
