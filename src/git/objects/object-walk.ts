import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "./format.ts";
import { RecentIds } from "./recent-ids.ts";
import { MODE_GITLINK } from "./tree.ts";
import { TreeCursor } from "./tree-cursor.ts";
import type { GitObject, Oid } from "./types.ts";

/** Objects by small numbers, as whoever walks over them has them. */
export interface NumberedObjects {
  readonly format: ObjectFormat;
  /** The number of the object whose id is at `at`; negative: there is none. `view` covers `data`. */
  find(data: Uint8Array, view: DataView, at: number): number;
  /** Undefined: it is passed over. @throws CorruptObject */
  read(object: number): GitObject | undefined;
  oidOf(object: number): Oid;
}

/** What becomes of what is met. A tree carries a value for its entries: a path, its hash, a depth. */
export interface ObjectVisitor<T> {
  /** A tree is entered. */
  tree?(tree: number, value: T): void;
  /**
   * An entry that is no submodule, named by `cursor`. Answers the value with which it is entered if it is a tree;
   * undefined: it is not, as it was met before or is not wanted.
   */
  entry(object: number, cursor: TreeCursor, above: T): T | undefined;
  /** An entry whose object is not there. */
  missing(oid: Oid, tree: number): void;
}

/** Bytes of trees between two collections of garbage, which the runtime would let grow to hundreds of megabytes. */
const TIDY_BYTES = 16 * 1024 * 1024;

interface OpenTree<T> {
  readonly tree: number;
  readonly cursor: TreeCursor;
  readonly view: DataView;
  readonly value: T;
}

/**
 * The objects below trees in the order of `git rev-list --objects`: an entry after the other, what is in a directory
 * right after it. Everyone who enumerates objects does it here; which are new, wanted, had or counted is the visitor's.
 */
export class ObjectWalk<T> {
  private readonly recent: RecentIds | undefined;
  private untidyBytes = 0;

  /** @param once what was met lately need not be told again: it was examined then, under whatever name */
  constructor(
    private readonly objects: NumberedObjects,
    private readonly visitor: ObjectVisitor<T>,
    once: boolean,
  ) {
    this.recent = once ? new RecentIds(objects.format) : undefined;
  }

  /** Enters a tree, which the visitor is not asked about. @throws CorruptObject when something that is entered is no tree */
  enter(root: number, value: T): void {
    const open: OpenTree<T>[] = [];
    this.open(root, value, open);
    for (let top = open.at(-1); top; top = open.at(-1)) if (!this.goOn(top, open)) open.pop();
  }

  /** Goes through the entries as far as the next tree that is entered; false at the end. */
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
