import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { GitObject, ObjectHeader, Oid } from "../objects/types.ts";
import { ReadMeter } from "../packs/read-meter.ts";

/** Cost of a request for an object, in addition to its content. */
const BYTES_A_QUESTION = 64;

/**
 * A source that limits the total bytes of objects read, cached or not. Neither a repository's size nor its number of
 * objects bounds the work: forty small trees can unfold to more paths than there are atoms.
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
