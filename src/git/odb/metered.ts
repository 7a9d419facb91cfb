import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { GitObject, ObjectHeader, Oid } from "../objects/types.ts";
import { ReadMeter } from "../packs/read-meter.ts";

/** What a question about an object costs beside its content. */
const BYTES_A_QUESTION = 64;

/**
 * A source that gives no more than so many bytes of objects, whether they are at hand or not. How long work on a repository takes is seen neither from
 * its size nor from its number of objects: forty small trees unfold to more paths than there are atoms.
 */
export class MeteredSource implements ObjectSource {
  private readonly meter: ReadMeter;

  constructor(
    private readonly source: ObjectSource,
    bytes: number,
  ) {
    this.meter = new ReadMeter(bytes);
  }

  get format(): ObjectFormat {
    return this.source.format;
  }

  has(oid: Oid): boolean {
    return this.source.has(oid);
  }

  /** @throws ReadingSpent */
  header(oid: Oid): ObjectHeader | undefined {
    this.meter.spend(BYTES_A_QUESTION);
    return this.source.header(oid);
  }

  /** @throws ReadingSpent, and what the source throws */
  read(oid: Oid): GitObject | undefined {
    this.meter.spend(BYTES_A_QUESTION);
    const object = this.source.read(oid);
    if (object) this.meter.spend(object.data.length);
    return object;
  }

  stream(oid: Oid): ReadableStream<Uint8Array> | undefined {
    return this.source.stream(oid);
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    return this.source.findByPrefix(prefix, limit);
  }
}
