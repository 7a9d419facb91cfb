/**
 * Changed-path Bloom filters, version 1, as described in gitformat-commit-graph(5): each path that differs from the
 * first parent, and each directory above it, is hashed twice with murmur3, and seven bits are set.
 */

export const HASHES_PER_PATH = 7;
/**
 * For filters we write; filters we read may have any number. git uses 10, which makes a walk by path read four to ten
 * times as many trees in vain. 17 instead of 16 gives nearly all filters an odd number of bytes: with an even number,
 * a path whose second hash is a multiple of 16 sets few distinct bits.
 */
export const BITS_PER_PATH = 17;
/** A commit that changes more paths than this gets a filter that matches everything. */
export const MAX_CHANGED_PATHS = 512;

const SEED_0 = 0x293ae76f;
const SEED_1 = 0x7e646e2c;

/** A hashed path, for lookup in any number of filters. */
export interface BloomKey {
  readonly hash0: number;
  readonly hash1: number;
  /** False for paths with bytes above 0x7f, whose version 1 hash depends on the machine that wrote the filter. */
  readonly reliable: boolean;
}

/** @param path without leading or trailing slash, one character per byte (latin1) or plain ASCII */
export function bloomKey(path: Uint8Array): BloomKey {
  let reliable = true;
  for (const byte of path) if (byte > 0x7f) reliable = false;
  return { hash0: murmur3(path, SEED_0), hash1: murmur3(path, SEED_1), reliable };
}

/**
 * Returns false only if the commit definitely did not change the path relative to its first parent.
 * @param data contains the filter from `start` to `end`; an empty filter matches everything
 */
export function mayContain(data: Uint8Array, start: number, end: number, key: BloomKey): boolean {
  const bits = (end - start) * 8;
  if (bits === 0 || !key.reliable) return true;
  let hash = key.hash0;
  for (let i = 0; i < HASHES_PER_PATH; i++) {
    // The remainder in doubles is exact here (32 bits by fewer), and faster than with unsigned integers.
    const place = hash - Math.floor(hash / bits) * bits;
    if ((data[start + (place >>> 3)]! & (1 << (place & 7))) === 0) return false;
    hash = (hash + key.hash1) >>> 0;
  }
  return true;
}

/**
 * Builds the filter of a commit.
 * @param changed paths that differ from the first parent, as latin1 strings; their directories are added here
 */
export function buildFilter(changed: readonly string[]): Uint8Array {
  if (changed.length > MAX_CHANGED_PATHS) return new Uint8Array([0xff]);
  const paths = new Set<string>();
  for (const path of changed) {
    let rest = path;
    while (!paths.has(rest)) {
      paths.add(rest);
      const slash = rest.lastIndexOf("/");
      if (slash < 0) break;
      rest = rest.slice(0, slash);
    }
  }
  if (paths.size > MAX_CHANGED_PATHS) return new Uint8Array([0xff]);
  if (paths.size === 0) return new Uint8Array([0]);
  const filter = new Uint8Array(Math.ceil((paths.size * BITS_PER_PATH) / 8));
  const bits = filter.length * 8;
  for (const path of paths) {
    const { hash0, hash1 } = bloomKey(Buffer.from(path, "latin1"));
    let hash = hash0;
    for (let i = 0; i < HASHES_PER_PATH; i++) {
      const place = hash % bits;
      filter[place >>> 3]! |= 1 << (place & 7);
      hash = (hash + hash1) >>> 0;
    }
  }
  return filter;
}

const rotate = (x: number, by: number) => (x << by) | (x >>> (32 - by));

/** 32-bit murmur3 as used by version 1 filters: bytes are signed, as in git on x86. */
function murmur3(data: Uint8Array, seed: number): number {
  const signed = new Int8Array(data.buffer, data.byteOffset, data.byteLength);
  const whole = data.length & ~3;
  let h = seed;
  for (let i = 0; i < whole; i += 4) {
    const k = signed[i]! | (signed[i + 1]! << 8) | (signed[i + 2]! << 16) | (signed[i + 3]! << 24);
    h ^= Math.imul(rotate(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
    h = (Math.imul(rotate(h, 13), 5) + 0xe6546b64) | 0;
  }
  const rest = data.length - whole;
  if (rest > 0) {
    let tail = signed[whole]!;
    if (rest > 1) tail ^= signed[whole + 1]! << 8;
    if (rest > 2) tail ^= signed[whole + 2]! << 16;
    h ^= Math.imul(rotate(Math.imul(tail, 0xcc9e2d51), 15), 0x1b873593);
  }
  h ^= data.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
