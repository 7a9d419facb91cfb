import { hashObject } from "../objects/hash.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK, MODE_TREE, parseTree, serializeTree, type TreeEntry } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import type { NewObject } from "../odb/write.ts";
import { FILE_MODES, partsOfNewPath } from "./paths.ts";
import { EditRefused } from "./refused.ts";

interface Directory {
  readonly entries: Map<string, TreeEntry>;
  /** Directories that have been entered, by name. */
  readonly entered: Map<string, Directory>;
  /** Whether anything in it, or below it, has changed. */
  isChanged: boolean;
}

/**
 * Edits a tree in memory: directories are read when an edit enters them, and only changed ones are written. There is no
 * work tree, and a symbolic link is an entry like any other: nothing is ever written through one, nor through a
 * submodule.
 */
export class TreeEdit {
  private readonly root: Directory;

  /** @param tree undefined to start from nothing */
  constructor(
    private readonly store: ObjectSource,
    private readonly tree: Oid | undefined,
  ) {
    this.root = this.open(tree);
  }

  /**
   * The current entry at a path, including edits; undefined if there is none. A changed directory is returned as an
   * empty tree.
   */
  find(path: string): TreeEntry | undefined {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let directory: Directory | undefined = this.root;
    for (const part of parts) directory = directory && this.enter(directory, part);
    return directory && this.entryIn(directory, name);
  }

  /**
   * Puts an entry at a path, replacing any file or link.
   * @throws EditRefused if no tree may have the path or mode, a directory is there, or a parent is not a directory
   */
  put(path: string, mode: number, oid: Oid): void {
    if (!FILE_MODES.has(mode)) throw new EditRefused("bad entry", path, `no file has the mode ${mode.toString(8)}`);
    this.place(path, mode, oid);
  }

  /**
   * Moves an unchanged directory with all its contents to another path, possibly below itself.
   * @throws EditRefused if there is no such directory, something exists at the new path, or no tree may have it
   */
  moveDirectory(from: string, to: string): void {
    const present = this.find(from);
    if (!present || !isTreeMode(present.mode))
      throw new EditRefused("not a directory", from, `no directory is there [path: ${from}]`);
    if (this.find(to)) throw new EditRefused("exists", to, `something is there already [path: ${to}]`);
    this.remove(from);
    this.place(to, MODE_TREE, present.oid);
  }

  private place(path: string, mode: number, oid: Oid): void {
    const parts = partsOfNewPath(path, mode, this.store.format);
    const name = parts.pop() ?? "";
    let directory = this.root;
    const way = [directory];
    for (const [at, part] of parts.entries()) {
      const there = this.entryIn(directory, part);
      if (there && !isTreeMode(there.mode)) {
        const above = parts.slice(0, at + 1).join("/");
        throw new EditRefused("not a directory", above, `${describe(there.mode)} is in the way [path: ${above}]`);
      }
      directory = this.enter(directory, part) ?? makeDirectory(directory, part);
      way.push(directory);
    }
    const there = this.entryIn(directory, name);
    if (there && isTreeMode(there.mode))
      throw new EditRefused("is a directory", path, `a directory is there [path: ${path}]`);
    directory.entered.delete(name);
    directory.entries.set(name, { mode, name, oid });
    for (const each of way) each.isChanged = true;
  }

  /** Removes an entry, and the directories that become empty. Returns whether it existed. */
  remove(path: string): boolean {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let directory: Directory | undefined = this.root;
    const way = [directory];
    for (const part of parts) {
      directory = directory && this.enter(directory, part);
      if (directory) way.push(directory);
    }
    if (!directory || !this.entryIn(directory, name)) return false;
    directory.entries.delete(name);
    directory.entered.delete(name);
    for (const each of way) each.isChanged = true;
    return true;
  }

  /** The tree objects to store, subdirectories before their parents, and the id of the root. */
  write(): { objects: NewObject[]; tree: Oid } {
    if (!this.root.isChanged && this.tree !== undefined) return { objects: [], tree: this.tree };
    const objects: NewObject[] = [];
    return { objects, tree: this.writeDirectory(this.root, objects) };
  }

  private writeDirectory(directory: Directory, objects: NewObject[]): Oid {
    for (const [name, inner] of directory.entered) {
      if (!inner.isChanged) continue;
      if (isEmpty(inner)) directory.entries.delete(name);
      else directory.entries.set(name, { mode: MODE_TREE, name, oid: this.writeDirectory(inner, objects) });
    }
    const data = serializeTree([...directory.entries.values()]);
    objects.push({ type: "tree", data });
    return hashObject(this.store.format, "tree", data);
  }

  /** A directory whose last file was removed no longer exists; a newly created one does. */
  private entryIn(directory: Directory, name: string): TreeEntry | undefined {
    const inner = directory.entered.get(name);
    if (!inner?.isChanged) return directory.entries.get(name);
    return isEmpty(inner) ? undefined : { mode: MODE_TREE, name, oid: this.store.format.emptyTree };
  }

  private enter(directory: Directory, name: string): Directory | undefined {
    const open = directory.entered.get(name);
    if (open) return open;
    const there = directory.entries.get(name);
    if (!there || !isTreeMode(there.mode)) return undefined;
    const inner = this.open(there.oid);
    directory.entered.set(name, inner);
    return inner;
  }

  private open(tree: Oid | undefined): Directory {
    const object = tree === undefined ? undefined : this.store.read(tree);
    const entries = object?.type === "tree" ? parseTree(object.data, this.store.format) : [];
    return { entries: new Map(entries.map((entry) => [entry.name, entry])), entered: new Map(), isChanged: false };
  }
}

function makeDirectory(directory: Directory, name: string): Directory {
  const inner: Directory = { entries: new Map(), entered: new Map(), isChanged: false };
  directory.entered.set(name, inner);
  return inner;
}

/** Whether nothing is left in a directory: entered subdirectories count by what is left in them. */
function isEmpty(directory: Directory): boolean {
  for (const name of directory.entries.keys()) if (!directory.entered.get(name)?.isChanged) return false;
  for (const inner of directory.entered.values()) if (inner.isChanged && !isEmpty(inner)) return false;
  return true;
}

function describe(mode: number): string {
  return mode === MODE_GITLINK ? "a submodule" : (mode & 0o170000) === 0o120000 ? "a symbolic link" : "a file";
}
