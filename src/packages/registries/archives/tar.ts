import { brokenArchive, MAX_ENTRIES } from "./broken.ts";
import { ByteReader } from "./bytes.ts";

/**
 * Reads tar archives (POSIX pax, GNU long names) as a stream:
 *
 *     header 512 | content, padded to 512 | … | two blocks of zeros, which some writers omit
 */

const BLOCK = 512;
/** Limit for names and for headers that only describe the next one. */
const MAX_DESCRIPTION_BYTES = 1 << 20;

export interface TarEntry {
  /** Without a leading `./`. Untrusted: never use it as a path on disk. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly isFile: boolean;
  /** Must be called before requesting the next entry. @throws BadRequest if larger than `maxBytes`, or cut short */
  read(maxBytes: number): Promise<Uint8Array>;
}

/** @throws BadRequest (while iterating) if it is no tar archive */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void> {
  const bytes = new ByteReader(source);
  try {
    let [longName, paxName, paxSize] = ["", "", undefined as number | undefined];
    for (let count = 0; ; count++) {
      if (count > MAX_ENTRIES) throw brokenArchive();
      const header = await bytes.take(BLOCK);
      if (header.byteLength === 0 || header.every((byte) => byte === 0)) return;
      if (header.byteLength < BLOCK || !hasRightSum(header)) throw brokenArchive();
      const kind = String.fromCharCode(header[156] ?? 0);
      const sizeBytes = paxSize ?? numberAt(header, 124, 12);
      const padding = (BLOCK - (sizeBytes % BLOCK)) % BLOCK;
      if (kind === "L" || kind === "K" || kind === "x" || kind === "g") {
        if (sizeBytes > MAX_DESCRIPTION_BYTES) throw brokenArchive();
        const content = await bytes.exactly(sizeBytes);
        await bytes.skip(padding);
        if (kind === "L") longName = textOf(content);
        if (kind === "x") ({ path: paxName, size: paxSize } = paxOf(content));
        continue;
      }
      const name = (paxName || longName || nameOf(header)).replace(/^(\.\/+)+/, "");
      [longName, paxName, paxSize] = ["", "", undefined];
      let isRead = false;
      yield {
        name,
        sizeBytes,
        isFile: kind === "0" || kind === "\0" || kind === "7",
        read: async (maxBytes) => {
          if (sizeBytes > maxBytes) throw brokenArchive();
          isRead = true;
          return bytes.exactly(sizeBytes);
        },
      };
      if (!isRead && !(await bytes.skip(sizeBytes))) throw brokenArchive();
      await bytes.skip(padding);
    }
  } finally {
    await bytes.close();
  }
}

/** Reads the first matching entry. @param maxBytes its size limit @returns undefined if there is none */
export async function readFirst(
  source: AsyncIterable<Uint8Array>,
  isWanted: (name: string) => boolean,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  for await (const entry of tarEntries(source))
    if (entry.isFile && isWanted(entry.name)) return await entry.read(maxBytes);
  return undefined;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replace(/\0.*$/s, "");

function nameOf(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100));
  const isPosix = textOf(header.subarray(257, 262)) === "ustar";
  const prefix = isPosix ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Octal digits, or, if the highest bit is set, a binary number (GNU). */
function numberAt(header: Uint8Array, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  const first = field[0] ?? 0;
  let value = 0;
  if (first & 0x80) for (const byte of [first & 0x7f, ...field.subarray(1)]) value = value * 256 + byte;
  else {
    const digits = textOf(field).trim();
    if (!/^[0-7]*$/.test(digits)) throw brokenArchive();
    value = digits === "" ? 0 : Number.parseInt(digits, 8);
  }
  if (!Number.isSafeInteger(value)) throw brokenArchive();
  return value;
}

/** The sum of all bytes, counting the checksum field as blanks. */
function hasRightSum(header: Uint8Array): boolean {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum === numberAt(header, 148, 8);
}

/** Parses `length key=value\n` lines. */
function paxOf(content: Uint8Array): { path: string; size: number | undefined } {
  const found = { path: "", size: undefined as number | undefined };
  for (let at = 0; at < content.byteLength; ) {
    const blank = content.indexOf(0x20, at);
    const length = blank < 0 ? Number.NaN : Number(textOf(content.subarray(at, blank)));
    if (!Number.isSafeInteger(length) || length <= blank - at) throw brokenArchive();
    const [key = "", ...value] = new TextDecoder().decode(content.subarray(blank + 1, at + length - 1)).split("=");
    if (key === "path") found.path = value.join("=");
    if (key === "size" && /^\d{1,15}$/.test(value.join("="))) found.size = Number(value.join("="));
    at += length;
  }
  return found;
}
