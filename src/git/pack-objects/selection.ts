import { CorruptObject } from "../errors.ts";
import { parseTagLink } from "../objects/tag.ts";
import { eachTreeEntry, isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { ObjectType } from "../objects/types.ts";
import type { Catalog } from "./catalog.ts";
import type { ObjectFilter } from "./filter.ts";
import { IdList, IdSet } from "./id-set.ts";
import { RecentIds } from "./recent-ids.ts";

export interface SelectionOptions {
  readonly filter?: ObjectFilter | undefined;
  /** Objects that are sent anyhow (in packs copied whole), with everything below them: not entered. */
  readonly isCovered?: ((number: number) => boolean) | undefined;
  /** Objects with lower numbers are known to be the client's, without being marked. */
  readonly uninterestingBelow?: number;
  /** Called now and then while trees are walked, with the number of objects found. */
  readonly onProgress?: ((objects: number) => void) | undefined;
}

/** How many trees between two calls of `onProgress`. */
const PROGRESS_TREES = 512;

/** How many bytes of trees between two collections of garbage. */
const TIDY_BYTES = 32 * 1024 * 1024;

/**
 * The objects a pack is made of, gathered by type: commits and tags are put in one by one, trees with what is
 * below them. Each object once. What the client has (`markUninteresting`) is left out, with everything below it.
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
  private readonly recent: RecentIds;
  private readonly uninterestingBelow: number;
  private treesSeen = 0;
  private untidyBytes = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly options: SelectionOptions = {},
  ) {
    this.chosen = new IdSet(catalog.packedCount);
    this.visited = new IdSet(catalog.packedCount);
    this.uninteresting = new IdSet(catalog.packedCount);
    this.uninterestingBelow = options.uninterestingBelow ?? 0;
    this.recent = new RecentIds(catalog.format);
  }

  get count(): number {
    return this.commits.length + this.tags.length + this.trees.length + this.blobs.length;
  }

  has(number: number): boolean {
    return this.chosen.has(number);
  }

  /** Whether the client has it, as far as was looked. */
  isUninteresting(number: number): boolean {
    return number < this.uninterestingBelow || this.uninteresting.has(number);
  }

  markUninteresting(number: number): void {
    this.uninteresting.add(number);
  }

  /** A commit, without its tree; `asked` for by its id, it is sent whatever the filter says. */
  addCommit(number: number, asked = false): void {
    if (asked || this.wantsType("commit")) this.choose(this.commits, number);
  }

  /**
   * What someone asked for by its id: sent whatever the filter says. A tag brings what it points to and a tree what is
   * below it, as far as they pass the filter. Answers the number of the commit that it is or leads to, whose history is
   * the caller's business; undefined for everything else.
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

  /** An annotated tag and the tags it points to, but not what they tag in the end. */
  addTagChain(number: number): void {
    for (let at = number; !this.isCovered(at) && this.catalog.header(at).type === "tag"; ) {
      this.choose(this.tags, at);
      at = this.catalog.need(parseTagLink(this.catalog.read(at).data).object);
    }
  }

  /** A tree at this depth (0: the root of a commit) with everything below it that passes the filter. */
  addTree(root: number, depth = 0): void {
    const treeDepth = this.options.filter?.treeDepth;
    if (treeDepth === undefined) this.addWhole(root);
    else this.addToDepth(root, depth, treeDepth);
  }

  private addWhole(root: number): void {
    if (!this.enter(root)) return;
    const stack = [root];
    for (let tree = stack.pop(); tree !== undefined; tree = stack.pop()) {
      if (this.wantsType("tree")) this.choose(this.trees, tree);
      this.eachEntry(tree, true, (child, isTree) => {
        if (!this.enter(child)) return;
        if (isTree) stack.push(child);
        else this.offerBlob(child);
      });
    }
  }

  /** A tree met again nearer to a root has to be entered again: more of it is within the depth. */
  private addToDepth(root: number, rootDepth: number, limit: number): void {
    const stack = [{ tree: root, depth: rootDepth }];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const { tree, depth } = at;
      if (depth >= limit && !this.chosen.has(tree)) continue;
      if (this.isUninteresting(tree) || this.isCovered(tree) || (this.depths.get(tree) ?? Infinity) <= depth) continue;
      this.depths.set(tree, depth);
      if (this.wantsType("tree")) this.choose(this.trees, tree);
      if (depth + 1 >= limit) continue;
      this.eachEntry(tree, false, (child, isTree) => {
        if (isTree) stack.push({ tree: child, depth: depth + 1 });
        else if (this.enter(child)) this.offerBlob(child);
      });
    }
  }

  private offerBlob(blob: number): void {
    const limit = this.options.filter?.blobLimitBytes;
    if (!this.wantsType("blob") || limit === 0) return;
    if (limit !== undefined && this.catalog.header(blob).sizeBytes >= limit) return;
    this.choose(this.blobs, blob);
  }

  /** Whether it is to be examined, which happens once. */
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

  /** With `once` a child met lately may be passed over: it was examined then. */
  private eachEntry(tree: number, once: boolean, visit: (child: number, isTree: boolean) => void): void {
    const { data, type } = this.catalog.read(tree);
    if (type !== "tree") throw new CorruptObject(`${this.catalog.oidOf(tree)} is a ${type}, not a tree`);
    this.tidy(data.byteLength);
    if (++this.treesSeen % PROGRESS_TREES === 0) this.options.onProgress?.(this.count);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    eachTreeEntry(data, this.catalog.format, (mode, _nameStart, _nameEnd, oidStart) => {
      if (mode === MODE_GITLINK || (once && this.recent.meet(view, oidStart))) return true;
      const child = this.catalog.findAt(data, oidStart);
      if (child < 0) throw new CorruptObject(`tree ${this.catalog.oidOf(tree)} names a missing object`);
      visit(child, isTreeMode(mode));
      return true;
    });
  }

  /**
   * A walk over a large history reads gigabytes of trees, in one go. The runtime collects such buffers late (300 MiB of
   * them were seen to wait), so it is told to now and then.
   */
  private tidy(readBytes: number): void {
    this.untidyBytes += readBytes;
    if (this.untidyBytes < TIDY_BYTES) return;
    this.untidyBytes = 0;
    Bun.gc(true);
  }
}
