import { CorruptObject } from "../errors.ts";
import { ObjectWalk } from "../objects/object-walk.ts";
import { parseTagLink } from "../objects/tag.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import type { Catalog } from "./catalog.ts";
import type { ObjectFilter } from "./filter.ts";
import { IdList, IdSet } from "./id-set.ts";

export interface SelectionOptions {
  readonly filter?: ObjectFilter | undefined;
  /** Objects sent anyway (in packs copied whole), with everything below them; these are not entered. */
  readonly isCovered?: ((number: number) => boolean) | undefined;
  /** The client has all objects with lower numbers; they need not be marked. */
  readonly uninterestingBelow?: number;
  /** Called periodically during tree walks with the number of objects found. */
  readonly onProgress?: ((objects: number) => void) | undefined;
}

/** Number of trees between two calls of `onProgress`. */
const PROGRESS_TREES = 512;

/**
 * Collects the objects of a pack by type, each once: commits and tags are added one by one, trees with everything
 * below them. Objects the client has (`markUninteresting`) are excluded, with everything below them.
 */
export class Selection {
  readonly commits = new IdList();
  readonly tags = new IdList();
  readonly trees = new IdList();
  readonly blobs = new IdList();
  private readonly chosen: IdSet;
  private readonly visited: IdSet;
  private readonly uninteresting: IdSet;
  private readonly depths = new Map<number, number>();
  /** Walks everything below a tree, or only down to the filter's depth; there the value is the depth of a tree. */
  private readonly whole: ObjectWalk<true>;
  private readonly toDepth: ObjectWalk<number>;
  private readonly uninterestingBelow: number;
  private treesSeen = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly options: SelectionOptions = {},
  ) {
    this.chosen = new IdSet(catalog.packedCount);
    this.visited = new IdSet(catalog.packedCount);
    this.uninteresting = new IdSet(catalog.packedCount);
    this.uninterestingBelow = options.uninterestingBelow ?? 0;
    const missing = (_oid: Oid, tree: number): never => {
      throw new CorruptObject(`tree ${catalog.oidOf(tree)} names a missing object`);
    };
    const numbers = {
      format: catalog.format,
      find: (data: Uint8Array, _view: DataView, at: number) => catalog.findAt(data, at),
      read: (number: number) => catalog.read(number),
      oidOf: (number: number) => catalog.oidOf(number),
    };
    const wholeTrees = {
      missing,
      tree: (tree: number) => this.chooseTree(tree),
      entry: (child: number, { isTree }: { readonly isTree: boolean }) => {
        if (!this.enter(child)) return undefined;
        if (!isTree) this.offerBlob(child);
        return true as const;
      },
    };
    const treesToDepth = {
      missing,
      tree: (tree: number) => this.chooseTree(tree),
      entry: (child: number, { isTree }: { readonly isTree: boolean }, above: number) => {
        if (isTree) return this.entersAt(child, above + 1) ? above + 1 : undefined;
        if (this.enter(child)) this.offerBlob(child);
        return undefined;
      },
    };
    this.whole = new ObjectWalk(numbers, wholeTrees, true);
    this.toDepth = new ObjectWalk(numbers, treesToDepth, false);
  }

  get count(): number {
    return this.commits.length + this.tags.length + this.trees.length + this.blobs.length;
  }

  has(number: number): boolean {
    return this.chosen.has(number);
  }

  /** Whether the client is known to have the object. */
  isUninteresting(number: number): boolean {
    return number < this.uninterestingBelow || this.uninteresting.has(number);
  }

  markUninteresting(number: number): void {
    this.uninteresting.add(number);
  }

  /** Adds a commit, without its tree. If `asked` for by id, it is sent regardless of the filter. */
  addCommit(number: number, asked = false): void {
    if (asked || this.wantsType("commit")) this.choose(this.commits, number);
  }

  /**
   * Adds an object requested by id, which is sent regardless of the filter. A tag includes its target, and a tree
   * everything below it, as far as they pass the filter. Returns the number of the commit it is or peels to, whose
   * history the caller must add; undefined for everything else.
   */
  addAskedFor(number: number): number | undefined {
    for (let at = number, asked = true; !this.isCovered(at); asked = false) {
      const { type } = this.catalog.header(at);
      if (type === "commit") return at;
      if (type === "tag") {
        if (asked || this.wantsType("tag")) this.choose(this.tags, at);
        at = this.catalog.need(parseTagLink(this.catalog.read(at).data).object);
        continue;
      }
      if (asked) this.choose(type === "tree" ? this.trees : this.blobs, at);
      if (type === "tree") this.addTree(at);
      else if (this.enter(at)) this.offerBlob(at);
      return undefined;
    }
    return undefined;
  }

  /** Adds an annotated tag and the tags it points to, but not their final target. */
  addTagChain(number: number): void {
    for (let at = number; !this.isCovered(at) && this.catalog.header(at).type === "tag"; ) {
      this.choose(this.tags, at);
      at = this.catalog.need(parseTagLink(this.catalog.read(at).data).object);
    }
  }

  /** Adds a tree at this depth (0: the root of a commit) with everything below it that passes the filter. */
  addTree(root: number, depth = 0): void {
    if (this.options.filter?.treeDepth === undefined) {
      if (this.enter(root)) this.whole.enter(root, true);
    } else if (this.entersAt(root, depth)) this.toDepth.enter(root, depth);
  }

  private chooseTree(tree: number): void {
    if (++this.treesSeen % PROGRESS_TREES === 0) this.options.onProgress?.(this.count);
    if (this.wantsType("tree")) this.choose(this.trees, tree);
  }

  /**
   * Whether the content of a tree at this depth is within the limit. If found again closer to a root, a tree must be
   * entered again, because more of it is within the limit.
   */
  private entersAt(tree: number, depth: number): boolean {
    const limit = this.options.filter?.treeDepth ?? 0;
    if (depth >= limit && !this.chosen.has(tree)) return false;
    if (this.isUninteresting(tree) || this.isCovered(tree) || (this.depths.get(tree) ?? Infinity) <= depth)
      return false;
    this.depths.set(tree, depth);
    if (depth + 1 < limit) return true;
    this.chooseTree(tree);
    return false;
  }

  private offerBlob(blob: number): void {
    const limit = this.options.filter?.blobLimitBytes;
    if (!this.wantsType("blob") || limit === 0) return;
    if (limit !== undefined && this.catalog.header(blob).sizeBytes >= limit) return;
    this.choose(this.blobs, blob);
  }

  /** Whether to visit the object; true at most once per object. */
  private enter(number: number): boolean {
    return !this.isUninteresting(number) && !this.isCovered(number) && this.visited.add(number);
  }

  private choose(list: IdList, number: number): void {
    if (!this.isCovered(number) && !this.isUninteresting(number) && this.chosen.add(number)) list.push(number);
  }

  private isCovered(number: number): boolean {
    return this.options.isCovered?.(number) ?? false;
  }

  private wantsType(type: ObjectType): boolean {
    const only = this.options.filter?.type;
    return only === undefined || only === type;
  }
}
