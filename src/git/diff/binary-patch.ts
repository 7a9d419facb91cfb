import { deflateSync } from "node:zlib";

/** git's own alphabet for base 85. */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

const LINE_BYTES = 52;

/**
 * The body of `git diff --binary` for a file: both contents in full, so that the patch applies in either direction.
 * Each is deflated and written in lines of up to 52 bytes, whose first letter tells their length.
 */
export function binaryPatch(oldData: Uint8Array, newData: Uint8Array): string {
  return `GIT binary patch\n${literal(newData)}\n${literal(oldData)}\n`;
}

function literal(data: Uint8Array): string {
  const packed = deflateSync(data);
  const lines = [`literal ${data.length}\n`];
  for (let at = 0; at < packed.length; at += LINE_BYTES) {
    const line = packed.subarray(at, at + LINE_BYTES);
    const length = line.length <= 26 ? 0x40 + line.length : 0x60 + line.length - 26;
    lines.push(`${String.fromCharCode(length)}${base85(line)}\n`);
  }
  return lines.join("");
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
