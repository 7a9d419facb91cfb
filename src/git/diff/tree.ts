import { CorruptObject, GitError } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode } from "../objects/tree.ts";
import { openTree, type TreeCursor } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { PathFilter } from "./paths.ts";

/** A path that differs between two trees. Paths are latin1 strings: one character per byte. */
export interface RawChange {
  readonly path: string;
  /** 0 if the path does not exist on that side. */
  readonly oldMode: number;
  readonly newMode: number;
  /** Undefined if the mode is 0. */
  readonly oldOid: Oid | undefined;
  readonly newOid: Oid | undefined;
}

export interface TreeDiffOptions {
  /** Only this file, or paths in this directory (latin1, no leading or trailing slash). */
  readonly within?: string | undefined;
  /** Only paths that match. */
  readonly paths?: PathFilter | undefined;
  /** Treat directories like any other entry, without descending into them. */
  readonly flat?: boolean | undefined;
  /** Visit differing directories before their contents. */
  readonly directories?: boolean | undefined;
  /** Visit unchanged files, too. */
  readonly unchanged?: boolean | undefined;
  /** Give up after reading this many trees; a million by default. Ten small trees can expand to billions of paths. */
  readonly maxTrees?: number | undefined;
}

/** A tree expands to more than the caller is willing to walk. */
export class TreeTooLarge extends GitError {
  override name = "TreeTooLarge";
}

/** Deeper than any file system allows. */
const MAX_DEPTH = 2048;
const MAX_TREES = 1_000_000;

/**
 * Calls `visit` for every file, link or submodule that differs between two trees, in git's order: by the bytes of the
 * path. A file that becomes a directory is a deletion and additions. The walk ends when `visit` returns false.
 * @param oldTree undefined for no old tree
 * @returns false if `visit` ended the walk
 * @throws CorruptObject when a tree is missing, malformed or too deep; TreeTooLarge beyond `maxTrees`
 */
export function diffTrees(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  visit: (change: RawChange) => boolean | undefined,
  options: TreeDiffOptions = {},
): boolean {
  if (oldTree === newTree && !options.unchanged) return true;
  return new TreeDiff(store, visit, options).run(oldTree, newTree, "", 0);
}

class TreeDiff {
  private readonly within: readonly string[];
  private treesLeft: number;

  constructor(
    private readonly store: ObjectSource,
    private readonly visit: (change: RawChange) => boolean | undefined,
    private readonly options: TreeDiffOptions,
  ) {
    this.within = options.within ? options.within.split("/") : [];
    this.treesLeft = options.maxTrees ?? MAX_TREES;
  }

  run(oldTree: Oid | undefined, newTree: Oid | undefined, prefix: string, depth: number): boolean {
    this.treesLeft -= 2;
    if (this.treesLeft < 0) throw new TreeTooLarge("the trees are too large to compare");
    if (depth > MAX_DEPTH) throw new CorruptObject("folders are nested too deep");
    const a = oldTree === undefined ? undefined : openTree(this.store, oldTree);
    const b = newTree === undefined ? undefined : openTree(this.store, newTree);
    const wanted = this.within[depth];
    if (a && b && !this.options.unchanged) a.skipSame(b);
    let hasA = a?.next() ?? false;
    let hasB = b?.next() ?? false;
    while (hasA || hasB) {
      const order = !hasA ? 1 : !hasB ? -1 : a!.compare(b!);
      const left = order <= 0 ? a : undefined;
      const right = order >= 0 ? b : undefined;
      if (this.options.unchanged || !(left && right && left.sameContent(right))) {
        const name = (left ?? right)!.latin1Name();
        if ((wanted === undefined || name === wanted) && !this.entry(left, right, prefix + name, depth)) return false;
      }
      if (left && right && !this.options.unchanged) left.skipSame(right);
      if (left) hasA = left.next();
      if (right) hasB = right.next();
    }
    return true;
  }

  private entry(left: TreeCursor | undefined, right: TreeCursor | undefined, path: string, depth: number): boolean {
    const oldMode = left?.mode ?? 0;
    const newMode = right?.mode ?? 0;
    const oldOid = left?.oid();
    const newOid = right?.oid();
    const { flat, directories, paths, unchanged } = this.options;
    const mode = oldMode || newMode;
    const within = depth + 1 >= this.within.length;
    const wanted =
      within && (!paths || paths.matches(path, mode) || (flat && isTreeMode(mode) && paths.leadsInto(path)));
    // Entries with the same name and sort position are both directories or both not.
    if (isTreeMode(mode) && !(flat && wanted)) {
      if ((oldOid === newOid && !unchanged) || (flat && within)) return true;
      if (paths && !paths.mayMatchInside(path)) return true;
      if (directories && wanted && !this.visited({ path, oldMode, newMode, oldOid, newOid })) return false;
      return this.run(oldOid, newOid, `${path}/`, depth + 1);
    }
    return !wanted || this.visited({ path, oldMode, newMode, oldOid, newOid });
  }

  private visited(change: RawChange): boolean {
    return this.visit(change) !== false;
  }
}
