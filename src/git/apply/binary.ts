import { inflateSync } from "node:zlib";
import { type BinaryHunk, MalformedPatch } from "./patch.ts";
import type { PatchText } from "./text.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const VALUES = new Int8Array(256).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

const HIGHEST_GROUP = 0xffffffff;

/**
 * Reads one content of a binary patch, up to its empty line. The text is positioned at `literal <bytes>` or `delta
 * <bytes>`.
 * @param maxBytes maximum inflated size
 * @returns undefined if it is positioned at something else
 * @throws MalformedPatch
 */
export function binaryHunk(text: PatchText, maxBytes: number): BinaryHunk | undefined {
  const head = /^(literal|delta) ([0-9]*)/.exec(text.line());
  if (!head) return undefined;
  const size = Number(head[2]);
  text.skipLine();
  const corrupt = () => {
    const line = text.line().replace(/\n$/, "").slice(0, 80);
    return new MalformedPatch(`corrupt binary patch at line ${text.number}: ${line}`);
  };
  if (!(size <= maxBytes)) throw new MalformedPatch(`binary patch at line ${text.number - 1} is too large`);
  const pieces: Uint8Array[] = [];
  for (;;) {
    const line = text.line();
    if (line === "\n") break;
    const piece = decodedLine(line);
    if (!piece) throw corrupt();
    pieces.push(piece);
    text.skipLine();
  }
  text.skipLine();
  let data: Uint8Array;
  try {
    data = inflateSync(Buffer.concat(pieces), { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw corrupt();
  }
  if (data.length !== size) throw corrupt();
  return { kind: head[1] === "delta" ? "delta" : "literal", data };
}

/** A line of base 85: its first letter gives the number of bytes encoded by the groups of five characters. */
function decodedLine(line: string): Uint8Array | undefined {
  const characters = line.length - 2;
  if (line.length < 7 || !line.endsWith("\n") || characters % 5 !== 0) return undefined;
  const code = line.charCodeAt(0);
  const count = code >= 0x41 && code <= 0x5a ? code - 0x40 : code >= 0x61 && code <= 0x7a ? code - 0x60 + 26 : 0;
  const max = (characters / 5) * 4;
  if (count === 0 || count > max || count <= max - 4) return undefined;
  const bytes = new Uint8Array(max);
  for (let group = 0; group * 5 < characters; group++) {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const digit = VALUES[line.charCodeAt(1 + group * 5 + i) & 0xff]!;
      if (digit < 0) return undefined;
      value = value * 85 + digit;
    }
    if (value > HIGHEST_GROUP) return undefined;
    for (let i = 3; i >= 0; i--) {
      bytes[group * 4 + i] = value % 256;
      value = Math.floor(value / 256);
    }
  }
  return bytes.subarray(0, count);
}
