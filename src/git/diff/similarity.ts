import { isBinary } from "./content.ts";

/** How often each piece of a content occurs, in bytes: what two files are compared by when renames are looked for. */
export interface Fingerprint {
  /** Hashes of pieces, ascending. */
  readonly hashes: Int32Array;
  /** Bytes in pieces of that hash. */
  readonly bytes: Int32Array;
}

const MAX_PIECE_BYTES = 64;
/** Hashes are below this prime: pieces may share one, and do so in git as well. */
const HASHES = 107_927;

/**
 * Makes fingerprints. Content is cut after newlines, and after 64 bytes at the latest; a CR before LF does not count in
 * text, and what remains after the last cut does not count at all. Cuts and hashes are git's, so that scores are.
 */
export class Fingerprints {
  /** Made when first needed: most differences have no file that may have been renamed. */
  private counts: Int32Array | undefined;

  of(data: Uint8Array): Fingerprint {
    this.counts ??= new Int32Array(HASHES);
    const { counts } = this;
    const text = !isBinary(data);
    const size = data.length;
    let found = new Int32Array(256);
    let different = 0;
    let low = 0;
    let high = 0;
    let length = 0;
    for (let i = 0; i < size; i++) {
      const byte = data[i]!;
      if (byte === 0x0d && text && data[i + 1] === 0x0a) continue;
      const before = low;
      low = (((low << 7) ^ (high >>> 25)) + byte) | 0;
      high = (high << 7) ^ (before >>> 25);
      length++;
      if (length < MAX_PIECE_BYTES && byte !== 0x0a) continue;
      const hash = ((low + Math.imul(high, 0x61)) >>> 0) % HASHES;
      if (counts[hash] === 0) {
        if (different === found.length) {
          const more = new Int32Array(different * 2);
          more.set(found);
          found = more;
        }
        found[different++] = hash;
      }
      counts[hash]! += length;
      length = 0;
      low = 0;
      high = 0;
    }
    const hashes = found.slice(0, different).sort();
    const bytes = new Int32Array(different);
    for (let i = 0; i < different; i++) {
      bytes[i] = counts[hashes[i]!]!;
      counts[hashes[i]!] = 0;
    }
    return { hashes, bytes };
  }
}

/** Bytes in pieces that both have. */
export function sharedBytes(a: Fingerprint, b: Fingerprint): number {
  let shared = 0;
  let x = 0;
  let y = 0;
  while (x < a.hashes.length && y < b.hashes.length) {
    const order = a.hashes[x]! - b.hashes[y]!;
    if (order === 0) shared += Math.min(a.bytes[x++]!, b.bytes[y++]!);
    else if (order < 0) x++;
    else y++;
  }
  return shared;
}
