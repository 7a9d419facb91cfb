/** Something that a job leaves open for the next one in its thread. */
export interface Cacheable {
  close(): void;
}

/** @param cacheBytes how much it may keep in memory */
export type CacheableKind<T extends Cacheable> = new (name: string, cacheBytes: number) => T;

/** Used when no cache size is given. */
const DEFAULT_BYTES = 64 * 1024 * 1024;

/** Resources that a thread leaves open between jobs, by name: the most recently used. */
export class ThreadCache {
  private readonly things = new Map<string, Cacheable>();

  /** How much all of them together may keep in memory. */
  capacityBytes = DEFAULT_BYTES;

  constructor(private readonly max: number) {}

  /** Returns the resource of that kind and name, opening and caching it if needed. */
  get<T extends Cacheable>(kind: CacheableKind<T>, name: string): T {
    const cached = this.things.get(name);
    if (cached && !(cached instanceof kind)) cached.close();
    const thing = cached instanceof kind ? cached : new kind(name, this.capacityBytes / this.max);
    this.things.delete(name);
    this.things.set(name, thing);
    const oldest = this.things.entries().next().value;
    if (this.things.size > this.max && oldest) {
      this.things.delete(oldest[0]);
      oldest[1].close();
    }
    return thing;
  }
}
