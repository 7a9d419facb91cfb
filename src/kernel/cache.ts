/**
 * All caches of the process share one budget of bytes (`cache.mib`): the least recently used entry is evicted first,
 * whichever cache it is in. So a site whose users read code caches code, and no cache needs its own size limit. A
 * worker thread borrows a part of the budget for as long as it lives.
 */

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
  readonly bytes: number;
  readonly home: Map<unknown, Entry>;
  newer: Entry | undefined;
  older: Entry | undefined;
}

/** The measured overhead of an entry besides its value: the entry itself and its slot in a map. */
const ENTRY_BYTES = 160;
/** A value larger than this share of the capacity is not cached. */
const MAX_SHARE = 1 / 4;
/** The share of the budget that the main thread always keeps, however many threads borrow from it. */
const OWN_SHARE = 1 / 4;

/** A cache of one kind of value, by key. Values must never change. */
export interface Cache<K extends string | number, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Removes all its entries. */
  clear(): void;
}

/** A borrowed part of the budget; `end` must be called exactly once. */
export interface CacheLoan {
  readonly bytes: number;
  end(): void;
}

export class CacheBudget {
  private usedBytes = 0;
  private lentBytes = 0;
  private newest: Entry | undefined;
  private oldest: Entry | undefined;

  /** @param capacityBytes for all caches together; 0 caches nothing */
  constructor(private readonly capacityBytes: number) {}

  /** Total bytes of all cached entries, as weighed by their caches. */
  get bytes(): number {
    return this.usedBytes;
  }

  /** The maximum size of a value: larger ones are not cached. */
  get largestBytes(): number {
    return this.capacityBytes * MAX_SHARE - ENTRY_BYTES * 2;
  }

  /** Lends a part of the budget to a thread that caches on its own. */
  lend(part: number): CacheLoan {
    const bytes = Math.floor(this.capacityBytes * part);
    this.lentBytes += bytes;
    this.shrink();
    return {
      bytes,
      end: () => {
        this.lentBytes -= bytes;
      },
    };
  }

  private shrink(): void {
    const own = Math.max(this.capacityBytes * OWN_SHARE, this.capacityBytes - this.lentBytes);
    while (this.usedBytes > own && this.oldest) this.remove(this.oldest);
  }

  /** @param weigh the approximate bytes of a value; keys and the entry itself are counted in addition */
  cache<K extends string | number, V>(weigh: (value: V) => number): Cache<K, V> {
    const home = new Map<unknown, Entry>();
    return {
      get: (key) => {
        const entry = home.get(key);
        if (entry === undefined) return undefined;
        this.unlink(entry);
        this.link(entry);
        return entry.value as V;
      },
      set: (key, value) => {
        const before = home.get(key);
        if (before) this.remove(before);
        const keyBytes = typeof key === "string" ? key.length : 0;
        const bytes = ENTRY_BYTES + keyBytes + weigh(value);
        if (bytes > this.capacityBytes * MAX_SHARE) return;
        const entry: Entry = { key, value, bytes, home, newer: undefined, older: undefined };
        home.set(key, entry);
        this.link(entry);
        this.usedBytes += bytes;
        this.shrink();
      },
      delete: (key) => {
        const entry = home.get(key);
        if (entry) this.remove(entry);
      },
      clear: () => {
        for (const entry of [...home.values()]) this.remove(entry);
      },
    };
  }

  private remove(entry: Entry): void {
    this.unlink(entry);
    entry.home.delete(entry.key);
    this.usedBytes -= entry.bytes;
  }

  private link(entry: Entry): void {
    entry.older = this.newest;
    entry.newer = undefined;
    if (this.newest) this.newest.newer = entry;
    this.newest = entry;
    this.oldest ??= entry;
  }

  private unlink(entry: Entry): void {
    if (entry.newer) entry.newer.older = entry.older;
    else this.newest = entry.older;
    if (entry.older) entry.older.newer = entry.newer;
    else this.oldest = entry.newer;
  }
}

/** The bytes of a text in memory, counted as two per UTF-16 code unit; Latin text may take half of that. */
export const textBytes = (text: string): number => text.length * 2;
