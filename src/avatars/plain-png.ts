/** Chunks that only affect the picture itself (PNG specification, 11). */
const PICTURE_CHUNKS = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "sBIT", "gAMA", "cHRM", "sRGB", "pHYs", "IEND"]);
const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;

/** Whether a PNG file contains only its picture: no text, no camera or location data, nothing after its end. */
export function isPlainPng(file: Uint8Array): boolean {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= view.length; ) {
    const type = view.toString("latin1", at + 4, at + 8);
    const end = at + FRAME_BYTES + view.readUInt32BE(at);
    if (!PICTURE_CHUNKS.has(type) || end > view.length) return false;
    if (type === "IEND") return end === view.length && end === at + FRAME_BYTES;
    at = end;
  }
  return false;
}
