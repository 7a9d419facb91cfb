import { type LfsPointer, MAX_POINTER_BYTES, parseLfsPointer } from "../../git/lfs/pointer.ts";
import { decodeName } from "../../git/objects/names.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { isTreeMode, parseTree, type TreeEntry } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import { entryOf, type FileEntry } from "./entry.ts";

/** What to find out about the entries of a directory besides names and ids. */
export interface ListOptions {
  /** Their sizes, which costs a look at every object; else they stay 0. */
  readonly sizes: boolean;
  /** Where symbolic links point. */
  readonly targets: boolean;
  /** What LFS pointers stand for; with `sizes` only. */
  readonly lfs: boolean;
  /** Entries that the caller is willing to take. */
  readonly max: number;
  /** Of more entries than these only the first, directories before others, and those whose name is like a README's or licence's. */
  readonly shown?: number;
}

export interface ListedEntry extends FileEntry {
  readonly target?: string;
  readonly lfs?: LfsPointer;
}

export interface Listing {
  /** In git's order; none when there are more than were wanted. */
  readonly entries: readonly ListedEntry[];
  /** Of the whole directory. */
  readonly count: number;
}

/** No system follows a longer link; git's own would fail to make it. */
const MAX_TARGET_BYTES = 4096;
/** No pointer is shorter. */
const MIN_POINTER_BYTES = 100;

/**
 * The entries of a directory; undefined when there is no such tree.
 * @param before is put before the names: the directory's path with its slash
 */
export function listDirectory(
  objects: ObjectSource,
  tree: Oid,
  before: string,
  { sizes, targets, lfs, max, shown }: ListOptions,
): Listing | undefined {
  if (tree === objects.format.emptyTree) return { entries: [], count: 0 };
  const object = objects.read(tree);
  if (object?.type !== "tree") return undefined;
  const found = parseTree(object.data, objects.format);
  if (found.length > max) return { entries: [], count: found.length };
  const listed = shown !== undefined && found.length > shown ? firstOf(found, shown) : found;
  const entries = listed.map(({ mode, name, oid }): ListedEntry => {
    const entry = entryOf(sizes ? objects : undefined, before + name, mode, oid);
    if (targets && entry.kind === "symlink") return { ...entry, target: readTarget(objects, oid) };
    const pointer = lfs ? readPointer(objects, entry) : undefined;
    return pointer ? { ...entry, lfs: pointer } : entry;
  });
  return { entries, count: found.length };
}

/** What a page of a directory shows whatever its size, and what it looks for by name. */
const NAMED = /^(readme|licen[cs]e|copying|unlicense|docs$|\.gitea$|\.github$)/i;

function firstOf(entries: readonly TreeEntry[], shown: number): TreeEntry[] {
  const isDirectory = ({ mode }: TreeEntry) => isTreeMode(mode);
  const sorted = [...entries.filter(isDirectory), ...entries.filter((entry) => !isDirectory(entry))];
  return [...sorted.slice(0, shown), ...sorted.slice(shown).filter(({ name }) => NAMED.test(name))];
}

/** Where a symbolic link points; empty for what is none. */
export function readTarget(objects: ObjectSource, oid: Oid): string {
  const size = objects.header(oid)?.sizeBytes ?? 0;
  const data = size > 0 && size <= MAX_TARGET_BYTES ? objects.read(oid)?.data : undefined;
  return data ? decodeName(data, 0, data.length) : "";
}

/** What a file points to when it is an LFS pointer. */
export function readPointer(objects: ObjectSource, { kind, oid, sizeBytes }: FileEntry): LfsPointer | undefined {
  if (kind !== "file" || sizeBytes > MAX_POINTER_BYTES || sizeBytes < MIN_POINTER_BYTES) return undefined;
  const data = objects.read(oid)?.data;
  return data && parseLfsPointer(data);
}
