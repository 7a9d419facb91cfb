import { crc32 } from "node:zlib";
import { deflated } from "./deflate.ts";

/**
 * gzip (RFC 1952) without name and time, so that the same content gives the same bytes; the system is "Unix", as in
 * git.
 */
const HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];

/** Compresses in chunks. @param level 0 to 9, or -1 for zlib's default */
export async function* gzip(pieces: AsyncIterable<Uint8Array>, level = -1): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let sum = 0;
  let size = 0;
  const watched = async function* () {
    for await (const piece of pieces) {
      sum = crc32(piece, sum);
      size += piece.length;
      yield piece;
    }
  };
  const header = Uint8Array.from(HEADER);
  header[8] = level === 9 ? 2 : level === 0 || level === 1 ? 4 : 0;
  yield header;
  yield* deflated(watched(), level);
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, sum, true);
  trailer.setUint32(4, size % 2 ** 32, true);
  yield new Uint8Array(trailer.buffer);
}
