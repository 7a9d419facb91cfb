import { TreeTooLarge } from "./diff/tree.ts";
import { CorruptObject } from "./errors.ts";
import { decodeName, encodeName } from "./objects/names.ts";
import type { ObjectSource } from "./objects/source.ts";
import { isTreeMode, MODE_GITLINK, MODE_TREE } from "./objects/tree.ts";
import { type FoundEntry, findEntry, openTree } from "./objects/tree-cursor.ts";
import type { Oid } from "./objects/types.ts";

/** A file, directory, link or submodule with its path from the root. */
export interface PathEntry {
  /** Names as returned by `decodeName`, joined by `/`. */
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
  /** Content size of files and links, if requested. */
  readonly sizeBytes?: number;
}

/**
 * The entry at a path; the root directory for the empty path.
 * @param path names as returned by `decodeName`, joined by `/`; a trailing slash is allowed for directories
 * @returns undefined if there is none
 * @throws CorruptObject if a tree is missing or malformed
 */
export function entryAt(store: ObjectSource, tree: Oid, path: string): FoundEntry | undefined {
  if (path === "/") return undefined;
  const directoryOnly = path.endsWith("/");
  const bytes = Buffer.from(encodeName(directoryOnly ? path.slice(0, -1) : path)).toString("latin1");
  let found: FoundEntry | undefined = { mode: MODE_TREE, oid: tree };
  if (bytes !== "") {
    for (const part of bytes.split("/")) {
      if (!found || !isTreeMode(found.mode)) return undefined;
      found = part === "" ? undefined : findEntry(openTree(store, found.oid), part);
    }
  }
  return found && directoryOnly && !isTreeMode(found.mode) ? undefined : found;
}

export interface TreeWalkOptions {
  /** Entries to skip before the page; 0 by default. */
  readonly skip?: number;
  /** Maximum number of entries on the page. */
  readonly limit: number;
  /** List directories themselves, before their contents; true by default. */
  readonly directories?: boolean;
  /** Descend into directories; true by default. */
  readonly recursive?: boolean;
  /** Look up the sizes of files. */
  readonly sizes?: boolean;
}

/**
 * A page of everything below a tree, in the order of `git ls-tree -r -t`.
 * @param prefix prepended to each path, including its slash
 * @throws CorruptObject if a tree is missing or malformed
 */
export function listTree(
  store: ObjectSource,
  tree: Oid,
  options: TreeWalkOptions,
  prefix = "",
): { entries: PathEntry[]; more: boolean } {
  const entries: PathEntry[] = [];
  let passed = 0;
  for (const entry of walkTree(store, tree, options.recursive ?? true, prefix)) {
    if (options.directories === false && isTreeMode(entry.mode)) continue;
    if (passed++ < (options.skip ?? 0)) continue;
    if (entries.length >= options.limit) return { entries, more: true };
    entries.push(options.sizes ? withSize(store, entry) : entry);
  }
  return { entries, more: false };
}

const MAX_DEPTH = 2048;
const MAX_TREES = 1_000_000;

/**
 * Everything below a tree, directories before their contents.
 * @throws CorruptObject if a tree is missing, malformed or too deep; TreeTooLarge after a million directories
 */
export function* walkTree(store: ObjectSource, tree: Oid, recursive = true, prefix = ""): Generator<PathEntry> {
  let trees = 0;
  const open = [{ cursor: openTree(store, tree), prefix }];
  while (open.length > 0) {
    const { cursor, prefix: directory } = open.at(-1)!;
    if (!cursor.next()) {
      open.pop();
      continue;
    }
    const name = decodeName(cursor.data, cursor.nameStart, cursor.nameEnd);
    const entry = { path: directory + name, mode: cursor.mode, oid: cursor.oid() };
    yield entry;
    if (recursive && cursor.isTree) {
      if (++trees > MAX_TREES) throw new TreeTooLarge("the tree is too large to list");
      if (open.length > MAX_DEPTH) throw new CorruptObject("folders are nested too deep");
      open.push({ cursor: openTree(store, entry.oid), prefix: `${entry.path}/` });
    }
  }
}

/**
 * The number of entries below a tree. Each distinct tree is read only once.
 * @throws CorruptObject if a tree is missing, malformed or too deep; TreeTooLarge after a million different directories
 */
export function countTree(store: ObjectSource, tree: Oid, recursive = true): number {
  const known = new Map<Oid, number>();
  const open = [{ oid: tree, cursor: openTree(store, tree), count: 0 }];
  for (;;) {
    const directory = open.at(-1)!;
    if (!directory.cursor.next()) {
      open.pop();
      known.set(directory.oid, directory.count);
      if (known.size > MAX_TREES) throw new TreeTooLarge("the tree is too large to count");
      const above = open.at(-1);
      if (!above) return Math.min(directory.count, Number.MAX_SAFE_INTEGER);
      above.count += directory.count;
      continue;
    }
    directory.count++;
    if (!recursive || !directory.cursor.isTree) continue;
    const oid = directory.cursor.oid();
    const count = known.get(oid);
    if (count !== undefined) directory.count += count;
    else {
      if (open.length > MAX_DEPTH) throw new CorruptObject("folders are nested too deep");
      open.push({ oid, cursor: openTree(store, oid), count: 0 });
    }
  }
}

function withSize(store: ObjectSource, entry: PathEntry): PathEntry {
  if (isTreeMode(entry.mode) || entry.mode === MODE_GITLINK) return entry;
  const sizeBytes = store.header(entry.oid)?.sizeBytes;
  return sizeBytes === undefined ? entry : { ...entry, sizeBytes };
}
