import { CorruptObject } from "../errors.ts";
import { eachTreeEntry, isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { Catalog } from "./catalog.ts";
import type { Selection } from "./selection.ts";

/**
 * Marks the contents of the trees the client has (`had`) as uninteresting, as far as relevant to the trees to send
 * (`wanted`): both are walked side by side, path by path, and directories only one of them has are not entered.
 * So a small change in a large tree costs only the directories on its path. Files moved between directories may be sent
 * although the client has them; nothing it lacks is ever omitted. (git's `pack.useSparse` does the same.)
 */
export function markTreesUninteresting(
  catalog: Catalog,
  selection: Selection,
  wanted: Iterable<number>,
  had: Iterable<number>,
  /** Called with the client's object at the path of one it lacks: likely versions of the same file or directory. */
  onPreferredBase?: (lacked: number, had: number) => void,
): void {
  const stack = [{ wanted: new Set(wanted), had: new Set(had) }];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const hadTrees = new Map<string, Set<number>>();
    const hadFiles = new Map<string, number>();
    let anyTree = -1;
    for (const tree of pair.had) {
      selection.markUninteresting(tree);
      anyTree = tree;
      eachChild(catalog, tree, onPreferredBase !== undefined, (child, name, isTree) => {
        selection.markUninteresting(child);
        if (isTree) entry(hadTrees, name).add(child);
        else if (onPreferredBase) hadFiles.set(name, child);
      });
    }
    if (hadTrees.size === 0 && hadFiles.size === 0) continue;
    const wantedTrees = new Map<string, Set<number>>();
    for (const tree of pair.wanted) {
      if (selection.isUninteresting(tree)) continue;
      onPreferredBase?.(tree, anyTree);
      eachChild(catalog, tree, onPreferredBase !== undefined, (child, name, isTree) => {
        if (selection.isUninteresting(child)) return;
        if (isTree && hadTrees.has(name)) entry(wantedTrees, name).add(child);
        const had = isTree ? undefined : hadFiles.get(name);
        if (had !== undefined) onPreferredBase?.(child, had);
      });
    }
    for (const [isTree, below] of wantedTrees) stack.push({ wanted: below, had: hadTrees.get(isTree)! });
  }
}

function entry(map: Map<string, Set<number>>, key: string): Set<number> {
  const had = map.get(key);
  if (had) return had;
  const made = new Set<number>();
  map.set(key, made);
  return made;
}

/** Visits each child that exists, with its name if it is a directory or `withFiles` is set. Ignores missing trees. */
function eachChild(
  catalog: Catalog,
  tree: number,
  withFiles: boolean,
  visit: (child: number, name: string, isTree: boolean) => void,
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
    const isTree = isTreeMode(mode);
    if (child >= 0) visit(child, isTree || withFiles ? bytes.toString("latin1", nameStart, nameEnd) : "", isTree);
    return true;
  });
}
