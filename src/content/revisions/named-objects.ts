import type { ObjectSource } from "../../git/objects/source.ts";
import type { GitObject, ObjectHeader, Oid } from "../../git/objects/types.ts";

/** An object source in which only some objects can be named by id; anything reachable from those is read as usual. */
export class NamedObjects implements ObjectSource {
  constructor(
    private readonly objects: ObjectSource,
    private readonly nameable: (oids: readonly Oid[]) => readonly Oid[],
  ) {}

  get format() {
    return this.objects.format;
  }

  has(oid: Oid): boolean {
    return this.objects.has(oid) && this.nameable([oid]).length > 0;
  }

  header(oid: Oid): ObjectHeader | undefined {
    return this.objects.header(oid);
  }

  read(oid: Oid): GitObject | undefined {
    return this.objects.read(oid);
  }

  stream(oid: Oid): ReadableStream<Uint8Array> | undefined {
    return this.objects.stream(oid);
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    return [...this.nameable(this.objects.findByPrefix(prefix, limit))].sort();
  }
}
