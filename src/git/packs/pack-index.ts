import { fstatSync, readSync } from "node:fs";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { compareOidBytes, oidAt, oidBytes } from "../objects/hash.ts";
import type { Oid } from "../objects/types.ts";

/**
 * A pack's index, version 2 (gitformat-pack):
 *
 *     ff 74 4f 63 | version 2 | fanout: 256 x 4 bytes, ids whose first byte is <= i
 *     ids, sorted: n x 20 (32 for SHA-256) | CRC-32 of each entry: n x 4
 *     offsets: n x 4, or 0x80000000 + row of the next table
 *     64-bit offsets | pack checksum: 20 (32) | checksum of all before: 20 (32)
 *
 * Numbers are big-endian. The rows of each first byte ("bucket") are read on first use, so that opening costs one
 * small read however large the pack is.
 */

const HEADER_BYTES = 8 + 256 * 4;
const LARGE = 0x80000000;

export class PackIndex {
  readonly objectCount: number;
  private readonly buckets: (Uint8Array | undefined)[] = new Array(256);
  private readonly offsetBuckets: (DataView | undefined)[] = new Array(256);
  private readonly probe: Uint8Array;
  private readonly oidBytes: number;
  private largeOffsetTable: DataView | undefined;
  private order: Order | undefined;

  private constructor(
    private readonly path: string,
    private readonly fd: number,
    private readonly sizeBytes: number,
    private readonly fanout: Uint32Array,
    private readonly format: ObjectFormat,
  ) {
    this.oidBytes = format.oidBytes;
    this.probe = new Uint8Array(format.oidBytes);
    this.objectCount = fanout[255]!;
  }

  /** @throws CorruptObject when the file is not an index of version 2 */
  static open(path: string, format: ObjectFormat): PackIndex {
    const fd = openFile(path, "r");
    try {
      const { size } = fstatSync(fd);
      const header = new Uint8Array(HEADER_BYTES);
      const view = new DataView(header.buffer);
      if (readFully(fd, header, 0) < HEADER_BYTES || view.getUint32(0) !== 0xff744f63 || view.getUint32(4) !== 2)
        throw new CorruptObject(`${path} is not a pack index of version 2`);
      const fanout = new Uint32Array(256);
      let before = 0;
      for (let i = 0; i < 256; i++) {
        const count = view.getUint32(8 + i * 4);
        if (count < before) throw new CorruptObject(`${path} has a fanout that decreases`);
        fanout[i] = before = count;
      }
      if (size < HEADER_BYTES + before * (format.oidBytes + 8) + 2 * format.oidBytes)
        throw new CorruptObject(`${path} is cut short`);
      return new PackIndex(path, fd, size, fanout, format);
    } catch (error) {
      closeFile(fd);
      throw error;
    }
  }

  close(): void {
    closeFile(this.fd);
  }

  /** Offset of the object's entry in the pack; -1 when the pack does not contain it. */
  find(oid: Oid): number {
    const row = this.row(oid);
    return row < 0 ? -1 : this.offsetIn(this.probe[0]!, row);
  }

