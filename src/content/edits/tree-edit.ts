import { hashObject } from "../../git/objects/hash.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { isFolder, MODE_TREE, parseTree, serializeTree, type TreeEntry } from "../../git/objects/tree.ts";
import type { GitObject, Oid } from "../../git/objects/types.ts";
import { ValidationFailed } from "../../kernel/errors.ts";

interface Folder {
  readonly entries: Map<string, TreeEntry>;
  readonly changed: Map<string, Folder>;
}

/**
 * A tree that is being changed in memory: folders are read when an edit enters them, and only changed ones are written
 * again. There is no work tree, and a symbolic link is an entry like any other: nothing is ever written through one
 * (security rules E3, E4).
 */
export class TreeEdit {
  private readonly root: Folder;

  /** @param tree undefined: nothing is there yet */
  constructor(
    private readonly store: ObjectSource,
    tree: Oid | undefined,
  ) {
    this.root = this.open(tree);
  }

  /** What is at a path now, edits included; undefined when there is nothing. */
  find(path: string): TreeEntry | undefined {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder: Folder | undefined = this.root;
    for (const part of parts) folder = folder && this.enter(folder, part);
    return folder && this.entryIn(folder, name);
  }

  /**
   * Puts an entry at a path, in place of what file or link is there.
   * @throws ValidationFailed a folder is there, or an element above is no folder
   */
  put(path: string, mode: number, oid: Oid): void {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder = this.root;
    for (const [at, part] of parts.entries()) {
      const there = this.entryIn(folder, part);
      if (there && !isFolder(there.mode))
        throw new ValidationFailed(
          `a file exists where you’re trying to create a subdirectory [path: ${parts.slice(0, at + 1).join("/")}]`,
          "path",
        );
      folder = this.enter(folder, part) ?? this.make(folder, part);
    }
    const there = this.entryIn(folder, name);
    if (there && isFolder(there.mode))
      throw new ValidationFailed(`a directory exists where you’re trying to create a file [path: ${path}]`, "path");
    folder.changed.delete(name);
    folder.entries.set(name, { mode, name, oid });
  }

  /** Takes an entry away, and the folders that become empty with it. Harmless when there is none. */
  remove(path: string): void {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder: Folder | undefined = this.root;
    for (const part of parts) folder = folder && this.enter(folder, part);
    folder?.entries.delete(name);
  }

  /** The tree objects to store, folders before what holds them, and the id of the root. */
  write(): { objects: GitObject[]; tree: Oid } {
    const objects: GitObject[] = [];
    return { objects, tree: this.writeFolder(this.root, objects) };
  }

  private writeFolder(folder: Folder, objects: GitObject[]): Oid {
    for (const [name, inner] of folder.changed) {
      const oid = this.writeFolder(inner, objects);
      if (oid === this.store.format.emptyTree) folder.entries.delete(name);
      else folder.entries.set(name, { mode: MODE_TREE, name, oid });
    }
    const data = serializeTree([...folder.entries.values()]);
    objects.push({ type: "tree", data });
    return hashObject(this.store.format, "tree", data);
  }

  /** What is there now: a folder whose last file was taken away is not, one that was just made is. */
  private entryIn(folder: Folder, name: string): TreeEntry | undefined {
    const inner = folder.changed.get(name);
    if (!inner) return folder.entries.get(name);
    return isEmpty(inner) ? undefined : { mode: MODE_TREE, name, oid: this.store.format.emptyTree };
  }

  private enter(folder: Folder, name: string): Folder | undefined {
    const open = folder.changed.get(name);
    if (open) return open;
    const there = folder.entries.get(name);
    if (!there || !isFolder(there.mode)) return undefined;
    const inner = this.open(there.oid);
    folder.changed.set(name, inner);
    return inner;
  }

  private make(folder: Folder, name: string): Folder {
    const inner: Folder = { entries: new Map(), changed: new Map() };
    folder.changed.set(name, inner);
    return inner;
  }

  private open(tree: Oid | undefined): Folder {
    const object = tree === undefined ? undefined : this.store.read(tree);
    const entries = object?.type === "tree" ? parseTree(object.data, this.store.format) : [];
    return { entries: new Map(entries.map((entry) => [entry.name, entry])), changed: new Map() };
  }
}

function isEmpty(folder: Folder): boolean {
  for (const name of folder.entries.keys()) if (!folder.changed.has(name)) return false;
  for (const inner of folder.changed.values()) if (!isEmpty(inner)) return false;
  return true;
}
