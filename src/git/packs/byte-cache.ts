import type { GitObject } from "../objects/types.ts";

/** Recently read objects by a numeric key. On the server they share the budget of all its caches. */
export interface ObjectCache {
  get(key: number): GitObject | undefined;
  set(key: number, object: GitObject): void;
  clear(): void;
}

/** Bytes an entry costs beyond its content: map slot, wrapper, array header. */
const ENTRY_OVERHEAD = 160;

/**
 * Recently used objects by a numeric key, bounded in bytes. Two generations: when the young one reaches half the
 * capacity it becomes the old one, and old entries not used since are evicted. Strict LRU order costs four
 * times as much, deleting the oldest from a Map one by one (measured on a walk over 82,000 commits).
 */
export class ByteCache implements ObjectCache {
  private young = new Map<number, GitObject>();
  private old = new Map<number, GitObject>();
  private youngBytes = 0;

  constructor(private readonly capacityBytes: number) {}

  get(key: number): GitObject | undefined {
    const young = this.young.get(key);
    if (young) return young;
    const old = this.old.get(key);
    if (old) this.add(key, old);
    return old;
  }

  /** Caches an object, unless it alone would take more than a quarter of the capacity. */
  set(key: number, object: GitObject): void {
    if (object.data.length > this.capacityBytes / 4 || this.young.has(key)) return;
    this.add(key, object);
  }

  clear(): void {
    this.young = new Map();
    this.old = new Map();
    this.youngBytes = 0;
  }

  private add(key: number, object: GitObject): void {
    const cost = object.data.length + ENTRY_OVERHEAD;
    if (this.youngBytes + cost > this.capacityBytes / 2 && this.young.size > 0) {
      this.old = this.young;
      this.young = new Map();
      this.youngBytes = 0;
    }
    this.young.set(key, object);
    this.youngBytes += cost;
  }
}
