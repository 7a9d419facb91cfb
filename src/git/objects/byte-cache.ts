import type { GitObject } from "./types.ts";

/** What an entry costs beside its bytes: map slot, wrapper, array header. */
const ENTRY_OVERHEAD = 160;

/** Recently used objects by a numeric key, bounded in bytes; the least recently used go first. */
export class ByteCache {
  private readonly entries = new Map<number, GitObject>();
  private usedBytes = 0;

  constructor(private readonly capacityBytes: number) {}

  get(key: number): GitObject | undefined {
    const object = this.entries.get(key);
    if (object) {
      this.entries.delete(key);
      this.entries.set(key, object);
    }
    return object;
  }

  /** Keeps an object, unless it alone would push out a quarter of everything else. */
  set(key: number, object: GitObject): void {
    const cost = object.data.length + ENTRY_OVERHEAD;
    if (cost > this.capacityBytes / 4 || this.entries.has(key)) return;
    this.entries.set(key, object);
    this.usedBytes += cost;
    for (const [oldest, { data }] of this.entries) {
      if (this.usedBytes <= this.capacityBytes) return;
      this.entries.delete(oldest);
      this.usedBytes -= data.length + ENTRY_OVERHEAD;
    }
  }

  clear(): void {
    this.entries.clear();
    this.usedBytes = 0;
  }
}
