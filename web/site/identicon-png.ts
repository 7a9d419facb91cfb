import { encodePng } from "../../src/avatars/png.ts";
import { identicon, SQUARES } from "./identicon.ts";

const SQUARE_PX = 44;
const MARGIN_PX = 18;
const SIDE_PX = SQUARES * SQUARE_PX + 2 * MARGIN_PX;

/**
 * The picture of an account without an uploaded one, drawn from its name alone: five by five squares on white, 256
 * pixels wide and high, as a two-colour PNG (about 200 bytes). PNG, because API clients do not render SVG.
 */
export function identiconPng(seed: string): Uint8Array<ArrayBuffer> {
  const {
    squares,
    colour: [red, green, blue],
  } = identicon(seed);
  const row = Math.ceil(SIDE_PX / 8) + 1;
  const pixels = new Uint8Array(row * SIDE_PX);
  for (const [column, line] of squares) {
    const [left, top] = [MARGIN_PX + column * SQUARE_PX, MARGIN_PX + line * SQUARE_PX];
    for (let y = top; y < top + SQUARE_PX; y++)
      for (let x = left; x < left + SQUARE_PX; x++) pixels[y * row + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
  }
  // One bit per pixel, with a palette.
  const palette = Buffer.from([255, 255, 255, red, green, blue]);
  return encodePng({
    width: SIDE_PX,
    height: SIDE_PX,
    bitDepth: 1,
    colourType: 3,
    palette,
    rows: pixels,
    level: 9,
  });
}
