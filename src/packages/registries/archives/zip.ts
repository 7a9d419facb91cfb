import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { brokenArchive } from "./broken.ts";

/**
 * Reads zip archives (PKWARE's APPNOTE) by their central directory, one file at a time:
 *
 *     local entry…: header 30 | name | extra | content
 *     directory: one of 46 bytes | name | extra | comment for each entry
 *     [zip64 end 56 + locator 20] end 22 | comment
 */

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
/** The directory is read as a whole. */
const MAX_DIRECTORY_BYTES = 64 << 20;
const MAX_ENTRIES = 200_000;

export interface ZipEntry {
  /** Untrusted: never use it as a path on disk. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly method: number;
  /** The offset of its local header. */
  readonly offset: number;
}

const inflate = promisify(inflateRaw) as (
  packed: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Uint8Array>;

const bytesAt = async (file: Blob, from: number, length: number): Promise<DataView> => {
  if (from < 0 || from + length > file.size) throw brokenArchive();
  return new DataView(await file.slice(from, from + length).arrayBuffer());
};

/** @throws BadRequest if it is no zip archive */
export async function zipEntries(file: Blob): Promise<ZipEntry[]> {
  const { count, length, offset } = await directoryOf(file);
  if (length > MAX_DIRECTORY_BYTES || count > MAX_ENTRIES) throw brokenArchive();
  const view = await bytesAt(file, offset, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > length || view.getUint32(at, true) !== 0x02014b50) throw brokenArchive();
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > length) throw brokenArchive();
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, nameLength));
    const fields = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
    const [sizeBytes = 0, packedBytes = 0, start = 0] = wideFields(view, at + 46 + nameLength, extraLength, fields);
    entries.push({ name, sizeBytes, packedBytes, method: view.getUint16(at + 10, true), offset: start });
    at = next;
  }
  return entries;
}

/** The content of an entry. @throws BadRequest if it exceeds `maxBytes` or does not match the directory */
export async function readZipEntry(file: Blob, entry: ZipEntry, maxBytes: number): Promise<Uint8Array> {
  const { method, packedBytes, sizeBytes } = entry;
  // Incompressible data may be slightly larger when packed.
  if (sizeBytes > maxBytes || packedBytes > maxBytes + 4096) throw brokenArchive();
  const start = await contentStart(file, entry);
  const packed = new Uint8Array((await bytesAt(file, start, packedBytes)).buffer);
  if (method === 0 && packedBytes === sizeBytes) return packed;
  if (method !== 8) throw brokenArchive();
  try {
    const content = await inflate(packed, { maxOutputLength: Math.max(1, sizeBytes) });
    if (content.byteLength === sizeBytes) return content;
  } catch {}
  throw brokenArchive();
}

/** The content of an uncompressed entry, of any size. @throws BadRequest if it is compressed or missing */
export async function storedZipEntry(file: Blob, entry: ZipEntry): Promise<Blob> {
  const start = await contentStart(file, entry);
  const end = start + entry.packedBytes;
  if (entry.method !== 0 || entry.packedBytes !== entry.sizeBytes || end > file.size) throw brokenArchive();
  return file.slice(start, end);
}

/** The content starts after the local header, whose name and extra field may differ from the directory's. */
async function contentStart(file: Blob, { offset }: ZipEntry): Promise<number> {
  const header = await bytesAt(file, offset, 30);
  if (header.getUint32(0, true) !== 0x04034b50) throw brokenArchive();
  return offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
}

/** The content of the first matching entry. @returns undefined if there is none @throws as above */
export async function readFirstOfZip(
  file: Blob,
  isWanted: (name: string) => boolean,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const entry = (await zipEntries(file)).find(({ name }) => isWanted(name));
  return entry && readZipEntry(file, entry, maxBytes);
}

async function directoryOf(file: Blob): Promise<{ count: number; length: number; offset: number }> {
  const tailBytes = Math.min(file.size, END_BYTES + MAX_COMMENT_BYTES);
  const tailStart = file.size - tailBytes;
  const tail = await bytesAt(file, tailStart, tailBytes);
  for (let at = tailBytes - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== 0x06054b50 || at + END_BYTES + tail.getUint16(at + 20, true) > tailBytes) continue;
    const found = {
      count: tail.getUint16(at + 10, true),
      length: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true),
    };
    const isWide = found.count === 0xffff || found.length === 0xffffffff || found.offset === 0xffffffff;
    return isWide ? wideDirectoryOf(file, tailStart + at) : found;
  }
  throw brokenArchive();
}

/** The zip64 record before the end, which holds 64-bit numbers. */
async function wideDirectoryOf(file: Blob, endAt: number) {
  const locator = await bytesAt(file, endAt - 20, 20);
  if (locator.getUint32(0, true) !== 0x07064b50) throw brokenArchive();
  const record = await bytesAt(file, Number(locator.getBigUint64(8, true)), 56);
  if (record.getUint32(0, true) !== 0x06064b50) throw brokenArchive();
  return {
    count: Number(record.getBigUint64(32, true)),
    length: Number(record.getBigUint64(40, true)),
    offset: Number(record.getBigUint64(48, true)),
  };
}

/** Fields that do not fit are in extra field 1, in this order. */
function wideFields(view: DataView, at: number, length: number, fields: readonly number[]): number[] {
  if (!fields.includes(0xffffffff)) return [...fields];
  for (let extra = at; extra + 4 <= at + length; ) {
    const size = view.getUint16(extra + 2, true);
    if (view.getUint16(extra, true) === 1) {
      let next = extra + 4;
      return fields.map((field) => {
        if (field !== 0xffffffff) return field;
        if (next + 8 > extra + 4 + size || next + 8 > view.byteLength) throw brokenArchive();
        const value = Number(view.getBigUint64(next, true));
        next += 8;
        return value;
      });
    }
    extra += 4 + size;
  }
  throw brokenArchive();
}
