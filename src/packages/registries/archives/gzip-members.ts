import { createInflateRaw } from "node:zlib";
import { Failure } from "../../../kernel/errors.ts";
import { brokenArchive } from "./broken.ts";

/**
 * Reads the members of gzip files one by one (RFC 1952): callers may need to know where each begins and ends.
 *
 *     1F 8B 08, flags, time 4, 2 | [extra] [name 0] [comment 0] [CRC 2] | deflated | CRC 4, size 4
 */

const [CHECKED, EXTRA, NAME, COMMENT] = [2, 4, 8, 16];
const MAX_HEADER_BYTES = 64 << 10;
const TRAILER_BYTES = 8;

export interface GzipMember {
  /** Its decompressed bytes, which must be read to the end. @throws BadRequest */
  readonly unpacked: AsyncGenerator<Uint8Array, void>;
  /** Its compressed bytes, once it has been read. */
  packed(): Blob;
}

/** @throws BadRequest (while iterating) if it is no gzip file, or unpacks to more than `maxBytes` in total */
export async function* gzipMembers(file: Blob, maxBytes: number): AsyncGenerator<GzipMember, void> {
  let left = maxBytes;
  for (let start = 0; start < file.size; ) {
    let end = 0;
    const data = start + (await headerLength(file.slice(start, start + MAX_HEADER_BYTES)));
    const unpacked = inflated(file.slice(data), (count) => {
      left -= count;
      if (left < 0) throw brokenArchive();
    });
    const counted = async function* () {
      end = data + (yield* unpacked) + TRAILER_BYTES;
    };
    yield { unpacked: counted(), packed: () => file.slice(start, end) };
    if (end === 0) return;
    if (end > file.size) throw brokenArchive();
    start = end;
  }
}

async function headerLength(head: Blob): Promise<number> {
  const bytes = new Uint8Array(await head.arrayBuffer());
  const flags = bytes[3] ?? 0;
  if (bytes.byteLength < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) throw brokenArchive();
  let at = 10;
  if (flags & EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [NAME, COMMENT]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) throw brokenArchive();
    at = zero + 1;
  }
  return at + (flags & CHECKED ? 2 : 0);
}

/** @returns the number of compressed bytes */
async function* inflated(file: Blob, count: (bytes: number) => void): AsyncGenerator<Uint8Array, number> {
  const inflate = createInflateRaw();
  const reader = file.stream().getReader();
  let isOver = false;
  inflate.on("end", () => {
    isOver = true;
  });
  const send = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isOver) break;
      await new Promise<void>((resolve) => inflate.write(value, () => resolve()));
    }
    inflate.end();
  };
  inflate.on("close", () => void reader.cancel().catch(() => {}));
  send().catch((error) => inflate.destroy(error));
  try {
    for await (const chunk of inflate) {
      count(chunk.byteLength);
      yield chunk;
    }
    return inflate.bytesWritten;
  } catch (error) {
    throw error instanceof Failure ? error : brokenArchive();
  } finally {
    inflate.destroy();
  }
}
