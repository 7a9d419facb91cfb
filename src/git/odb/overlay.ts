import { hashObject } from "../objects/hash.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { GitObject, ObjectHeader, ObjectType, Oid } from "../objects/types.ts";
import type { NewObject } from "./write.ts";

/**
 * A source with unstored objects layered on top, such as those a merge or rebase creates. At the end, pass `made()` to
 * `writeObjects` or discard it.
 */
export class Overlay implements ObjectSource {
  private readonly objects = new Map<Oid, GitObject>();

  constructor(private readonly below: ObjectSource) {}

  get format() {
    return this.below.format;
  }

  /** Adds an object unless it already exists. Takes ownership of `data`. */
  put(type: ObjectType, data: Uint8Array): Oid {
    const oid = hashObject(this.format, type, data);
    if (!this.objects.has(oid) && !this.below.has(oid)) this.objects.set(oid, { type, data });
    return oid;
  }

  /** The added objects, oldest first, so an object follows the objects it points to if those were put first. */
  made(): NewObject[] {
    return [...this.objects.values()];
  }

  has(oid: Oid): boolean {
    return this.objects.has(oid) || this.below.has(oid);
  }

  header(oid: Oid): ObjectHeader | undefined {
    const object = this.objects.get(oid);
    return object ? { type: object.type, sizeBytes: object.data.length } : this.below.header(oid);
  }

  read(oid: Oid): GitObject | undefined {
    return this.objects.get(oid) ?? this.below.read(oid);
  }

  stream(oid: Oid): ReadableStream<Uint8Array> | undefined {
    const object = this.objects.get(oid);
    if (!object) return this.below.stream(oid);
    return new Response(object.data.slice()).body ?? undefined;
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    const own = [...this.objects.keys()].filter((oid) => oid.startsWith(prefix));
    return [...new Set([...own, ...this.below.findByPrefix(prefix, limit)])].sort().slice(0, limit);
  }
}
