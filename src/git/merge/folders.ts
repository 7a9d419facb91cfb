import { openTree, TreeCursor } from "../diff/cursor.ts";
import type { Overlay } from "../objects/overlay.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isFolder, MODE_TREE } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import { canonicalMode, nameOf, parentOf, type Version } from "./state.ts";

interface Entry {
  readonly name: string;
  readonly version: Version;
}

/**
 * A folder that was looked into. What all three trees have in common there stays bytes: `kept` are ranges of `data`,
 * in the order of a tree.
 */
export class Folder {
  private readonly kept: number[] = [];
  private readonly entries: Entry[] = [];
  private readonly dropped = new Set<string>();
  private names: Map<string, Version> | undefined;

  constructor(private readonly data: Buffer) {}

  keep(start: number, end: number): void {
    const { kept } = this;
    if (kept.length > 0 && kept[kept.length - 1] === start) kept[kept.length - 1] = end;
    else kept.push(start, end);
  }

  put(name: string, version: Version): void {
    this.entries.push({ name, version });
  }

  /** What is kept under a name. */
  find(name: string, store: ObjectSource): Version | undefined {
    if (!this.names) {
      this.names = new Map();
      for (const { cursor } of this.walk(store))
        this.names.set(cursor.latin1Name(), { mode: canonicalMode(cursor.mode), oid: cursor.oid() });
    }
    return this.dropped.has(name) ? undefined : this.names.get(name);
  }

  /** Does not keep that name any more. */
  drop(name: string): void {
    this.dropped.add(name);
  }

  private *walk(store: ObjectSource): Generator<{ cursor: TreeCursor; start: number; end: number }> {
    for (let i = 0; i < this.kept.length; i += 2) {
      const offset = this.kept[i]!;
      const cursor = new TreeCursor(this.data.subarray(offset, this.kept[i + 1]!), store.format);
      let start = 0;
      while (cursor.next()) {
        const end = cursor.oidStart + store.format.oidBytes;
        yield { cursor, start: offset + start, end: offset + end };
        start = end;
      }
    }
  }

  /** Makes the tree; undefined when nothing is in it. */
  write(store: Overlay): Oid | undefined {
    if (this.kept.length === 0 && this.entries.length === 0) return undefined;
    const made = this.entries
      .map(({ name, version }) => ({ key: sortKey(name, version.mode), bytes: entryBytes(name, version) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    const pieces: Uint8Array[] = [];
    let next = 0;
    if (made.length === 0 && this.dropped.size === 0) this.copyFrom(0, pieces);
    else {
      for (const { cursor, start, end } of this.walk(store)) {
        if (next === made.length && this.dropped.size === 0) {
          this.copyFrom(start, pieces);
          break;
        }
        const name = cursor.latin1Name();
        const key = sortKey(name, cursor.mode);
        while (next < made.length && made[next]!.key < key) pieces.push(made[next++]!.bytes);
        if (!this.dropped.has(name)) pieces.push(this.data.subarray(start, end));
      }
    }
    while (next < made.length) pieces.push(made[next++]!.bytes);
    return pieces.length === 0 ? undefined : store.put("tree", Buffer.concat(pieces));
  }

  private copyFrom(start: number, pieces: Uint8Array[]): void {
    for (let i = 0; i < this.kept.length; i += 2)
      if (this.kept[i + 1]! > start) pieces.push(this.data.subarray(Math.max(start, this.kept[i]!), this.kept[i + 1]!));
  }
}

/** All folders that were looked into, by path; "" is the root. */
export class Folders {
  private readonly byPath = new Map<string, Folder>();

  constructor(private readonly store: Overlay) {}

  add(path: string, folder: Folder): void {
    this.byPath.set(path, folder);
  }

  /** Puts what a merge made of a path into its folder. */
  put(path: string, version: Version): void {
    const parent = parentOf(path);
    let folder = this.byPath.get(parent);
    if (!folder) {
      folder = new Folder(Buffer.alloc(0));
      this.byPath.set(parent, folder);
    }
    folder.put(nameOf(path), version);
  }

  /** What all three trees have at a path, if its folder was looked into. */
  kept(path: string): Version | undefined {
    return this.byPath.get(parentOf(path))?.find(nameOf(path), this.store);
  }

  /** Looks into a folder after all, so that something can be put there. */
  open(path: string, tree: Oid): void {
    this.byPath.get(parentOf(path))?.drop(nameOf(path));
    const { data } = openTree(this.store, tree);
    const folder = new Folder(data);
    folder.keep(0, data.length);
    this.byPath.set(path, folder);
  }

  write(path: string): Oid | undefined {
    return this.byPath.get(path)?.write(this.store);
  }
}

function sortKey(name: string, mode: number): string {
  return isFolder(mode) ? `${name}/` : name;
}

function entryBytes(name: string, { mode, oid }: Version): Uint8Array {
  const head = Buffer.from(`${(mode === 0 ? MODE_TREE : mode).toString(8)} ${name}\0`, "latin1");
  return Buffer.concat([head, Buffer.from(oid, "hex")]);
}
