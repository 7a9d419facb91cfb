import { BITS_PER_PATH, HASHES_PER_PATH } from "./bloom.ts";
import {
  chunkId,
  FANOUT_BYTES,
  FILE_VERSION,
  HEADER_BYTES,
  hashVersion,
  LOW_31_BITS,
  NO_PARENT,
  ROW_REST_BYTES,
  SIGNATURE,
  TABLE_ROW_BYTES,
  TIME_LIMIT,
  TOP_BIT,
} from "./format.ts";
import type { RowFilters } from "./row-filters.ts";
import type { Generations, Rows } from "./rows.ts";

/** A commit-graph file ready to write. */
export interface GraphFile {
  readonly bytes: Uint8Array;
  readonly checksum: string;
}

/**
 * Encodes a file with these rows.
 * @param bases checksums of the layers below it, lowest first
 */
export function encodeGraph(
  rows: Rows,
  generation: Generations,
  filters: RowFilters,
  bases: readonly string[],
): GraphFile {
  const { oidBytes } = rows.format;
  const rowBytes = oidBytes + ROW_REST_BYTES;
  const edges: number[] = [];
  const bigDates: number[] = [];
  const data = Buffer.alloc(rows.count * rowBytes);
  const dates = Buffer.alloc(rows.count * 4);
  for (let i = 0; i < rows.count; i++) {
    rows.treeBytes(i, data, i * rowBytes);
    const at = i * rowBytes + oidBytes;
    const parents = rows.parentCount(i);
    const second = parents > 1 ? rows.parentOf(i, 1) : NO_PARENT;
    data.writeUInt32BE(parents > 0 ? rows.parentOf(i, 0) : NO_PARENT, at);
    data.writeUInt32BE(parents > 2 ? TOP_BIT + edges.length : second, at + 4);
    if (parents > 2) {
      for (let p = 1; p < parents - 1; p++) edges.push(rows.parentOf(i, p));
      edges.push(TOP_BIT + rows.parentOf(i, parents - 1));
    }
    const time = rows.timeOf(i) % TIME_LIMIT;
    data.writeUInt32BE(generation.levels[i]! * 4 + Math.floor(time / 2 ** 32), at + 8);
    data.writeUInt32BE(time % 2 ** 32, at + 12);
    const offset = generation.dates[i]! - time;
    if (offset <= LOW_31_BITS) dates.writeUInt32BE(offset, i * 4);
    else {
      dates.writeUInt32BE(TOP_BIT + bigDates.length, i * 4);
      bigDates.push(offset);
    }
  }
  const chunks: [string, readonly Uint8Array[]][] = [
    ["OIDF", [fanout(rows)]],
    ["OIDL", [rows.oids]],
    ["CDAT", [data]],
    ["GDA2", [dates]],
  ];
  if (bigDates.length > 0) chunks.push(["GDO2", [uint64s(bigDates)]]);
  if (edges.length > 0) chunks.push(["EDGE", [uint32s(edges)]]);
  const { ends, bytes: filterBytes } = filters.inOrder();
  chunks.push(["BIDX", [uint32s(ends)]]);
  chunks.push(["BDAT", [uint32s([1, HASHES_PER_PATH, BITS_PER_PATH]), filterBytes]]);
  if (bases.length > 0) chunks.push(["BASE", bases.map((checksum) => Buffer.from(checksum, "hex"))]);
  const pieces = [header(rows, chunks, bases.length), ...chunks.flatMap(([, parts]) => parts)];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // Allocated once: with all pieces and the file in memory, another copy would raise the peak.
  const bytes = new Uint8Array(length + oidBytes);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const checksum = new Bun.CryptoHasher(rows.format.name).update(bytes.subarray(0, length)).digest();
  bytes.set(checksum, length);
  return { bytes, checksum: checksum.toString("hex") };
}

function header(rows: Rows, chunks: readonly [string, readonly Uint8Array[]][], baseLayers: number): Uint8Array {
  const head = Buffer.alloc(HEADER_BYTES + (chunks.length + 1) * TABLE_ROW_BYTES);
  head.writeUInt32BE(SIGNATURE, 0);
  head[4] = FILE_VERSION;
  head[5] = hashVersion(rows.format);
  head[6] = chunks.length;
  head[7] = baseLayers;
  let offset = head.length;
  let at = HEADER_BYTES;
  for (const [name, pieces] of chunks) {
    head.writeUInt32BE(chunkId(name), at);
    head.writeBigUInt64BE(BigInt(offset), at + 4);
    offset += pieces.reduce((sum, piece) => sum + piece.length, 0);
    at += TABLE_ROW_BYTES;
  }
  head.writeBigUInt64BE(BigInt(offset), at + 4);
  return head;
}

function fanout(rows: Rows): Uint8Array {
  const table = Buffer.alloc(FANOUT_BYTES);
  let next = 0;
  for (let first = 0; first < 256; first++) {
    while (next < rows.count && rows.oids[next * rows.format.oidBytes]! <= first) next++;
    table.writeUInt32BE(next, first * 4);
  }
  return table;
}

function uint32s(values: ArrayLike<number>): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4);
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i]!, i * 4);
  return bytes;
}

function uint64s(values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 8);
  for (let i = 0; i < values.length; i++) bytes.writeBigUInt64BE(BigInt(values[i]!), i * 8);
  return bytes;
}
