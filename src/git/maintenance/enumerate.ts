import { CorruptObject } from "../errors.ts";
import { type CommitLinks, parseCommitLinks } from "../objects/commit.ts";
import { oidAt } from "../objects/hash.ts";
import { parseTagLink } from "../objects/tag.ts";
import { eachTreeEntry, isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { GitObject, ObjectType, Oid } from "../objects/types.ts";
import { IdList } from "../pack-objects/id-set.ts";
import { RecentIds } from "../pack-objects/recent-ids.ts";
import { PriorityQueue } from "../priority-queue.ts";
import { NONE, type PackingData } from "./packing-data.ts";
import { directoryHash, pathHash } from "./path-hash.ts";

export interface ReachOptions {
  /** Passed over instead of refused: objects that are not there. */
  readonly tolerant?: boolean;
  /** Commits whose parents are not there, as a shallow repository has them. */
  readonly shallow?: ReadonlySet<Oid>;
  /** Whether an object that is not among these is elsewhere: then it is no more looked at. */
  readonly isOutside?: (oid: Oid) => boolean;
  /** Told of each object that another one, or a root that is a tag, points to; of most more than once. */
  readonly onPointedTo?: (slot: number) => void;
  /** Told of each object that is not there, when that is passed over; of some more than once. */
  readonly onMissing?: (oid: Oid) => void;
  /** Called with the number of objects found so far; may throw to end it. */
  readonly onProgress?: (objects: number) => void;
}

/** Objects between two calls of `onProgress`. */
const PROGRESS_OBJECTS = 4096;
/** Bytes of trees between two collections of garbage, which the runtime would let grow to hundreds of megabytes. */
const TIDY_BYTES = 32 * 1024 * 1024;

/**
 * The objects that some ids lead to, each once, in the order in which `git rev-list --objects` tells them: commits
 * newest first, then what is in their trees, path by path. With the hash of the first path each was met under.
 */
export class Reach {
  readonly commits = new IdList();
  readonly tags = new IdList();
  readonly trees = new IdList();
  readonly blobs = new IdList();
  /** By slot. */
  readonly hashes: Uint32Array;
  /** By slot: 0 where nothing leads to. */
  readonly found: Uint8Array;
  /** By slot: 1 where another object that was met points to it. */
  readonly pointedTo: Uint8Array;
  private readonly recent: RecentIds;
  /** Commits in the queue. */
  private readonly waiting = new Map<number, CommitLinks>();
  private untidyBytes = 0;
  private progressAt = 0;

  constructor(
    private readonly packing: PackingData,
    private readonly options: ReachOptions,
    /** What another walk has found already: counts as passed. */
    before?: Reach,
  ) {
    this.recent = new RecentIds(packing.store.format);
    this.hashes = before?.hashes ?? new Uint32Array(packing.table.size);
    this.found = before?.found ?? new Uint8Array(packing.table.size);
    this.pointedTo = before?.pointedTo ?? new Uint8Array(packing.table.size);
  }

  get count(): number {
    return this.commits.length + this.tags.length + this.trees.length + this.blobs.length;
  }

  /** @throws CorruptObject when something on the way is missing, unless that is to be passed over */
  walk(roots: Iterable<Oid>): void {
    const queue = new PriorityQueue<number>();
    const trees: number[] = [];
    for (const oid of roots) this.begin(oid, queue, trees);
    const rootTrees = new IdList();
    for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
      this.commits.push(commit);
      const links = this.waiting.get(commit)!;
      this.waiting.delete(commit);
      const tree = this.meetBelow(links.tree);
      if (tree !== NONE) rootTrees.push(tree);
      if (this.options.shallow?.has(this.packing.table.oidOf(commit))) continue;
      for (const parent of links.parents) this.enqueue(parent, queue, true);
    }
    for (const tree of trees) this.enterTree(tree, 0);
    for (const tree of rootTrees.values()) this.enterTree(tree, 0);
    this.options.onProgress?.(this.count);
  }

  /** A root of any type. */
  private begin(root: Oid, queue: PriorityQueue<number>, trees: number[]): void {
    let oid: Oid | undefined = root;
    for (let isBelow = false; oid !== undefined; isBelow = true) oid = this.beginOne(oid, isBelow, queue, trees);
  }

  /** Answers what a tag points to, and undefined for everything else. */
  private beginOne(oid: Oid, isBelow: boolean, queue: PriorityQueue<number>, trees: number[]): Oid | undefined {
    const known = this.packing.table.findOid(oid);
    if (known === NONE) {
      this.missing(oid);
      return undefined;
    }
    if (isBelow) this.point(known);
    if (this.found[known] === 1) return undefined;
    const type = this.typeOf(known);
    if (type === "commit") this.enqueue(oid, queue, isBelow);
    if (type === undefined || type === "commit") return undefined;
    this.found[known] = 1;
    if (type === "blob") this.blobs.push(known);
    else if (type === "tree") trees.push(known);
    else {
      this.tags.push(known);
      const object = this.read(known);
      return object && parseTagLink(object.data).object;
    }
    return undefined;
  }

  private enqueue(oid: Oid, queue: PriorityQueue<number>, isBelow: boolean): void {
    const slot = isBelow ? this.meetBelow(oid) : this.meet(oid);
    if (slot === NONE) return;
    const object = this.read(slot);
    if (!object) return;
    if (object.type !== "commit") throw new CorruptObject(`${oid} is a ${object.type}, not a commit`);
    const links = parseCommitLinks(object.data);
    this.waiting.set(slot, links);
    queue.push(slot, links.committerTime);
  }

  /** The slot of an object that is met for the first time. */
  private meet(oid: Oid): number {
    const slot = this.packing.table.findOid(oid);
    if (slot === NONE) {
      this.missing(oid);
      return NONE;
    }
    if (this.found[slot] === 1) return NONE;
    this.found[slot] = 1;
    return slot;
  }

  private meetBelow(oid: Oid): number {
    const slot = this.meet(oid);
    const known = slot === NONE ? this.packing.table.findOid(oid) : slot;
    if (known !== NONE) this.point(known);
    return slot;
  }

  private enterTree(root: number, hash: number): void {
    this.hashes[root] = hash;
    const stack = [root];
    for (let tree = stack.pop(); tree !== undefined; tree = stack.pop()) {
      this.trees.push(tree);
      const object = this.read(tree);
      if (!object) continue;
      if (object.type !== "tree") throw new CorruptObject(`${this.packing.table.oidOf(tree)} is not a tree`);
      this.enterEntries(object.data, tree === root && hash === 0 ? 0 : directoryHash(this.hashes[tree]!), stack);
    }
  }

  private enterEntries(data: Uint8Array, hash: number, stack: number[]): void {
    const { table } = this.packing;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const below = stack.length;
    eachTreeEntry(data, this.packing.store.format, (mode, nameStart, nameEnd, oidStart) => {
      if (mode === MODE_GITLINK || this.recent.meet(view, oidStart)) return true;
      const slot = table.find(view, oidStart);
      if (slot === NONE) {
        this.missing(oidAt(this.packing.store.format, data, oidStart));
        return true;
      }
      this.point(slot);
      if (this.found[slot] === 1) return true;
      this.found[slot] = 1;
      this.hashes[slot] = pathHash(hash, data, nameStart, nameEnd);
      if (isTreeMode(mode)) stack.push(slot);
      else this.blobs.push(slot);
      return true;
    });
    // The first directory is entered first.
    for (let low = below, high = stack.length - 1; low < high; low++, high--) {
      const slot = stack[low]!;
      stack[low] = stack[high]!;
      stack[high] = slot;
    }
  }

  private typeOf(slot: number): ObjectType | undefined {
    try {
      return this.packing.typeOf(slot);
    } catch (error) {
      if (this.options.tolerant && error instanceof CorruptObject) return undefined;
      throw error;
    }
  }

  private read(slot: number): GitObject | undefined {
    try {
      const object = this.packing.read(slot);
      this.tidy(object.data.byteLength);
      return object;
    } catch (error) {
      if (this.options.tolerant && error instanceof CorruptObject) return undefined;
      throw error;
    }
  }

  private point(slot: number): void {
    this.pointedTo[slot] = 1;
    this.options.onPointedTo?.(slot);
  }

  private missing(oid: Oid): void {
    if (this.options.isOutside?.(oid)) return;
    if (!this.options.tolerant) throw new CorruptObject(`missing object ${oid}`);
    this.options.onMissing?.(oid);
  }

  private tidy(readBytes: number): void {
    if (this.count >= this.progressAt) {
      this.progressAt = this.count + PROGRESS_OBJECTS;
      this.options.onProgress?.(this.count);
    }
    this.untidyBytes += readBytes;
    if (this.untidyBytes < TIDY_BYTES) return;
    this.untidyBytes = 0;
    Bun.gc(true);
  }
}
