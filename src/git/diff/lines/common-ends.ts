/** Number of bytes two texts have in common at their start and at their end, never overlapping in either text. */
export interface CommonEnds {
  /** Extends to the end of a line. */
  readonly start: number;
  /** Begins at the start of a line. */
  readonly end: number;
}

const NEWLINE = 0x0a;
const PIECE_BYTES = 4096;

/** Finds the whole lines that two texts have in common, first at their start, then at their end. */
export function commonEnds(a: Uint8Array, b: Uint8Array): CommonEnds {
  const shorter = Math.min(a.length, b.length);
  const same = sameStart(a, b, shorter);
  const start = same === 0 ? 0 : a.lastIndexOf(NEWLINE, same - 1) + 1;
  const end = sameEnd(a, b, shorter - start);
  const [x, y] = [a.length - end, b.length - end];
  const isLine = end > 0 && beginsLine(a, x, start) && beginsLine(b, y, start);
  if (isLine || end === 0) return { start, end };
  const newline = a.indexOf(NEWLINE, x);
  return { start, end: newline < 0 ? 0 : a.length - newline - 1 };
}

function beginsLine(data: Uint8Array, at: number, start: number): boolean {
  return at === start || data[at - 1] === NEWLINE;
}

/** Length of the common prefix; compared in large pieces, each a memcmp, then in smaller ones. */
function sameStart(a: Uint8Array, b: Uint8Array, max: number): number {
  let at = 0;
  for (let piece = PIECE_BYTES; piece >= 64; piece >>= 3)
    while (at + piece <= max && equal(a, at, b, at, piece)) at += piece;
  while (at < max && a[at] === b[at]) at++;
  return at;
}

function sameEnd(a: Uint8Array, b: Uint8Array, max: number): number {
  let count = 0;
  const [aEnd, bEnd] = [a.length, b.length];
  for (let piece = PIECE_BYTES; piece >= 64; piece >>= 3) {
    while (count + piece <= max && equal(a, aEnd - count - piece, b, bEnd - count - piece, piece)) count += piece;
  }
  while (count < max && a[aEnd - 1 - count] === b[bEnd - 1 - count]) count++;
  return count;
}

/** Works on any bytes without creating views of them. */
const { compare } = Buffer.prototype;

function equal(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, bytes: number): boolean {
  return compare.call(a, b, bStart, bStart + bytes, aStart, aStart + bytes) === 0;
}
