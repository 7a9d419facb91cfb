import { readFileSync } from "node:fs";
import type { ObjectFormat } from "../objects/format.ts";

/**
 * When the objects of a cruft pack were last written, stored next to the pack as `.mtimes` (gitformat-pack):
 *
 *     "MTME" | version 1 | hash function: 1 SHA-1, 2 SHA-256 | for each object in id order: seconds since 1970
 *     checksum of the pack | checksum of all before          numbers have 4 bytes, big-endian
 *
 * A pack with such a file contains unreachable objects that are too young to be dropped.
 */
const HEADER_BYTES = 12;

/** @param seconds in pack index order */
export function formatMtimes(format: ObjectFormat, seconds: Uint32Array, packChecksum: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + seconds.length * 4 + 2 * format.oidBytes);
  bytes.write("MTME", 0, "latin1");
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(format.name === "sha1" ? 1 : 2, 8);
  for (let row = 0; row < seconds.length; row++) bytes.writeUInt32BE(seconds[row]!, HEADER_BYTES + row * 4);
  bytes.set(packChecksum, bytes.length - 2 * format.oidBytes);
  const covered = bytes.subarray(0, bytes.length - format.oidBytes);
  bytes.set(new Bun.CryptoHasher(format.name).update(covered).digest(), covered.length);
  return bytes;
}

/** The times in pack index order; undefined when there is no such file, or its length is wrong. */
export function readMtimes(path: string, format: ObjectFormat, objects: number): Uint32Array | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  if (bytes.length !== HEADER_BYTES + objects * 4 + 2 * format.oidBytes) return undefined;
  if (bytes.toString("latin1", 0, 4) !== "MTME" || bytes.readUInt32BE(4) !== 1) return undefined;
  return Uint32Array.from({ length: objects }, (_, row) => bytes.readUInt32BE(HEADER_BYTES + row * 4));
}
