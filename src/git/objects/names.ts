/**
 * Names are bytes in trees and strings in TypeScript. Valid UTF-8 decodes as such; every byte that is not
 * part of valid UTF-8 becomes the lone surrogate U+DC00 + byte (U+DC80 to U+DCFF), as Python's `surrogateescape`
 * does. Strict UTF-8 never yields a surrogate, so the conversion is reversible.
 */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes the bytes `start` to `end` (exclusive) of a name. Never fails. */
export function decodeName(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let ascii = true;
  for (let i = start; i < end; i++) {
    if (bytes[i]! >= 0x80) {
      ascii = false;
      break;
    }
  }
  if (ascii) return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1", 0, end - start);
  try {
    return utf8.decode(bytes.subarray(start, end));
  } catch {
    return decodeEscaped(bytes, start, end);
  }
}

/** Returns the bytes of a name, the exact inverse of `decodeName`. */
export function encodeName(name: string): Uint8Array {
  if (!/[\ud800-\udfff]/.test(name)) return encoder.encode(name);
  const bytes: number[] = [];
  for (const character of name) {
    const code = character.codePointAt(0)!;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** Converts bytes to a string of one character per byte. */
export function toLatin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1", 0, data.byteLength);
}

/** A path to pass to the operating system: a Buffer if the path contains bytes that are not UTF-8. */
export function systemPath(path: string): string | Buffer {
  return path.isWellFormed() ? path : Buffer.from(encodeName(path));
}

/** Converts bytes that git does not accept as UTF-8 from Latin-1, which is how git stores such a commit message. */
export function withoutBytes(text: string): string {
  const latin1 = (piece: string) => Buffer.from(encodeName(piece)).toString("latin1");
  return text.replace(/[\udc80-\udcff]|\p{Noncharacter_Code_Point}/gu, latin1);
}

function decodeEscaped(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; ) {
    const length = sequenceLength(bytes, i, end);
    if (length === 0) text += String.fromCharCode(0xdc00 + bytes[i++]!);
    else {
      text += utf8.decode(bytes.subarray(i, i + length));
      i += length;
    }
  }
  return text;
}

/** Length of the valid UTF-8 sequence at `at`; 0 when there is none (RFC 3629, table of well-formed sequences). */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > end) return 0;
  let low = 0x80;
  let high = 0xbf;
  if (first === 0xe0) low = 0xa0;
  else if (first === 0xed) high = 0x9f;
  else if (first === 0xf0) low = 0x90;
  else if (first === 0xf4) high = 0x8f;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]!;
    if (byte < low || byte > high) return 0;
    low = 0x80;
    high = 0xbf;
  }
  return length;
}

/**
 * Removes `.`, `..` and doubled slashes from a path; a `..` that leaves the starting directory stays. A trailing slash
 * stays, and a path ending in a dot is a directory. Hand-written because the runtime's would replace non-UTF-8 bytes.
 */
export function normalizedPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  const whole = parts.join("/");
  if (whole === "") return "";
  return /(?:^|\/)\.{0,2}$/.test(path) ? `${whole}/` : whole;
}
