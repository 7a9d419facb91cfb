import type { Attributes } from "./attributes.ts";

/** A file's line ending attributes, for conversion in both directions between a working tree and the repository. */

const CR = 0x0d;
const LF = 0x0a;

/** The meaning of `text`, or else of the older `crlf`; undefined if neither has a valid value. */
export function textOf(attributes: Attributes): "text" | "binary" | "auto" | "lf" | undefined {
  return meaningOf(attributes.get("text")) ?? meaningOf(attributes.get("crlf"));
}

function meaningOf(value: boolean | string | undefined): "text" | "binary" | "auto" | "lf" | undefined {
  if (value === true) return "text";
  if (value === false) return "binary";
  if (value === "input") return "lf";
  return value === "auto" ? "auto" : undefined;
}

/** A lone CR, a NUL, or more than one control character per 128 others. A Ctrl-Z at the very end does not count. */
export function looksBinary(data: Uint8Array): boolean {
  let plain = 0;
  let odd = 0;
  for (let at = 0; at < data.length; at++) {
    const byte = data[at]!;
    if (byte === 0) return true;
    if (byte === CR && data[at + 1] !== LF) return true;
    if (byte === LF || byte === CR) continue;
    if (byte === 0x7f) odd++;
    else if (byte >= 0x20 || byte === 0x08 || byte === 0x09 || byte === 0x1b || byte === 0x0c) plain++;
    else odd++;
  }
  if (data[data.length - 1] === 0x1a) odd--;
  return plain >> 7 < odd;
}
