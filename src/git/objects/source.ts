import type { ObjectFormat } from "./format.ts";
import type { GitObject, ObjectHeader, Oid } from "./types.ts";

/**
 * A source of objects. Reading is synchronous: an object is one `pread` and one inflate away, and
 * a promise for each of a million objects costs more than the read. Work on many objects, or on a large one,
 * belongs in a worker.
 */
export interface ObjectSource {
  /** The hash format of these objects' ids. */
  readonly format: ObjectFormat;

  has(oid: Oid): boolean;

  /** Type and size without reading the content; undefined when there is no such object. */
  header(oid: Oid): ObjectHeader | undefined;

  /**
   * The whole object; undefined when there is none.
   * @throws ObjectTooLarge when it is larger than the source's `maxObjectBytes` (use `stream` for big blobs)
   * @throws CorruptObject when the stored bytes do not yield the expected object
   */
  read(oid: Oid): GitObject | undefined;

  /** As `read`, but the bytes are lent: valid only until the next read. For objects unlikely to be read again. */
  readLent?(oid: Oid): GitObject | undefined;

  /** The content as a pull stream in bounded memory; undefined when there is no such object. */
  stream(oid: Oid): ReadableStream<Uint8Array> | undefined;

  /** Ids that begin with `prefix` (4 or more hexadecimal digits), at most `limit` of them, in order. */
  findByPrefix(prefix: string, limit: number): Oid[];
}
