/** Computes how many columns text takes on a terminal. */

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const ESCAPED_BYTE = /[\udc80-\udcff]/;
/** SGR sequences, which take no columns. */
const COLOUR = /\x1b\[[0-9;]*m/y;

/** Columns of one character; -1 for control characters. */
export function characterColumns(code: number): number {
  if (code === 0) return 0;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return -1;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  const character = String.fromCodePoint(code);
  if (NO_WIDTH.test(character)) return 0;
  return Bun.stringWidth(character) > 1 ? 2 : 1;
}

/** Columns of a text, ignoring colours; one per byte when it is not UTF-8. Control characters take none. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  if (hasStrayBytes(text)) return Buffer.byteLength(text.replace(/[\udc80-\udcff]/g, "x"));
  let columns = 0;
  for (let at = 0; at < text.length; ) {
    const colour = colourLength(text, at);
    if (colour > 0) {
      at += colour;
      continue;
    }
    const code = text.codePointAt(at)!;
    columns += Math.max(0, characterColumns(code));
    at += code > 0xffff ? 2 : 1;
  }
  return columns;
}

/** Length of the colour sequence at an offset; 0 when there is none. */
export function colourLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x1b) return 0;
  COLOUR.lastIndex = at;
  return COLOUR.exec(text)?.[0].length ?? 0;
}

/** Whether the text contains bytes that are not UTF-8. */
export function hasStrayBytes(text: string): boolean {
  return ESCAPED_BYTE.test(text) && !text.isWellFormed();
}

/** Replaces the columns `from` to `from + count`; text that is not UTF-8 is left unchanged, as in git. */
export function replaceColumns(text: string, from: number, count: number, replacement: string): string {
  if (hasStrayBytes(text)) return text;
  let before = "";
  let after = "";
  let column = 0;
  let replaced = false;
  for (let at = 0; at < text.length; ) {
    const colour = colourLength(text, at);
    const code = text.codePointAt(at)!;
    const length = colour > 0 ? colour : code > 0xffff ? 2 : 1;
    const columns = colour > 0 ? 0 : Math.max(0, characterColumns(code));
    const piece = text.slice(at, at + length);
    at += length;
    if (columns > 0 && column >= from && column < from + count) {
      if (!replaced) before += replacement;
      replaced = true;
    } else if (replaced) after += piece;
    else before += piece;
    column += columns;
  }
  return before + after;
}
