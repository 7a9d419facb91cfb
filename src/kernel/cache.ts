/**
 * All caches of the process share one budget of bytes (`cache.mib`): what was used longest ago goes first, in whichever
 * cache it stands. So a site whose people read code caches code, and no cache has a size of its own to get wrong. A worker
 * thread is lent a part of the budget for as long as it lives.
 */

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
  readonly bytes: number;
  readonly home: Map<unknown, Entry>;
  newer: Entry | undefined;
  older: Entry | undefined;
}

/** What an entry costs besides its value: the entry itself and its place in a map, measured. */
const ENTRY_BYTES = 160;
/** A value that would push out more than this part of everything else is not cached. */
const MAX_SHARE = 1 / 4;
/** What the main thread keeps of the budget, however many threads are lent a part. */
const OWN_SHARE = 1 / 4;

/** One kind of thing that was made once and is cached, by name. Values must never change. */
export interface Cache<K extends string | number, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Forgets everything in it. */
  clear(): void;
}

/** A part of the budget in use elsewhere; to be ended once. */
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

  /** Bytes of everything that is cached now, as its caches weigh it. */
  get bytes(): number {
    return this.usedBytes;
  }

  /** The heaviest value that is cached. */
  get largestBytes(): number {
    return this.capacityBytes * MAX_SHARE - ENTRY_BYTES * 2;
  }

  /** Gives a part of the budget to a thread, which caches by itself. */
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

  /** @param weigh the bytes of a value, about; keys and the entry itself are counted besides */
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

/** The bytes of a text of Latin letters, as it lies in memory; others take twice as much. */
export const textBytes = (text: string): number => text.length * 2;