  /** Row of the object whose id's bytes are at `at`; -1 when there is none. */
  rowAt(bytes: Uint8Array, at: number): number {
    const { oidBytes } = this;
    const first = bytes[at]!;
    const start = first === 0 ? 0 : this.fanout[first - 1]!;
    const names = this.bucket(first);
    let low = 0;
    let high = this.fanout[first]! - start;
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compareOidBytes(names, middle * oidBytes, bytes, at, oidBytes);
      if (order === 0) return start + middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  /** Row of the object in id order; -1 when there is none. */
  row(oid: Oid): number {
    const { oidBytes } = this;
    if (oid.length !== 2 * oidBytes) return -1;
    const { probe } = this;
    for (let i = 0; i < oidBytes; i++) {
      const high = oid.charCodeAt(2 * i);
      const low = oid.charCodeAt(2 * i + 1);
      probe[i] = ((high < 58 ? high - 48 : high - 87) << 4) | (low < 58 ? low - 48 : low - 87);
    }
    const first = probe[0]!;
    const start = first === 0 ? 0 : this.fanout[first - 1]!;
    if (this.fanout[first]! === start) return -1;
    const names = this.bucket(first);
    const at = lowerBound(names, probe, oidBytes);
    const found = at * oidBytes < names.length && compareOidBytes(names, at * oidBytes, probe, 0, oidBytes) === 0;
    return found ? start + at : -1;
  }

  /** The id in row `row` (0 to `objectCount`). */
  oidOf(row: number): Oid {
    const first = this.bucketOfRow(row);
    return oidAt(this.format, this.bucket(first), (row - (first === 0 ? 0 : this.fanout[first - 1]!)) * this.oidBytes);
  }

  /** Offset in the pack of the entry in row `row`. */
  offsetOf(row: number): number {
    return this.offsetIn(this.bucketOfRow(row), row);
  }

  private offsetIn(first: number, row: number): number {
    const start = first === 0 ? 0 : this.fanout[first - 1]!;
    let offsets = this.offsetBuckets[first];
    if (!offsets) {
      const length = (this.fanout[first]! - start) * 4;
      offsets = viewOf(this.load(HEADER_BYTES + this.objectCount * (this.oidBytes + 4) + start * 4, length));
      this.offsetBuckets[first] = offsets;
    }
    const offset = offsets.getUint32((row - start) * 4);
    return offset < LARGE ? offset : this.largeOffset(offset - LARGE);
  }

  /** Ids that begin with `prefix` (2 or more digits), at most `limit`, in order. */
  findByPrefix(prefix: string, limit: number): Oid[] {
    const { format } = this;
    const low = oidBytes(prefix.padEnd(format.oidDigits, "0"));
    const names = this.bucket(low[0]!);
    const found: Oid[] = [];
    const first = lowerBound(names, low, format.oidBytes) * format.oidBytes;
    for (let at = first; at < names.length && found.length < limit; at += format.oidBytes) {
      const oid = oidAt(format, names, at);
      if (!oid.startsWith(prefix)) break;
      found.push(oid);
    }
    return found;
  }

  /** The concatenated ids of all rows, read in one go and not cached. */
  allNames(): DataView {
    return viewOf(this.load(HEADER_BYTES, this.objectCount * this.oidBytes));
  }

  /** The CRC-32s of all entries by row, big-endian, read in one go and not cached. */
  allCrcs(): DataView {
    return viewOf(this.load(HEADER_BYTES + this.objectCount * this.oidBytes, this.objectCount * 4));
  }

  /** Offsets of all entries by row, read in one go and not cached. */
  allOffsets(): Float64Array {
    const table = viewOf(this.load(HEADER_BYTES + this.objectCount * (this.oidBytes + 4), this.objectCount * 4));
    const offsets = new Float64Array(this.objectCount);
    for (let row = 0; row < offsets.length; row++) {
      const offset = table.getUint32(row * 4);
      offsets[row] = offset < LARGE ? offset : this.largeOffset(offset - LARGE);
    }
    return offsets;
  }

  /** Rows sorted by the offsets of their entries, and the sorted offsets. Cached once built: 12 bytes per object. */
  packOrder(): Order {
    if (this.order) return this.order;
    const offsets = this.allOffsets();
    const rows = sortedRows(offsets);
    this.order = { rows, offsets: offsets.sort() };
    return this.order;
  }

  /** The checksum of the pack this index belongs to. */
  packChecksum(): Uint8Array {
    return this.load(this.sizeBytes - 2 * this.oidBytes, this.oidBytes);
  }

  private bucketOfRow(row: number): number {
    let low = 0;
    let high = 255;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.fanout[middle]! > row) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private bucket(first: number): Uint8Array {
    const cached = this.buckets[first];
    if (cached) return cached;
    const start = first === 0 ? 0 : this.fanout[first - 1]!;
    const names = this.load(HEADER_BYTES + start * this.oidBytes, (this.fanout[first]! - start) * this.oidBytes);
    this.buckets[first] = names;
    return names;
  }

  private largeOffset(row: number): number {
    if (!this.largeOffsetTable) {
      const start = HEADER_BYTES + this.objectCount * (this.oidBytes + 8);
      this.largeOffsetTable = viewOf(this.load(start, this.sizeBytes - 2 * this.oidBytes - start));
    }
    if (row * 8 + 8 > this.largeOffsetTable.byteLength) throw new CorruptObject(`${this.path} is cut short`);
    return this.largeOffsetTable.getUint32(row * 8) * 2 ** 32 + this.largeOffsetTable.getUint32(row * 8 + 4);
  }

  private load(position: number, length: number): Uint8Array {
    const bytes = Bun.allocUnsafe(length);
    if (readFully(this.fd, bytes, position) < length) throw new CorruptObject(`${this.path} is cut short`);
    return bytes;
  }
}

export interface Order {
  readonly rows: Uint32Array;
  readonly offsets: Float64Array;
}

/** Row numbers sorted by value. */
function sortedRows(values: Float64Array): Uint32Array {
  const rows = new Uint32Array(values.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return rows.sort((a, b) => values[a]! - values[b]!);
}

/** Index of the first id not before `target`. The ids are sorted and share their first byte. */
function lowerBound(names: Uint8Array, target: Uint8Array, oidBytes: number): number {
  const count = names.length / oidBytes;
  const before = (at: number) => compareOidBytes(names, at * oidBytes, target, 0, oidBytes) < 0;
  // Ids are evenly distributed, so an id is close to the position its next bytes suggest.
  const guess = Math.floor((count * ((target[1]! << 16) | (target[2]! << 8) | target[3]!)) / 2 ** 24);
  let low = guess;
  let high = guess;
  for (let step = 8; low > 0 && !before(low - 1); step *= 4) {
    high = low;
    low = Math.max(0, low - step);
  }
  for (let step = 8; high < count && before(high); step *= 4) {
    low = high + 1;
    high = Math.min(count, high + step);
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads until `bytes` is full or the file ends; returns the number of bytes read. */
export function readFully(fd: number, bytes: Uint8Array, position: number): number {
  let got = 0;
  while (got < bytes.length) {
    const read = readSync(fd, bytes, got, bytes.length - got, position + got);
    if (read === 0) break;
    got += read;
  }
  return got;
}
