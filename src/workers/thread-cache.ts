/** Something that a job leaves open for the next one in its thread. */
export interface Cacheable {
  close(): void;
}

/** What a thread leaves open between jobs, by name: the few used last. */
export class ThreadCache {
  private readonly things = new Map<string, Cacheable>();

  constructor(private readonly max: number) {}

  /** The thing of that kind and name, opened if need be, and cached from now on. */
  get<T extends Cacheable>(kind: new (name: string) => T, name: string): T {
    const cached = this.things.get(name);
    if (cached && !(cached instanceof kind)) cached.close();
    const thing = cached instanceof kind ? cached : new kind(name);
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
