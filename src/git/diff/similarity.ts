import { isBinary } from "./content.ts";

/** The bytes of a content by hash of its pieces: what rename detection compares. */
export interface Fingerprint {
  /** Hashes of pieces, ascending. */
  readonly hashes: Int32Array;
  /** Bytes in pieces with that hash. */
  readonly bytes: Int32Array;
}

const MAX_PIECE_BYTES = 64;
/** Hashes are below this prime; as in git, different pieces may collide. */
const HASHES = 107_927;

/**
 * Computes fingerprints. Content is split after newlines, and after 64 bytes at the latest; in text, a CR before LF
 * does not count, and the rest after the last split does not count at all. Splits and hashes are git's, so scores are
 * the same.
 */
export class Fingerprints {
  /** Created on first use: most diffs have no possible renames. */
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
