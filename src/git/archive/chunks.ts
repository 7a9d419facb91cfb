const CHUNK_BYTES = 128 * 1024;

/**
 * The same bytes in fewer, larger buffers, each its own: an archive of small files comes in some for each, and each that
 * crosses to another thread costs that one a turn.
 */
export async function* inChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let used = 0;
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(piece.length - at, CHUNK_BYTES - used);
      chunk.set(piece.subarray(at, at + taken), used);
      at += taken;
      used += taken;
      if (used < CHUNK_BYTES) continue;
      yield chunk;
      chunk = new Uint8Array(CHUNK_BYTES);
      used = 0;
    }
  if (used > 0) yield chunk.slice(0, used);
}
