/** The engine's basic types. Everything else in `src/git` is built on these. */

/** An object id in lower-case hexadecimal digits: 40 for SHA-1, 64 for SHA-256. */
export type Oid = string;

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface GitObject {
  readonly type: ObjectType;
  /** The object's content, without the loose header. Readers must not write to it: a cache may share the buffer. */
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
 * Parses an id as it appears in an object. Git writes lower-case digits but reads either; two readers must not disagree
 * on what an object points to. Returns undefined when it is not an id.
 */
export function readOid(text: string): Oid | undefined {
  const digits = /[A-F]/.test(text) ? text.toLowerCase() : text;
  return isOid(digits) ? digits : undefined;
}
