/**
 * A number for a path in which its last 16 characters count, the last of them most: what lies next to each other when
 * sorted by it are versions of one file, or files of one kind. Real git sorts by the same number. It is made from left
 * to right, so that a directory's serves all paths in it. White space does not count.
 */
export function pathHash(before: number, name: Uint8Array, start = 0, end = name.length): number {
  let hash = before;
  for (let at = start; at < end; at++) {
    const code = name[at]!;
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue;
    hash = ((hash >>> 2) + (code << 24)) >>> 0;
  }
  return hash;
}

const SLASH = Uint8Array.of(0x2f);

/** The number that the names in a directory go on from. */
export function directoryHash(hash: number): number {
  return pathHash(hash, SLASH);
}
