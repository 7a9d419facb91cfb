/**
 * A path hash of the last 16 characters, weighted towards the end: sorting by it puts versions of the same file, and
 * files of the same kind, next to each other. Real git uses the same hash. It is computed from left to right, so a
 * directory's hash can be continued for all paths in it. White space is ignored.
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

/** The hash from which the names in a directory continue. */
export function directoryHash(hash: number): number {
  return pathHash(hash, SLASH);
}
