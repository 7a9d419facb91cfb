import type { GitObject } from "../objects/types.ts";

/** Objects that were read lately, by a numeric key. The server keeps them in the budget of all its caches. */
export interface ObjectCache {
  get(key: number): GitObject | undefined;
  set(key: number, object: GitObject): void;
  clear(): void;
}

/** What an entry costs beside its bytes: map slot, wrapper, array header. */
const ENTRY_OVERHEAD = 160;

/**
 * Recently used objects by a numeric key, bounded in bytes. Two generations: when the young one is half of the
 * capacity it becomes the old one, and what was old and not used since is gone. A strict order of use costs four
 * times as much, in deleting the oldest from a Map one by one (measured on a walk over 82,000 commits).
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

  /** Keeps an object, unless it alone would push out a quarter of everything else. */
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
