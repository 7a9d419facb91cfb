import { PIECE_BYTES as CHUNK_BYTES } from "./sink.ts";

/**
 * Merges the bytes into fewer, larger buffers, each standalone: an archive of small files may yield several per file,
 * and each buffer sent to another thread costs that thread an event loop turn.
 * @param pieces buffers that may be transferred
 */
export async function* inChunks(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let chunk = Bun.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for await (const piece of pieces) {
    if (used === 0 && piece.length === CHUNK_BYTES && piece.length === piece.buffer.byteLength) {
      yield piece;
      continue;
    }
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(piece.length - at, CHUNK_BYTES - used);
      chunk.set(piece.subarray(at, at + taken), used);
      at += taken;
      used += taken;
      if (used < CHUNK_BYTES) continue;
      yield chunk;
      chunk = Bun.allocUnsafe(CHUNK_BYTES);
      used = 0;
    }
  }
  if (used > 0) yield chunk.slice(0, used);
}
