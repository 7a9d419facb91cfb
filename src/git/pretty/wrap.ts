import { isSpace } from "./ident.ts";
import { characterColumns, colourLength, hasStrayBytes } from "./width.ts";

/**
 * Wraps paragraphs to a width, as `git shortlog -w` does: lines are joined if the next one starts with a letter or
 * digit, and kept separate otherwise.
 * @param first indent of the first line in spaces; if negative, the number of columns already used on it
 * @param rest indent of the other lines in spaces
 */
export function wrapText(text: string, first: number, rest: number, width: number): string {
  if (width <= 0) return indentLines(text, Math.max(0, first), rest);
  return fill(text, first, rest, width, !hasStrayBytes(text));
}

function fill(text: string, first: number, rest: number, width: number, isText: boolean): string {
  let out = "";
  let lineStart = 0;
  let indent = first;
  let column = Math.abs(first);
  // Position of the last space on the line, up to which it has been written and where it may be broken.
  let breakAt = first < 0 ? 0 : -1;
  let at = 0;
  const newLine = () => {
    out += "\n";
    at = lineStart = breakAt + (isSpace(text.charCodeAt(breakAt)) ? 1 : 0);
    breakAt = -1;
    column = indent = rest;
  };
  for (;;) {
    at += colourLength(text, at);
    const code = at < text.length ? text.codePointAt(at)! : 0;
    const ends = at >= text.length;
    if (!ends && !isSpace(code)) {
      column += isText ? characterColumns(code) : bytesOf(code);
      at += code > 0xffff ? 2 : 1;
      continue;
    }
    if (column > width && breakAt >= 0) {
      newLine();
      continue;
    }
    if (ends && at === lineStart) return out;
    out += breakAt >= 0 ? text.slice(breakAt, at) : " ".repeat(indent) + text.slice(lineStart, at);
    if (ends) return out;
    breakAt = at;
    if (code === 0x09) column |= 7;
    else if (code === 0x0a) {
      breakAt++;
      const next = text[breakAt];
      if (next === "\n") {
        out += "\n";
        newLine();
        continue;
      }
      if (next === undefined || !/[0-9A-Za-z]/.test(next)) {
        newLine();
        continue;
      }
      out += " ";
    }
    column++;
    at++;
  }
}

function indentLines(text: string, first: number, rest: number): string {
  if (text === "") return "";
  const lines = text.split(/(?<=\n)/);
  return lines.map((line, i) => " ".repeat(i === 0 ? first : rest) + line).join("");
}

/** Length of a character in UTF-8 bytes; 1 for a byte that is not UTF-8. */
function bytesOf(code: number): number {
  if (code < 0x80 || (code >= 0xdc80 && code <= 0xdcff)) return 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
