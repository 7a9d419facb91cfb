import { writeSync } from "node:fs";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import type { ObjectFormat } from "../objects/format.ts";

/** Where an index's rows come from, in any order. */
export interface IndexRows {
  readonly count: number;
  /** Word `index` (0 to 4, or 7 of SHA-256; big-endian) of row `row`'s id. */
  word(row: number, index: number): number;
  crc(row: number): number;
  offset(row: number): number;
}

/**
 * Writes an index of version 2 (drawn in pack-index.ts) to a new file and answers its path's size in bytes.
 * Ids must differ from one another.
 */
export function writePackIndex(path: string, format: ObjectFormat, rows: IndexRows, packChecksum: Uint8Array): number {
  const { count } = rows;
  const { oidBytes } = format;
  const words = oidBytes / 4;
  const order = sortByOid(rows, words);
  let large = 0;
  for (let row = 0; row < count; row++) if (rows.offset(row) >= 0x80000000) large++;
  const bytes = new Uint8Array(8 + 1024 + count * (oidBytes + 8) + large * 8 + 2 * oidBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xff744f63);
  view.setUint32(4, 2);
  const names = 8 + 1024;
  const crcs = names + count * oidBytes;
  const offsets = crcs + count * 4;
  const larges = offsets + count * 4;
  let nextLarge = 0;
  let first = 0;
  for (let i = 0; i < count; i++) {
    const row = order[i]!;
    const byte = rows.word(row, 0) >>> 24;
    while (first < byte) view.setUint32(8 + 4 * first++, i);
    for (let k = 0; k < words; k++) view.setUint32(names + i * oidBytes + k * 4, rows.word(row, k));
    view.setUint32(crcs + i * 4, rows.crc(row));
    const offset = rows.offset(row);
    if (offset < 0x80000000) view.setUint32(offsets + i * 4, offset);
    else {
      view.setUint32(offsets + i * 4, 0x80000000 + nextLarge);
      view.setUint32(larges + nextLarge * 8, Math.floor(offset / 2 ** 32));
      view.setUint32(larges + nextLarge * 8 + 4, offset % 2 ** 32);
      nextLarge++;
    }
  }
  while (first < 256) view.setUint32(8 + 4 * first++, count);
  bytes.set(packChecksum, bytes.length - 2 * oidBytes);
  const digest = new Bun.CryptoHasher(format.name).update(bytes.subarray(0, bytes.length - oidBytes)).digest();
  bytes.set(digest, bytes.length - oidBytes);
  const fd = openFile(path, "wx", 0o444);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
  } finally {
    closeFile(fd);
  }
  return bytes.length;
}

/** Rows in id order. The native sort of doubles that carry the first word and the row is ten times a comparator's speed. */
function sortByOid(rows: IndexRows, words: number): Uint32Array {
  const { count } = rows;
  const ROWS = 2 ** 21;
  const order = new Uint32Array(count);
  if (count > ROWS) {
    for (let row = 0; row < count; row++) order[row] = row;
    return order.sort((a, b) => compareRows(rows, words, a, b));
  }
  const keys = new Float64Array(count);
  for (let row = 0; row < count; row++) keys[row] = rows.word(row, 0) * ROWS + row;
  keys.sort();
  for (let i = 0; i < count; i++) order[i] = keys[i]! % ROWS;
  // Ids that share their first word are few: put each such run in order.
  for (let i = 1; i < count; i++) {
    for (let k = i; k > 0 && compareRows(rows, words, order[k - 1]!, order[k]!) > 0; k--) {
      const row = order[k]!;
      order[k] = order[k - 1]!;
      order[k - 1] = row;
    }
  }
  return order;
}

function compareRows(rows: IndexRows, words: number, a: number, b: number): number {
  for (let i = 0; i < words; i++) {
    const difference = rows.word(a, i) - rows.word(b, i);
    if (difference !== 0) return difference;
  }
  return 0;
}
