import { CorruptObject } from "../errors.ts";
import { type CommitLinks, parseCommitLinks } from "../objects/commit.ts";
import { ObjectWalk } from "../objects/object-walk.ts";
import { parseTagLink } from "../objects/tag.ts";
import type { TreeCursor } from "../objects/tree-cursor.ts";
import type { GitObject, ObjectType, Oid } from "../objects/types.ts";
import { IdList } from "../pack-objects/id-set.ts";
import { PriorityQueue } from "../priority-queue.ts";
import { NONE, type PackingData } from "./packing-data.ts";
import { directoryHash, pathHash } from "./path-hash.ts";

export interface ReachOptions {
  /** Skip missing objects instead of throwing. */
  readonly tolerant?: boolean;
  /** Commits whose parents are missing, as in a shallow repository. */
  readonly shallow?: ReadonlySet<Oid>;
  /** Whether an object not in the set exists elsewhere; such objects are not visited. */
  readonly isOutside?: (oid: Oid) => boolean;
  /** Called for each object that another object or a root tag points to; usually more than once per object. */
  readonly onPointedTo?: (slot: number) => void;
  /** Called for each skipped missing object; possibly more than once per object. */
  readonly onMissing?: (oid: Oid) => void;
  /** Called with the number of objects found so far; may throw to abort. */
  readonly onProgress?: (objects: number) => void;
}

/** Number of objects between two calls of `onProgress`. */
const PROGRESS_OBJECTS = 4096;
/** Bytes of commits and tags between two garbage collections: reading one leaves ten times its size in garbage. */
const TIDY_BYTES = 4 * 1024 * 1024;

/**
 * The objects reachable from some ids, each once, in the order of `git rev-list --objects`: commits newest first, then
 * the contents of their trees, path by path. Records the hash of the first path each object was found under.
 */
export class Reach {
  readonly commits = new IdList();
  readonly tags = new IdList();
  readonly trees = new IdList();
  readonly blobs = new IdList();
  /** By slot. */
  readonly hashes: Uint32Array;
  /** By slot: 0 if unreachable. */
  readonly found: Uint8Array;
  /** By slot: 1 if another reached object points to it. */
  readonly pointedTo: Uint8Array;
  /** Walks the contents of trees. A tree's value is its path hash, from which those of its entries continue. */
  private readonly below: ObjectWalk<number>;
  /** Commits in the queue. */
  private readonly waiting = new Map<number, CommitLinks>();
  private untidyBytes = 0;
  private progressAt = 0;

  constructor(
    private readonly packing: PackingData,
    private readonly options: ReachOptions,
    /** Another walk, whose objects count as already visited. */
    before?: Reach,
  ) {
    const { table } = packing;
    const numbers = {
      format: packing.store.format,
      find: (_data: Uint8Array, view: DataView, at: number) => table.find(view, at),
      read: (slot: number) => this.read(slot),
      oidOf: (slot: number) => table.oidOf(slot),
    };
    const visitor = {
      missing: (oid: Oid) => this.missing(oid),
      tree: (slot: number) => this.trees.push(slot),
      entry: (slot: number, cursor: TreeCursor, hash: number) => this.enterEntry(slot, cursor, hash),
    };
    this.below = new ObjectWalk(numbers, visitor, true);
    this.hashes = before?.hashes ?? new Uint32Array(packing.table.size);
    this.found = before?.found ?? new Uint8Array(packing.table.size);
    this.pointedTo = before?.pointedTo ?? new Uint8Array(packing.table.size);
  }

  get count(): number {
    return this.commits.length + this.tags.length + this.trees.length + this.blobs.length;
  }

  /** @throws CorruptObject when an object on the way is missing, unless missing objects are skipped */
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
    for (const tree of trees) this.below.enter(tree, 0);
    for (const tree of rootTrees.values()) this.below.enter(tree, 0);
    this.options.onProgress?.(this.count);
  }

  /** Begins at a root of any type. */
  private begin(root: Oid, queue: PriorityQueue<number>, trees: number[]): void {
    let oid: Oid | undefined = root;
    for (let isBelow = false; oid !== undefined; isBelow = true) oid = this.beginOne(oid, isBelow, queue, trees);
  }

  /** Returns the target of a tag, and undefined for everything else. */
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

  /** The slot of an object visited for the first time. */
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

  private enterEntry(slot: number, cursor: TreeCursor, above: number): number | undefined {
    this.point(slot);
    if (this.found[slot] === 1) return undefined;
    this.found[slot] = 1;
    const hash = pathHash(above, cursor.data, cursor.nameStart, cursor.nameEnd);
    this.hashes[slot] = hash;
    if (cursor.isTree) return directoryHash(hash);
    this.blobs.push(slot);
    return undefined;
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
      this.tidy(object);
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

  private tidy({ type, data }: GitObject): void {
    if (this.count >= this.progressAt) {
      this.progressAt = this.count + PROGRESS_OBJECTS;
      this.options.onProgress?.(this.count);
    }
    if (type === "tree") return;
    this.untidyBytes += data.byteLength;
    if (this.untidyBytes < TIDY_BYTES) return;
    this.untidyBytes = 0;
    Bun.gc(true);
  }
}
