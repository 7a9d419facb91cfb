/** Something that a job leaves open for the next one in its thread. */
export interface Cacheable {
  close(): void;
}

/** @param cacheBytes what it may keep in memory */
export type CacheableKind<T extends Cacheable> = new (name: string, cacheBytes: number) => T;

/** Where no one says how much a thread may keep. */
const DEFAULT_BYTES = 64 * 1024 * 1024;

/** What a thread leaves open between jobs, by name: the few used last. */
export class ThreadCache {
  private readonly things = new Map<string, Cacheable>();

  /** What all of them together may keep in memory. */
  capacityBytes = DEFAULT_BYTES;

  constructor(private readonly max: number) {}

  /** The thing of that kind and name, opened if need be, and cached from now on. */
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
