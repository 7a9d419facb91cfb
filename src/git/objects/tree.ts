import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "./format.ts";
import { oidAt, writeOid } from "./hash.ts";
import { decodeName, encodeName } from "./names.ts";
import type { Oid } from "./types.ts";

/**
 * A tree is a run of entries, sorted by name with `/` imagined after the name of a directory:
 *
 *     mode in octal digits | space | name (bytes without NUL and /) | NUL | object id (20 or 32 bytes)
 */

export const MODE_TREE = 0o040000;
export const MODE_FILE = 0o100644;
export const MODE_EXECUTABLE = 0o100755;
export const MODE_SYMLINK = 0o120000;
/** A submodule: the id names a commit of another repository. */
export const MODE_GITLINK = 0o160000;

export interface TreeEntry {
  readonly mode: number;
  /** Decoded by `decodeName`: a byte that is not UTF-8 is a lone surrogate. */
  readonly name: string;
  readonly oid: Oid;
}

/** Return false to stop the walk. The name is at `nameStart` to `nameEnd` in the data, the id at `oidStart`. */
export type TreeVisitor = (mode: number, nameStart: number, nameEnd: number, oidStart: number) => boolean | undefined;

/**
 * Calls `visit` for every entry in stored order, allocating nothing.
 * @throws CorruptObject when the data is not a run of entries
 */
export function eachTreeEntry(data: Uint8Array, format: ObjectFormat, visit: TreeVisitor): void {
  const { oidBytes } = format;
  const end = data.length;
  let at = 0;
  while (at < end) {
    let mode = 0;
    const start = at;
    for (;;) {
      const code = at < end ? data[at]! : 0;
      at++;
      if (code === 0x20) break;
      if (code < 0x30 || code > 0x37) throw new CorruptObject("tree entry with a malformed mode");
      // git keeps the last thirty-two bits, however many digits there are.
      mode = (mode << 3) | (code - 0x30);
    }
    if (at - start === 1) throw new CorruptObject("tree entry without a mode");
    const nameStart = at;
    while (at < end && data[at] !== 0) at++;
    const oidStart = at + 1;
    if (oidStart + oidBytes > end) throw new CorruptObject("tree is cut short");
    at = oidStart + oidBytes;
    if (visit(canonicalMode(mode), nameStart, oidStart - 1, oidStart) === false) return;
  }
}

/**
 * All entries in stored order.
 * @throws CorruptObject when the data is not a run of entries
 */
export function parseTree(data: Uint8Array, format: ObjectFormat): TreeEntry[] {
  const entries: TreeEntry[] = [];
  eachTreeEntry(data, format, (mode, nameStart, nameEnd, oidStart) => {
    entries.push({ mode, name: decodeName(data, nameStart, nameEnd), oid: oidAt(format, data, oidStart) });
    return true;
  });
  return entries;
}

/** Serializes a tree with these entries, in git's order. The caller must check names and modes. */
export function serializeTree(entries: readonly TreeEntry[]): Uint8Array {
  const prepared = entries
    .map((entry) => ({ entry, name: encodeName(entry.name), directory: isTreeMode(entry.mode) }))
    .sort((a, b) => compareTreeNames(a.name, 0, a.name.length, a.directory, b.name, 0, b.name.length, b.directory));
  const modes = prepared.map(({ entry }) => entry.mode.toString(8));
  let size = 0;
  for (let i = 0; i < prepared.length; i++)
    size += modes[i]!.length + prepared[i]!.name.length + 2 + prepared[i]!.entry.oid.length / 2;
  const data = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < prepared.length; i++) {
    const mode = modes[i]!;
    for (let k = 0; k < mode.length; k++) data[at++] = mode.charCodeAt(k);
    data[at++] = 0x20;
    data.set(prepared[i]!.name, at);
    at += prepared[i]!.name.length + 1;
    writeOid(prepared[i]!.entry.oid, data, at);
    at += prepared[i]!.entry.oid.length / 2;
  }
  return data;
}

/**
 * The mode as git interprets it: for files only the executable bit counts, and anything that is not a file, symlink or
 * directory is a submodule. Early git and other tools have left other modes (`100664`, `40755`) in many histories.
 */
export function canonicalMode(mode: number): number {
  switch (mode) {
    case MODE_TREE:
    case MODE_FILE:
    case MODE_EXECUTABLE:
    case MODE_SYMLINK:
      return mode;
  }
  const kind = mode & 0o170000;
  if (kind === (MODE_FILE & 0o170000)) return mode & 0o100 ? MODE_EXECUTABLE : MODE_FILE;
  return kind === MODE_SYMLINK || kind === MODE_TREE ? kind : MODE_GITLINK;
}

export function isTreeMode(mode: number): boolean {
  return (mode & 0o170000) === MODE_TREE;
}

/** The type of the object that an entry with this mode refers to. */
export function typeOfMode(mode: number): "tree" | "commit" | "blob" {
  if (isTreeMode(mode)) return "tree";
  return (mode & 0o170000) === MODE_GITLINK ? "commit" : "blob";
}

/** Compares two entry names, given as byte ranges, in git's order: as bytes, a directory's name ending in `/`. */
export function compareTreeNames(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  aDirectory: boolean,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
  bDirectory: boolean,
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < shared; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference !== 0) return difference;
  }
  const aNext = aStart + shared < aEnd ? a[aStart + shared]! : aDirectory ? 0x2f : 0;
  const bNext = bStart + shared < bEnd ? b[bStart + shared]! : bDirectory ? 0x2f : 0;
  return aNext - bNext;
}
