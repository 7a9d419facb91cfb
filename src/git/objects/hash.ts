import { formatOf, type ObjectFormat } from "./format.ts";
import type { ObjectType, Oid } from "./types.ts";

/** Object ids: a hash over `<type> <size>\0<content>`, and the two forms of an id (bytes, hexadecimal digits). */

/** Returns the id of an object. `data` is the content without a header. */
export function hashObject(format: ObjectFormat, type: ObjectType, data: Uint8Array): Oid {
  return hashBytes(format, type, data);
}

/** As `hashObject`, for types git does not know. */
export function hashBytes(format: ObjectFormat, type: string, data: Uint8Array): Oid {
  return new Bun.CryptoHasher(format.name).update(`${type} ${data.length}\0`).update(data).digest("hex");
}

/** Returns the id stored at `offset` in hexadecimal. */
export function oidAt(format: ObjectFormat, bytes: Uint8Array, offset = 0): Oid {
  const { oidBytes } = format;
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, oidBytes).toString("hex", 0, oidBytes);
}

/** Returns the bytes of an id. */
export function oidBytes(oid: Oid): Uint8Array {
  const bytes = new Uint8Array(formatOf(oid).oidBytes);
  writeOid(oid, bytes, 0);
  return bytes;
}

/** Writes the bytes of an id at `offset`. */
export function writeOid(oid: Oid, target: Uint8Array, offset: number): void {
  const length = oid.length >>> 1;
  for (let i = 0; i < length; i++)
    target[offset + i] = (hexDigit(oid.charCodeAt(2 * i)) << 4) | hexDigit(oid.charCodeAt(2 * i + 1));
}

/** The value of a hexadecimal digit given as a character code; -1 for any other character. */
export function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

/** Orders two ids of `oidBytes` bytes each, as `memcmp` does. */
export function compareOidBytes(
  a: Uint8Array,
  aOffset: number,
  b: Uint8Array,
  bOffset: number,
  oidBytes: number,
): number {
  for (let i = 0; i < oidBytes; i++) {
    const difference = a[aOffset + i]! - b[bOffset + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
