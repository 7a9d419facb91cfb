import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "./format.ts";
import { RecentIds } from "./recent-ids.ts";
import { MODE_GITLINK } from "./tree.ts";
import { TreeCursor } from "./tree-cursor.ts";
import type { GitObject, Oid } from "./types.ts";

/** Objects identified by small numbers, which the caller of the walk assigns. */
export interface NumberedObjects {
  readonly format: ObjectFormat;
  /** The number of the object whose id is at `at`, or a negative number if there is none. `view` covers `data`. */
  find(data: Uint8Array, view: DataView, at: number): number;
  /** Returns undefined to skip the object. @throws CorruptObject */
  read(object: number): GitObject | undefined;
  oidOf(object: number): Oid;
}

/** Callbacks of a walk. Each tree carries a value for its entries: a path, its hash, a depth. */
export interface ObjectVisitor<T> {
  /** Called when a tree is entered. */
  tree?(tree: number, value: T): void;
  /**
   * Called for each entry that is not a submodule; `cursor` is at the entry. Returns the value with which to enter it
   * if it is a tree, or undefined not to enter it because it was seen before or is not needed.
   */
  entry(object: number, cursor: TreeCursor, above: T): T | undefined;
  /** Called for an entry whose object is missing. */
  missing(oid: Oid, tree: number): void;
}

/** Bytes of trees read between two garbage collections; the runtime would let garbage grow to hundreds of megabytes. */
const TIDY_BYTES = 16 * 1024 * 1024;

interface OpenTree<T> {
  readonly tree: number;
  readonly cursor: TreeCursor;
  readonly view: DataView;
  readonly value: T;
}

/**
 * Walks the objects below trees in the order of `git rev-list --objects`: entry by entry, a directory's contents right
 * after it. All object enumeration happens here; the visitor decides which objects are new, wanted, had or counted.
 */
export class ObjectWalk<T> {
  private readonly recent: RecentIds | undefined;
  private untidyBytes = 0;

  /** @param once recently seen objects need not be reported again, even under another name */
  constructor(
    private readonly objects: NumberedObjects,
    private readonly visitor: ObjectVisitor<T>,
    once: boolean,
  ) {
    this.recent = once ? new RecentIds(objects.format) : undefined;
  }

  /** Enters a tree without asking the visitor. @throws CorruptObject when an object to be entered is not a tree */
  enter(root: number, value: T): void {
    const open: OpenTree<T>[] = [];
    this.open(root, value, open);
    for (let top = open.at(-1); top; top = open.at(-1)) if (!this.goOn(top, open)) open.pop();
  }

  /** Visits entries up to the next tree to enter; returns false at the end. */
  private goOn({ tree, cursor, view, value }: OpenTree<T>, open: OpenTree<T>[]): boolean {
    const { objects, visitor, recent } = this;
    while (cursor.next()) {
      const at = cursor.oidStart;
      if (cursor.mode === MODE_GITLINK || recent?.meet(view, at)) continue;
      const object = objects.find(cursor.data, view, at);
      if (object < 0) {
        visitor.missing(cursor.oid(), tree);
        continue;
      }
      const below = visitor.entry(object, cursor, value);
      if (below !== undefined && cursor.isTree && this.open(object, below, open)) return true;
    }
    return false;
  }

  private open(tree: number, value: T, open: OpenTree<T>[]): boolean {
    this.visitor.tree?.(tree, value);
    const object = this.objects.read(tree);
    if (!object) return false;
    const { type, data } = object;
    if (type !== "tree") throw new CorruptObject(`${this.objects.oidOf(tree)} is a ${type}, not a tree`);
    this.tidy(data.byteLength);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    open.push({ tree, cursor: new TreeCursor(data, this.objects.format), view, value });
    return true;
  }

  private tidy(readBytes: number): void {
    this.untidyBytes += readBytes;
    if (this.untidyBytes < TIDY_BYTES) return;
    this.untidyBytes = 0;
    Bun.gc(true);
  }
}
