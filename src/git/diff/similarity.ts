import { isBinary } from "./content.ts";

/** How often each piece of a content occurs, in bytes: what two files are compared by when renames are looked for. */
export interface Fingerprint {
  readonly sizeBytes: number;
  /** Bytes in pieces with the same hash. */
  readonly pieces: ReadonlyMap<number, number>;
}

const MAX_PIECE_BYTES = 64;

/** Cuts content after newlines, and after 64 bytes at the latest, as git does; a CR before LF does not count in text. */
export function fingerprint(data: Uint8Array): Fingerprint {
  const pieces = new Map<number, number>();
  const text = !isBinary(data);
  let hash = 0x811c9dc5;
  let length = 0;
  const size = data.length;
  for (let i = 0; i < size; i++) {
    const byte = data[i]!;
    if (text && byte === 0x0d && data[i + 1] === 0x0a) continue;
    hash = Math.imul(hash ^ byte, 0x01000193);
    length++;
    if (length < MAX_PIECE_BYTES && byte !== 0x0a) continue;
    pieces.set(hash, (pieces.get(hash) ?? 0) + length);
    hash = 0x811c9dc5;
    length = 0;
  }
  if (length > 0) pieces.set(hash, (pieces.get(hash) ?? 0) + length);
  return { sizeBytes: size, pieces };
}

/** Percent of the larger content that both share, rounded down: git's similarity index. */
export function similarity(a: Fingerprint, b: Fingerprint): number {
  const larger = Math.max(a.sizeBytes, b.sizeBytes);
  if (larger === 0) return 0;
  const [few, many] = a.pieces.size <= b.pieces.size ? [a.pieces, b.pieces] : [b.pieces, a.pieces];
  let shared = 0;
  for (const [hash, bytes] of few) {
    const others = many.get(hash);
    if (others !== undefined) shared += Math.min(bytes, others);
  }
  return Math.floor((shared * 100) / larger);
}
