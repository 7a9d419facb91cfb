/** Crops a PNG to its central square. The runtime's image functions scale and rotate, but do not crop. */

import { encodePng } from "./png.ts";

const SIGNATURE_BYTES = 8;
/** Samples per pixel by colour type, at 8 bits each. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly colourType: number;
  /** Filtered rows, each preceded by its filter number. */
  readonly rows: Uint8Array;
}

/**
 * @param png 8 bits per sample, not interlaced, without palette
 * @returns a PNG of the same kind, the largest square that fits
 * @throws Error another kind of PNG
 */
export function squarePng(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const pixels = readPng(png);
  const { width, height, colourType } = pixels;
  if (width === height) return new Uint8Array(png);
  const side = Math.min(width, height);
  const channels = CHANNELS[colourType] ?? 0;
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  const rowBytes = width * channels;
  const out = new Uint8Array(side * (side * channels + 1));
  let before = new Uint8Array(rowBytes);
  for (let y = 0; y < top + side; y++) {
    const at = y * (rowBytes + 1);
    const row = pixels.rows.slice(at + 1, at + 1 + rowBytes);
    unfilter(pixels.rows[at] ?? 0, row, before, channels);
    if (y >= top)
      out.set(row.subarray(left * channels, (left + side) * channels), (y - top) * (side * channels + 1) + 1);
    before = row;
  }
  return encodePng({ width: side, height: side, bitDepth: 8, colourType, rows: out, level: 1 });
}

function readPng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const data: Uint8Array[] = [];
  let head: DataView | undefined;
  for (let at = SIGNATURE_BYTES; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    const name = Buffer.from(png.buffer, png.byteOffset + at + 4, 4).toString("latin1");
    const content = png.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") head = new DataView(content.buffer, content.byteOffset, content.byteLength);
    if (name === "IDAT") data.push(content);
    at += length + 12;
  }
  const colourType = head?.getUint8(9) ?? -1;
  const channels = CHANNELS[colourType];
  if (!head || channels === undefined || head.getUint8(8) !== 8 || head.getUint8(12) !== 0)
    throw new Error("a PNG of another kind than expected");
  const [width, height] = [head.getUint32(0), head.getUint32(4)];
  const size = height * (width * channels + 1);
  const zlib = process.getBuiltinModule("node:zlib");
  const rows = zlib.inflateSync(Buffer.concat(data), { maxOutputLength: size });
  if (rows.length !== size) throw new Error("a PNG whose pixels are not complete");
  return { width, height, colourType, rows };
}

/** Reverses a row's filter in place (PNG specification, section 9). */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  for (let x = 0; x < row.length; x++) {
    const a = x >= step ? row[x - step]! : 0;
    const b = above[x]!;
    const c = x >= step ? above[x - step]! : 0;
    row[x]! += filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : filter === 4 ? paeth(a, b, c) : 0;
  }
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
