import { type LfsPointer, MAX_POINTER_BYTES, parseLfsPointer } from "../../git/lfs/pointer.ts";
import { decodeName } from "../../git/objects/names.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { isTreeMode, parseTree, type TreeEntry } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import { entryOf, type FileEntry } from "./entry.ts";

/** What to determine about the entries of a directory besides names and ids. */
export interface ListOptions {
  /** Their sizes, which requires looking up every object; otherwise they stay 0. */
  readonly sizes: boolean;
  /** The targets of symbolic links. */
  readonly targets: boolean;
  /** The files that LFS pointers refer to; only with `sizes`. */
  readonly lfs: boolean;
  /** Maximum number of entries the caller accepts. */
  readonly max: number;
  /** If there are more, return only the first, directories first, plus those named like a README or licence. */
  readonly shown?: number;
}

export interface ListedEntry extends FileEntry {
  readonly target?: string;
  readonly lfs?: LfsPointer;
}

export interface Listing {
  /** In git's order; empty if there are more than the maximum. */
  readonly entries: readonly ListedEntry[];
  /** The number of entries in the whole directory. */
  readonly count: number;
}

/** No system follows a longer link; git itself would fail to create it. */
const MAX_TARGET_BYTES = 4096;
/** No pointer is shorter. */
const MIN_POINTER_BYTES = 100;

/**
 * The entries of a directory; undefined if there is no such tree.
 * @param before prefix for the names: the directory's path with its slash
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

/** Entries a directory page shows whatever the directory's size, and those it looks up by name. */
const NAMED = /^(readme|licen[cs]e|copying|unlicense|docs$|\.gitea$|\.github$)/i;

function firstOf(entries: readonly TreeEntry[], shown: number): TreeEntry[] {
  const isDirectory = ({ mode }: TreeEntry) => isTreeMode(mode);
  const sorted = [...entries.filter(isDirectory), ...entries.filter((entry) => !isDirectory(entry))];
  return [...sorted.slice(0, shown), ...sorted.slice(shown).filter(({ name }) => NAMED.test(name))];
}

/** The target of a symbolic link; empty if it is not one. */
export function readTarget(objects: ObjectSource, oid: Oid): string {
  const size = objects.header(oid)?.sizeBytes ?? 0;
  const data = size > 0 && size <= MAX_TARGET_BYTES ? objects.read(oid)?.data : undefined;
  return data ? decodeName(data, 0, data.length) : "";
}

/** The contents of an LFS pointer; undefined if the file is not one. */
export function readPointer(objects: ObjectSource, { kind, oid, sizeBytes }: FileEntry): LfsPointer | undefined {
  if (kind !== "file" || sizeBytes > MAX_POINTER_BYTES || sizeBytes < MIN_POINTER_BYTES) return undefined;
  const data = objects.read(oid)?.data;
  return data && parseLfsPointer(data);
}
