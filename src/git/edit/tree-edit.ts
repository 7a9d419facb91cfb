import { hashObject } from "../objects/hash.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK, MODE_TREE, parseTree, serializeTree, type TreeEntry } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import type { NewObject } from "../odb/write.ts";
import { FILE_MODES, partsOfNewPath } from "./paths.ts";
import { EditRefused } from "./refused.ts";

interface Folder {
  readonly entries: Map<string, TreeEntry>;
  /** Folders that were entered, by name. */
  readonly entered: Map<string, Folder>;
  /** Something in it, or below it, is not as it was. */
  isChanged: boolean;
}

/**
 * A tree that is being changed in memory: folders are read when an edit enters them, and only changed ones are written
 * again. There is no work tree, and a symbolic link is an entry like any other: nothing is ever written through one, nor
 * through a submodule.
 */
export class TreeEdit {
  private readonly root: Folder;

  /** @param tree undefined: nothing is there yet */
  constructor(
    private readonly store: ObjectSource,
    private readonly tree: Oid | undefined,
  ) {
    this.root = this.open(tree);
  }

  /** What is at a path now, edits included; undefined when there is nothing. A changed folder is told as an empty tree. */
  find(path: string): TreeEntry | undefined {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder: Folder | undefined = this.root;
    for (const part of parts) folder = folder && this.enter(folder, part);
    return folder && this.entryIn(folder, name);
  }

  /**
   * Puts an entry at a path, in place of what file or link is there.
   * @throws EditRefused a path or mode that no tree may have; a folder is there, or an element above is no folder
   */
  put(path: string, mode: number, oid: Oid): void {
    if (!FILE_MODES.has(mode)) throw new EditRefused("bad entry", path, `no file has the mode ${mode.toString(8)}`);
    const parts = partsOfNewPath(path, mode, this.store.format);
    const name = parts.pop() ?? "";
    let folder = this.root;
    const way = [folder];
    for (const [at, part] of parts.entries()) {
      const there = this.entryIn(folder, part);
      if (there && !isTreeMode(there.mode)) {
        const above = parts.slice(0, at + 1).join("/");
        throw new EditRefused("no folder", above, `${describe(there.mode)} is in the way [path: ${above}]`);
      }
      folder = this.enter(folder, part) ?? makeFolder(folder, part);
      way.push(folder);
    }
    const there = this.entryIn(folder, name);
    if (there && isTreeMode(there.mode))
      throw new EditRefused("is a folder", path, `a folder is there [path: ${path}]`);
    folder.entered.delete(name);
    folder.entries.set(name, { mode, name, oid });
    for (const each of way) each.isChanged = true;
  }

  /** Takes an entry away, and the folders that become empty with it. Answers whether there was one. */
  remove(path: string): boolean {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder: Folder | undefined = this.root;
    const way = [folder];
    for (const part of parts) {
      folder = folder && this.enter(folder, part);
      if (folder) way.push(folder);
    }
    if (!folder || !this.entryIn(folder, name)) return false;
    folder.entries.delete(name);
    folder.entered.delete(name);
    for (const each of way) each.isChanged = true;
    return true;
  }

  /** The tree objects to store, folders before what holds them, and the id of the root. */
  write(): { objects: NewObject[]; tree: Oid } {
    if (!this.root.isChanged && this.tree !== undefined) return { objects: [], tree: this.tree };
    const objects: NewObject[] = [];
    return { objects, tree: this.writeFolder(this.root, objects) };
  }

  private writeFolder(folder: Folder, objects: NewObject[]): Oid {
    for (const [name, inner] of folder.entered) {
      if (!inner.isChanged) continue;
      if (isEmpty(inner)) folder.entries.delete(name);
      else folder.entries.set(name, { mode: MODE_TREE, name, oid: this.writeFolder(inner, objects) });
    }
    const data = serializeTree([...folder.entries.values()]);
    objects.push({ type: "tree", data });
    return hashObject(this.store.format, "tree", data);
  }

  /** A folder whose last file was taken away is not there any more, one that was just made is. */
  private entryIn(folder: Folder, name: string): TreeEntry | undefined {
    const inner = folder.entered.get(name);
    if (!inner?.isChanged) return folder.entries.get(name);
    return isEmpty(inner) ? undefined : { mode: MODE_TREE, name, oid: this.store.format.emptyTree };
  }

  private enter(folder: Folder, name: string): Folder | undefined {
    const open = folder.entered.get(name);
    if (open) return open;
    const there = folder.entries.get(name);
    if (!there || !isTreeMode(there.mode)) return undefined;
    const inner = this.open(there.oid);
    folder.entered.set(name, inner);
    return inner;
  }

  private open(tree: Oid | undefined): Folder {
    const object = tree === undefined ? undefined : this.store.read(tree);
    const entries = object?.type === "tree" ? parseTree(object.data, this.store.format) : [];
    return { entries: new Map(entries.map((entry) => [entry.name, entry])), entered: new Map(), isChanged: false };
  }
}

function makeFolder(folder: Folder, name: string): Folder {
  const inner: Folder = { entries: new Map(), entered: new Map(), isChanged: false };
  folder.entered.set(name, inner);
  return inner;
}

/** Whether nothing is left in a folder: entries that were entered count by what is left in them. */
function isEmpty(folder: Folder): boolean {
  for (const name of folder.entries.keys()) if (!folder.entered.get(name)?.isChanged) return false;
  for (const inner of folder.entered.values()) if (inner.isChanged && !isEmpty(inner)) return false;
  return true;
}

function describe(mode: number): string {
  return mode === MODE_GITLINK ? "a submodule" : (mode & 0o170000) === 0o120000 ? "a symbolic link" : "a file";
}
