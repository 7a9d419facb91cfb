import type { ObjectSource } from "../objects/source.ts";
import { canonicalMode, isTreeMode, MODE_TREE } from "../objects/tree.ts";
import { openTree, TreeCursor } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { nameOf, parentOf, type Version } from "./state.ts";

interface Entry {
  readonly name: string;
  readonly version: Version;
}

/**
 * A directory the merge descended into. Entries all three trees have in common stay as bytes: `unchanged` are ranges
 * of `data`, in tree order.
 */
export class Directory {
  private readonly unchanged: number[] = [];
  private readonly entries: Entry[] = [];
  private readonly dropped = new Set<string>();
  private names: Map<string, Version> | undefined;

  constructor(private readonly data: Buffer) {}

  keep(start: number, end: number): void {
    const { unchanged } = this;
    if (unchanged.length > 0 && unchanged[unchanged.length - 1] === start) unchanged[unchanged.length - 1] = end;
    else unchanged.push(start, end);
  }

  put(name: string, version: Version): void {
    this.entries.push({ name, version });
  }

  /** The unchanged entry under a name. */
  find(name: string, store: ObjectSource): Version | undefined {
    if (!this.names) {
      this.names = new Map();
      for (const { cursor } of this.walk(store))
        this.names.set(cursor.latin1Name(), { mode: canonicalMode(cursor.mode), oid: cursor.oid() });
    }
    return this.dropped.has(name) ? undefined : this.names.get(name);
  }

  /** Drops the unchanged entry under a name. */
  drop(name: string): void {
    this.dropped.add(name);
  }

  private *walk(store: ObjectSource): Generator<{ cursor: TreeCursor; start: number; end: number }> {
    for (let i = 0; i < this.unchanged.length; i += 2) {
      const offset = this.unchanged[i]!;
      const cursor = new TreeCursor(this.data.subarray(offset, this.unchanged[i + 1]!), store.format);
      let start = 0;
      while (cursor.next()) {
        const end = cursor.oidStart + store.format.oidBytes;
        yield { cursor, start: offset + start, end: offset + end };
        start = end;
      }
    }
  }

  /** Writes the tree; returns undefined when it is empty. */
  write(store: Overlay): Oid | undefined {
    const made = this.entries
      .map(({ name, version }) => ({ key: sortKey(name, version.mode), bytes: entryBytes(name, version) }))
      .sort((a, b) => a.key.compare(b.key));
    const pieces: Uint8Array[] = [];
    let next = 0;
    /** End of the unchanged bytes taken so far, and the first range with more. */
    let taken = 0;
    let range = 0;
    const takeUpTo = (to: number) => {
      for (; range < this.unchanged.length; range += 2) {
        const start = Math.max(taken, this.unchanged[range]!);
        const end = Math.min(to, this.unchanged[range + 1]!);
        if (start < end) pieces.push(this.data.subarray(start, end));
        if (this.unchanged[range + 1]! > to) break;
      }
    };
    if (made.length > 0 || this.dropped.size > 0) {
      for (const { cursor, start, end } of this.walk(store)) {
        if (next === made.length && this.dropped.size === 0) break;
        const from = next;
        while (next < made.length && comesBefore(made[next]!.key, cursor)) next++;
        const dropped = this.dropped.size > 0 && this.dropped.has(cursor.latin1Name());
        if (next === from && !dropped) continue;
        takeUpTo(start);
        for (let i = from; i < next; i++) pieces.push(made[i]!.bytes);
        taken = dropped ? end : start;
      }
    }
    takeUpTo(Number.POSITIVE_INFINITY);
    while (next < made.length) pieces.push(made[next++]!.bytes);
    return pieces.length === 0 ? undefined : store.put("tree", Buffer.concat(pieces));
  }
}

/** All directories the merge descended into, by path; "" is the root. */
export class Directories {
  private readonly byPath = new Map<string, Directory>();

  constructor(private readonly store: Overlay) {}

  add(path: string, directory: Directory): void {
    this.byPath.set(path, directory);
  }

  /** Puts the merged version of a path into its directory. */
  put(path: string, version: Version): void {
    const parent = parentOf(path);
    let directory = this.byPath.get(parent);
    if (!directory) {
      directory = new Directory(Buffer.alloc(0));
      this.byPath.set(parent, directory);
    }
    directory.put(nameOf(path), version);
  }

  /** The entry all three trees have at a path, if the merge descended into its directory. */
  unchanged(path: string): Version | undefined {
    return this.byPath.get(parentOf(path))?.find(nameOf(path), this.store);
  }

  /** Opens a directory taken as a whole, so that entries can be put into it. */
  open(path: string, tree: Oid): void {
    this.byPath.get(parentOf(path))?.drop(nameOf(path));
    const { data } = openTree(this.store, tree);
    const directory = new Directory(data);
    directory.keep(0, data.length);
    this.byPath.set(path, directory);
  }

  write(path: string): Oid | undefined {
    return this.byPath.get(path)?.write(this.store);
  }
}

/** The bytes to sort an entry by. */
function sortKey(name: string, mode: number): Buffer {
  return Buffer.from(isTreeMode(mode) ? `${name}/` : name, "latin1");
}

function comesBefore(key: Buffer, { data, nameStart, nameEnd, isTree }: TreeCursor): boolean {
  const length = Math.min(key.length, nameEnd - nameStart);
  for (let i = 0; i < length; i++) {
    const order = key[i]! - data[nameStart + i]!;
    if (order !== 0) return order < 0;
  }
  if (key.length > length) return isTree && key[length]! < SLASH;
  return length < nameEnd - nameStart || isTree;
}

const SLASH = 0x2f;

function entryBytes(name: string, { mode, oid }: Version): Uint8Array {
  const head = Buffer.from(`${(mode === 0 ? MODE_TREE : mode).toString(8)} ${name}\0`, "latin1");
  return Buffer.concat([head, Buffer.from(oid, "hex")]);
}
