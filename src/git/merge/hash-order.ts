/**
 * The iteration order of git's hash table. Where git's merge iterates over such a table, the result can depend
 * on that order: which of two equal files is taken for the renamed one, or which of two directories files went to.
 */

const FIRST_SIZE = 64;
/** The table grows fourfold when it is four fifths full. */
const GROWTH_BITS = 2;

/** @param keys distinct latin1 strings, in insertion order */
export function inHashOrder(keys: readonly string[]): string[] {
  if (keys.length < 2) return [...keys];
  let buckets: string[][] = Array.from({ length: FIRST_SIZE }, () => []);
  let count = 0;
  for (const key of keys) {
    // git prepends new keys to a bucket's list; here the end of the array is the front.
    buckets[hashOf(key) & (buckets.length - 1)]!.push(key);
    if (++count <= Math.floor((buckets.length * 4) / 5)) continue;
    const wider: string[][] = Array.from({ length: buckets.length << GROWTH_BITS }, () => []);
    for (const bucket of buckets)
      for (let i = bucket.length - 1; i >= 0; i--) wider[hashOf(bucket[i]!) & (wider.length - 1)]!.push(bucket[i]!);
    buckets = wider;
  }
  return buckets.flatMap((bucket) => bucket.reverse());
}

/** FNV-1, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash, 0x01000193) ^ key.charCodeAt(i);
  return hash >>> 0;
}
