import { deflateSync } from "node:zlib";
import { DeltaBase, DeltaMaker } from "../packs/create-delta.ts";

/** git's base 85 alphabet. */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

const LINE_BYTES = 52;
/** Larger contents are written in full. */
const MAX_DELTA_BYTES = 32 * 1024 * 1024;
const LEVEL = { level: 1 };

/**
 * The body of `git diff --binary` for a file: how to make the new content from the old, and the reverse. Each is the
 * full content or a delta, whichever is shorter, deflated and encoded in lines of up to 52 bytes that begin with a
 * length letter. `git apply` accepts it, but deltas and streams are not byte-for-byte git's. A latin1 string.
 */
export function binaryPatch(oldData: Uint8Array, newData: Uint8Array): string {
  return `GIT binary patch\n${contentPatch(oldData, newData)}\n${contentPatch(newData, oldData)}\n`;
}

function contentPatch(from: Uint8Array, to: Uint8Array): string {
  const literal = deflateSync(to, LEVEL);
  const delta = from.length + to.length <= MAX_DELTA_BYTES ? deltaOf(from, to, literal.length) : undefined;
  const packed = delta && deflateSync(delta, LEVEL);
  if (delta && packed && packed.length < literal.length) return `delta ${delta.length}\n${lines(packed)}`;
  return `literal ${to.length}\n${lines(literal)}`;
}

/** Undefined if the delta would exceed `maxBytes`. */
function deltaOf(from: Uint8Array, to: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const base = new DeltaBase();
  base.load(from);
  return new DeltaMaker().make(base, to, maxBytes);
}

function lines(packed: Uint8Array): string {
  const found: string[] = [];
  for (let at = 0; at < packed.length; at += LINE_BYTES) {
    const line = packed.subarray(at, at + LINE_BYTES);
    const length = line.length <= 26 ? 0x40 + line.length : 0x60 + line.length - 26;
    found.push(`${String.fromCharCode(length)}${base85(line)}\n`);
  }
  return found.join("");
}

function base85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let group = 0;
    for (let i = 0; i < 4; i++) group = group * 256 + (bytes[at + i] ?? 0);
    let digits = "";
    for (let i = 0; i < 5; i++) {
      digits = ALPHABET[group % 85]! + digits;
      group = Math.floor(group / 85);
    }
    text += digits;
  }
  return text;
}
