import type { ObjectFormat } from "./format.ts";
import type { GitObject, ObjectHeader, Oid } from "./types.ts";

/**
 * Where objects come from. Reading is synchronous: an object is one `pread` and one inflate away, and
 * a promise for each of a million objects costs more than the read. Work over many objects, or over a big one,
 * belongs into a worker.
 */
export interface ObjectSource {
  /** How the ids of these objects are made. */
  readonly format: ObjectFormat;

  has(oid: Oid): boolean;

  /** Type and size without reading the content; undefined when there is no such object. */
  header(oid: Oid): ObjectHeader | undefined;

  /**
   * The whole object; undefined when there is none.
   * @throws ObjectTooLarge when it is larger than the source's `maxObjectBytes` (use `stream` for big blobs)
   * @throws CorruptObject when the stored bytes do not make the object they should
   */
  read(oid: Oid): GitObject | undefined;

  /** The same for who is done with the bytes before anything else is read, and hardly reads them again: they are lent. */
  readLent?(oid: Oid): GitObject | undefined;

  /** The content in pieces, in bounded memory, pulled; undefined when there is no such object. */
  stream(oid: Oid): ReadableStream<Uint8Array> | undefined;

  /** Ids that begin with `prefix` (4 hexadecimal digits and more), at most `limit` of them, in order. */
  findByPrefix(prefix: string, limit: number): Oid[];
}
