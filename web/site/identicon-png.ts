import { type Identicon, identicon, SQUARES } from "./identicon.ts";

const SQUARE_PX = 44;
const MARGIN_PX = 18;
const SIDE_PX = SQUARES * SQUARE_PX + 2 * MARGIN_PX;

/**
 * The picture of an account that uploaded none, drawn from its name alone: five by five squares on white, 256 pixels
 * a side, as a PNG of two colours (about 200 bytes). PNG because clients of the API show no SVG.
 */
export function identiconPng(seed: string): Uint8Array<ArrayBuffer> {
  const { squares, colour } = identicon(seed);
  const row = Math.ceil(SIDE_PX / 8) + 1;
  const pixels = new Uint8Array(row * SIDE_PX);
  for (const [column, line] of squares) {
    const [left, top] = [MARGIN_PX + column * SQUARE_PX, MARGIN_PX + line * SQUARE_PX];
    for (let y = top; y < top + SQUARE_PX; y++)
      for (let x = left; x < left + SQUARE_PX; x++) pixels[y * row + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
  }
  return png(pixels, colour);
}

function png(pixels: Uint8Array, [red, green, blue]: Identicon["colour"]): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE_PX, 0);
  header.writeUInt32BE(SIDE_PX, 4);
  // One bit a pixel, colours from a palette.
  header.set([1, 3, 0, 0, 0], 8);
  const palette = Buffer.from([255, 255, 255, red, green, blue]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk("IHDR", header),
      chunk("PLTE", palette),
      chunk("IDAT", process.getBuiltinModule("node:zlib").deflateSync(pixels, { level: 9 })),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Uint8Array): Buffer {
  const made = Buffer.alloc(data.length + 12);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, "latin1");
  made.set(data, 8);
  made.writeUInt32BE(Bun.hash.crc32(made.subarray(4, data.length + 8)), data.length + 8);
  return made;
}
