import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "./format.ts";
import type { ObjectSource } from "./source.ts";
import { canonicalMode, isTreeMode } from "./tree.ts";
import type { Oid } from "./types.ts";

/** The mode bits that distinguish files, symlinks, directories and submodules. */
export const MODE_KIND = 0o170000;

/** Iterates over a stored tree (repeated `<octal mode> <name>\0<bytes of id>`) without allocating objects. */
export class TreeCursor {
  /** The mode as normalized by `canonicalMode`. */
  mode = 0;
  nameStart = 0;
  nameEnd = 0;
  /** Offset of the bytes of the entry's id. */
  oidStart = 0;
  readonly data: Buffer;
  private at = 0;

  constructor(
    data: Uint8Array,
    private readonly format: ObjectFormat,
  ) {
    this.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Moves to the next entry; returns false at the end. @throws CorruptObject when the bytes are not a tree */
  next(): boolean {
    const data = this.data;
    let at = this.at;
    if (at >= data.length) return false;
    let mode = 0;
    for (let byte = data[at++]!; byte !== 0x20; byte = data[at++]!) {
      if (!(byte >= 0x30 && byte <= 0x37)) throw new CorruptObject("a tree has a bad mode");
      mode = (mode << 3) | (byte - 0x30);
    }
    if (at === this.at + 1) throw new CorruptObject("a tree has an entry without a mode");
    this.nameStart = at;
    while (data[at] !== 0) if (++at >= data.length) throw new CorruptObject("a tree ends within a name");
    this.nameEnd = at;
    this.oidStart = at + 1;
    this.at = at + 1 + this.format.oidBytes;
    if (this.at > data.length) throw new CorruptObject("a tree ends within an id");
    this.mode = canonicalMode(mode);
    return true;
  }

  /** Skips the entries both trees have in common from here, comparing bytes instead of reading entry by entry. */
  skipSame(other: TreeCursor): void {
    const { data, at } = this;
    const max = Math.min(data.length - at, other.data.length - other.at);
    let same = 0;
    for (let piece = 1024; piece >= 64; piece >>= 2) {
      while (same + piece <= max && this.sameBytes(other, same, piece)) same += piece;
    }
    const { oidBytes } = this.format;
    let passed = 0;
    for (let next = 0; next <= same; next++) {
      passed = next;
      // Neither a mode nor a name contains a NUL.
      while (data[at + next] !== 0 && next < same) next++;
      next += oidBytes;
    }
    this.at += passed;
    other.at += passed;
  }

  private sameBytes(other: TreeCursor, from: number, length: number): boolean {
    const [mine, theirs] = [this.at + from, other.at + from];
    return this.data.compare(other.data, theirs, theirs + length, mine, mine + length) === 0;
  }

  get isTree(): boolean {
    return isTreeMode(this.mode);
  }

  oid(): Oid {
    return this.data.toString("hex", this.oidStart, this.oidStart + this.format.oidBytes);
  }

  /** The name, one character per byte. */
  latin1Name(): string {
    return this.data.toString("latin1", this.nameStart, this.nameEnd);
  }

  /** Whether id and mode equal those of the other cursor's entry. */
  sameContent(other: TreeCursor): boolean {
    if (this.mode !== other.mode) return false;
    for (let i = 0; i < this.format.oidBytes; i++)
      if (this.data[this.oidStart + i] !== other.data[other.oidStart + i]) return false;
    return true;
  }

  /** Compares the two entries in tree order: by bytes, directories as if their name ended in a slash. */
  compare(other: TreeCursor): number {
    const length = Math.min(this.nameEnd - this.nameStart, other.nameEnd - other.nameStart);
    for (let i = 0; i < length; i++) {
      const order = this.data[this.nameStart + i]! - other.data[other.nameStart + i]!;
      if (order !== 0) return order;
    }
    return this.endAt(length) - other.endAt(length);
  }

  /** Compares the two names by bytes alone. */
  compareNames(other: TreeCursor): number {
    return this.data.compare(other.data, other.nameStart, other.nameEnd, this.nameStart, this.nameEnd);
  }

  private endAt(length: number): number {
    const at = this.nameStart + length;
    if (at < this.nameEnd) return this.data[at]!;
    return this.isTree ? 0x2f : 0;
  }
}

/** Reads the bytes of a tree. @throws CorruptObject when it is missing or not a tree */
export function readTree(store: ObjectSource, oid: Oid): Uint8Array {
  const object = store.read(oid);
  if (!object) throw new CorruptObject(`tree ${oid} is missing`);
  if (object.type !== "tree") throw new CorruptObject(`${oid} is a ${object.type}, not a tree`);
  return object.data;
}

/** Opens a cursor over a stored tree. @throws CorruptObject when it is missing or not a tree */
export function openTree(store: ObjectSource, oid: Oid): TreeCursor {
  return new TreeCursor(readTree(store, oid), store.format);
}

export interface FoundEntry {
  readonly mode: number;
  readonly oid: Oid;
}

/** Finds an entry by name (latin1, one character per byte). @throws CorruptObject when the bytes are not a tree */
export function findEntry(cursor: TreeCursor, name: string): FoundEntry | undefined {
  const wanted = Buffer.from(name, "latin1");
  while (cursor.next()) {
    if (cursor.nameEnd - cursor.nameStart !== wanted.length) continue;
    let i = 0;
    while (i < wanted.length && cursor.data[cursor.nameStart + i] === wanted[i]) i++;
    if (i === wanted.length) return { mode: cursor.mode, oid: cursor.oid() };
  }
  return undefined;
}
