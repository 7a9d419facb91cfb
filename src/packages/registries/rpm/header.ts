import { brokenArchive } from "../archives/broken.ts";

/**
 * Reads what precedes the payload of an rpm package (RPM manual, "Package format v4"); all numbers are big-endian:
 *
 *     lead 96 | signatures, padded to 8 | header | payload
 *     signatures and header: 8E AD E8 01 | 4 reserved | count of entries | bytes of data | entry… | data
 *     entry: tag | type | offset in the data | count
 */

export const LEAD_BYTES = 96;
const SECTION_BYTES = 16;
const ENTRY_BYTES = 16;
const LEAD_MAGIC = 0xedabeedb;
const SECTION_MAGIC = 0x8eade801;
/** Includes the signatures of individual files. */
const MAX_SIGNATURES_BYTES = 16 << 20;
const MAX_HEADER_BYTES = 32 << 20;
const MAX_ENTRIES = 0xffff;
/** Per tag, except for bytes. */
const MAX_VALUES = 200_000;

export const Type = { int32: 4, string: 6, bytes: 7, strings: 8, translated: 9 } as const;
/** Width in bytes of the values of fixed-length types. */
const widths: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

/** The raw sections of a package, and where its payload begins. */
export interface RpmHead {
  readonly signatures: Uint8Array;
  readonly header: Uint8Array;
  readonly headerStart: number;
  readonly payloadStart: number;
}

/** @throws BadRequest if it is no rpm package, or a section is too large */
export async function readHead(file: Blob): Promise<RpmHead> {
  const lead = await viewOf(file, 0, LEAD_BYTES);
  if (lead.getUint32(0) !== LEAD_MAGIC) throw brokenArchive();
  const signatures = await sectionAt(file, LEAD_BYTES, MAX_SIGNATURES_BYTES);
  const headerStart = LEAD_BYTES + signatures.byteLength + padding(signatures.byteLength);
  const header = await sectionAt(file, headerStart, MAX_HEADER_BYTES);
  return { signatures, header, headerStart, payloadStart: headerStart + header.byteLength };
}

/** The number of padding bytes after the signatures. */
export const padding = (bytes: number): number => (8 - (bytes % 8)) % 8;

async function sectionAt(file: Blob, start: number, maxBytes: number): Promise<Uint8Array> {
  const head = await viewOf(file, start, SECTION_BYTES);
  const [count, dataBytes] = [head.getUint32(8), head.getUint32(12)];
  const length = SECTION_BYTES + count * ENTRY_BYTES + dataBytes;
  if (head.getUint32(0) !== SECTION_MAGIC || count > MAX_ENTRIES || length > maxBytes) throw brokenArchive();
  const view = await viewOf(file, start, length);
  return new Uint8Array(view.buffer);
}

async function viewOf(file: Blob, start: number, length: number): Promise<DataView> {
  if (start + length > file.size) throw brokenArchive();
  return new DataView(await file.slice(start, start + length).arrayBuffer());
}

/** An entry with its raw data. */
export interface SectionEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

/** The values of a section by tag; missing tags have no values. */
export class Section {
  private readonly view: DataView;
  private readonly places = new Map<number, { type: number; offset: number; count: number }>();
  private readonly data: Uint8Array;

  /** @throws BadRequest if an entry points outside the data */
  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = this.view.getUint32(8);
    this.data = bytes.subarray(SECTION_BYTES + count * ENTRY_BYTES);
    for (let at = SECTION_BYTES; at < SECTION_BYTES + count * ENTRY_BYTES; at += ENTRY_BYTES) {
      const [tag, type, offset, values] = [0, 4, 8, 12].map((field) => this.view.getUint32(at + field)) as [
        number,
        number,
        number,
        number,
      ];
      // Every value takes at least one byte.
      if (offset + values * (widths[type] ?? 1) > this.data.byteLength) throw brokenArchive();
      if (values > MAX_VALUES && type !== Type.bytes) throw brokenArchive();
      this.places.set(tag, { type, offset, count: values });
    }
  }

  /** The first value: of a translated text, the untranslated one. */
  text(tag: number): string {
    return this.strings(tag, 1)[0] ?? "";
  }

  texts(tag: number): string[] {
    return this.strings(tag, Number.POSITIVE_INFINITY);
  }

  /** The number of values. */
  count(tag: number): number {
    return this.places.get(tag)?.count ?? 0;
  }

  numbers(tag: number): number[] {
    const place = this.places.get(tag);
    const width = place && place.type !== Type.bytes ? widths[place.type] : undefined;
    if (!place || width === undefined) return [];
    const view = new DataView(this.data.buffer, this.data.byteOffset + place.offset, place.count * width);
    return Array.from({ length: place.count }, (_, index) => {
      const at = index * width;
      if (width === 8) return Number(view.getBigUint64(at));
      if (width === 4) return view.getUint32(at);
      return width === 2 ? view.getUint16(at) : view.getUint8(at);
    });
  }

  /** The number of the first of those tags that has one. */
  number(...tags: number[]): number | undefined {
    for (const tag of tags) {
      const [value] = this.numbers(tag);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** All entries with their data, sorted by tag. */
  entries(): SectionEntry[] {
    return [...this.places].map(([tag, { count, offset, type }]) => ({
      tag,
      type,
      count,
      data: this.data.subarray(offset, this.endOf(type, offset, count)),
    }));
  }

  private strings(tag: number, atMost: number): string[] {
    const place = this.places.get(tag);
    if (!place || ![Type.string, Type.strings, Type.translated].includes(place.type as 6 | 8 | 9)) return [];
    const decoder = new TextDecoder();
    const found: string[] = [];
    for (let at = place.offset; found.length < Math.min(place.count, atMost); ) {
      const end = this.endOfText(at);
      found.push(decoder.decode(this.data.subarray(at, end)));
      at = end + 1;
    }
    return found;
  }

  private endOf(type: number, offset: number, count: number): number {
    const width = widths[type];
    if (width !== undefined) return offset + count * width;
    let end = offset;
    for (let left = count; left > 0; left--) end = this.endOfText(end) + 1;
    return end;
  }

  private endOfText(at: number): number {
    const end = this.data.indexOf(0, at);
    if (end < 0) throw brokenArchive();
    return end;
  }
}

/**
 * Builds a section from entries, sorted by tag, in a region that covers all of it. The region is an entry before the
 * others; its data, after all other data, is itself an entry whose negative offset is the size of the index.
 */
export function sectionOf(regionTag: number, entries: readonly SectionEntry[]): Uint8Array {
  const ordered = entries.filter(({ tag }) => tag !== regionTag).sort((a, b) => a.tag - b.tag);
  const index: Uint8Array[] = [];
  const data: Uint8Array[] = [];
  let offset = 0;
  for (const { count, data: bytes, tag, type } of ordered) {
    const width = type === Type.bytes ? 1 : (widths[type] ?? 1);
    const gap = (width - (offset % width)) % width;
    data.push(new Uint8Array(gap), bytes);
    index.push(uint32s(tag, type, offset + gap, count));
    offset += gap + bytes.byteLength;
  }
  const entryCount = ordered.length + 1;
  const region = uint32s(regionTag, Type.bytes, offset, ENTRY_BYTES);
  const trailer = uint32s(regionTag, Type.bytes, -entryCount * ENTRY_BYTES, ENTRY_BYTES);
  const head = uint32s(SECTION_MAGIC, 0, entryCount, offset + ENTRY_BYTES);
  return Buffer.concat([head, region, ...index, ...data, trailer]);
}

function uint32s(...numbers: number[]): Uint8Array {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, at * 4);
  return bytes;
}
