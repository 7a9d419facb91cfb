import type { Attributes } from "../attributes/attributes.ts";
import { type AttributeOptions, TreeAttributes } from "../attributes/tree.ts";
import type { PathFilter } from "../diff/paths.ts";
import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import { openTree, type TreeCursor } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";

/** A directory, file, link or submodule in an archive. */
export interface ArchiveEntry {
  /** One character per byte; directories and submodules end in a slash. */
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
  /** Only for files and links. */
  readonly attributes?: Attributes;
}

const MAX_DEPTH = 2048;
const MAX_TREES = 1_000_000;

/** The attributes that affect archives. */
const WANTED = ["export-ignore", "export-subst", "text", "crlf", "eol", "ident", "working-tree-encoding", "diff"];

interface OpenDirectory {
  readonly cursor: TreeCursor;
  readonly path: string;
  readonly oid: Oid;
  readonly mode: number;
  /** Whether it has been emitted; a directory without contents is omitted. */
  told: boolean;
}

/**
 * The entries of an archive of the tree, in the tree's order: a directory comes right before the first file in it, even
 * if that file is then excluded, so that empty directories are omitted.
 * @param filter selects paths; all if undefined
 * @throws CorruptObject if a tree is missing, malformed or too deep, or expands to a million directories
 */
export function* archiveEntries(
  store: ObjectSource,
  tree: Oid,
  options: { readonly filter?: PathFilter | undefined } & Pick<AttributeOptions, "info" | "user"> = {},
): Generator<ArchiveEntry> {
  const { filter, info, user } = options;
  const attributes = new TreeAttributes(store, tree, { only: WANTED, info, user });
  const open: OpenDirectory[] = [{ cursor: openTree(store, tree), path: "", oid: tree, mode: 0o40000, told: true }];
  let trees = 0;
  for (let directory = open.at(-1); directory; directory = open.at(-1)) {
    const { cursor } = directory;
    if (!cursor.next()) {
      open.pop();
      continue;
    }
    const path = directory.path + cursor.latin1Name();
    if (isTreeMode(cursor.mode)) {
      if (filter && !filter.mayMatchInside(path)) continue;
      if (attributes.ofBytes(path, true).exportIgnore) continue;
      if (++trees > MAX_TREES) throw new CorruptObject("the tree is too large for an archive");
      if (open.length > MAX_DEPTH) throw new CorruptObject("folders are nested too deep");
      const oid = cursor.oid();
      open.push({ cursor: openTree(store, oid), path: `${path}/`, oid, mode: cursor.mode, told: false });
      continue;
    }
    if (filter && !filter.matches(path, cursor.mode)) continue;
    for (const above of open) {
      if (above.told) continue;
      above.told = true;
      yield { path: above.path, mode: above.mode, oid: above.oid };
    }
    const said = attributes.ofBytes(path);
    if (said.exportIgnore) continue;
    const isSubmodule = cursor.mode === MODE_GITLINK;
    yield { path: isSubmodule ? `${path}/` : path, mode: cursor.mode, oid: cursor.oid(), attributes: said };
  }
}
