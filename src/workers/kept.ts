/** Something that a job leaves open for the next one in its thread. */
export interface Keepable {
  close(): void;
}

/** What a thread keeps between jobs, by name: the few used last. */
export class Kept {
  private readonly things = new Map<string, Keepable>();

  constructor(private readonly most: number) {}

  /** The thing of that kind and name, made if need be, and kept from now on. */
  keep<T extends Keepable>(kind: new (name: string) => T, name: string): T {
    const known = this.things.get(name);
    if (known && !(known instanceof kind)) known.close();
    const thing = known instanceof kind ? known : new kind(name);
    this.things.delete(name);
    this.things.set(name, thing);
    const oldest = this.things.entries().next().value;
    if (this.things.size > this.most && oldest) {
      this.things.delete(oldest[0]);
      oldest[1].close();
    }
    return thing;
  }
}
