/**
 * All caches of the main thread share one budget of bytes (`cache.mib`): what was used longest ago goes first, in
 * whichever cache it stands. So a site whose people read code caches code, and no cache has a size of its own to get wrong.
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
/** A value that would push out more than this part of everything else is not kept. */
const MAX_SHARE = 1 / 4;

/** One kind of thing that was made once and is cached, by name. Values must never change. */
export interface Cache<K extends string | number, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

export class CacheBudget {
  private usedBytes = 0;
  private newest: Entry | undefined;
  private oldest: Entry | undefined;

  /** @param capacityBytes for all caches together; 0 caches nothing */
  constructor(private readonly capacityBytes: number) {}

  /** Bytes of everything that is cached now, as its caches weigh it. */
  get bytes(): number {
    return this.usedBytes;
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
        while (this.usedBytes > this.capacityBytes && this.oldest) this.remove(this.oldest);
      },
      delete: (key) => {
        const entry = home.get(key);
        if (entry) this.remove(entry);
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
