/** The engine's basic words. Everything else in `src/git` is built from these. */

/** An object id in lower-case hexadecimal digits: 40 of SHA-1, 64 of SHA-256. */
export type Oid = string;

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface GitObject {
  readonly type: ObjectType;
  /** The object's content, without the loose header. Never written to by a reader: buffers may be shared by a cache. */
  readonly data: Uint8Array;
}

export interface ObjectHeader {
  readonly type: ObjectType;
  readonly sizeBytes: number;
}

export function isOid(text: string): text is Oid {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * The id that is written in an object. Git writes lower-case digits and reads either; two readers must not disagree on
 * what an object points to. Undefined when it is no id.
 */
export function readOid(text: string): Oid | undefined {
  const digits = /[A-F]/.test(text) ? text.toLowerCase() : text;
  return isOid(digits) ? digits : undefined;
}
