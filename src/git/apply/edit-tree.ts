import { decodeName } from "../objects/names.ts";
import { isTreeMode, MODE_TREE, serializeTree, type TreeEntry } from "../objects/tree.ts";
import { openTree } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";

/** The new entry for a path; undefined removes it. */
export type NewEntry = { readonly mode: number; readonly oid: Oid } | undefined;

/** The changes in a directory: files and links by name, and subdirectories. */
interface Changes {
  readonly entries: Map<string, NewEntry>;
  readonly directories: Map<string, Changes>;
}

/**
 * A tree with some paths changed; directories that become empty disappear, and a file is replaced by a directory of its
 * name or the other way round. New trees are added to the overlay.
 * @param changes by path, names as returned by `decodeName`
 * @throws CorruptObject if a tree is missing
 */
export function editTree(overlay: Overlay, tree: Oid | undefined, changes: ReadonlyMap<string, NewEntry>): Oid {
  const root: Changes = { entries: new Map(), directories: new Map() };
  for (const [path, entry] of changes) {
    const parts = path.split("/");
    let at = root;
    for (const part of parts.slice(0, -1)) {
      let next = at.directories.get(part);
      if (!next) {
        next = { entries: new Map(), directories: new Map() };
        at.directories.set(part, next);
      }
      at = next;
    }
    at.entries.set(parts.at(-1)!, entry);
  }
  return edit(overlay, tree, root) ?? overlay.put("tree", new Uint8Array(0));
}

function edit(overlay: Overlay, tree: Oid | undefined, changes: Changes): Oid | undefined {
  const entries = new Map<string, TreeEntry>();
  if (tree !== undefined) {
    const cursor = openTree(overlay, tree);
    while (cursor.next()) {
      const name = decodeName(cursor.data, cursor.nameStart, cursor.nameEnd);
      entries.set(name, { name, mode: cursor.mode, oid: cursor.oid() });
    }
  }
  for (const [name, entry] of changes.entries) {
    if (entry) entries.set(name, { name, ...entry });
    // If that name is now a directory in which something is to be changed, it is kept.
    else if (!changes.directories.has(name) || !isTreeMode(entries.get(name)?.mode ?? 0)) entries.delete(name);
  }
  for (const [name, below] of changes.directories) {
    const old = entries.get(name);
    const oid = edit(overlay, old && isTreeMode(old.mode) ? old.oid : undefined, below);
    if (oid !== undefined) entries.set(name, { name, mode: MODE_TREE, oid });
    else if (old && isTreeMode(old.mode)) entries.delete(name);
  }
  return entries.size === 0 ? undefined : overlay.put("tree", serializeTree([...entries.values()]));
}
