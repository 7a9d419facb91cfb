import { codeLengths, codesOf } from "./bzip2-codes.ts";
import { blockOrder } from "./bzip2-order.ts";

/**
 * Compresses bzip2, in blocks of at most 100,000 bytes, for clients that accept nothing else; no library has a
 * suitable licence. Bits are written most significant first:
 *
 *     "BZh1" | block… | 0x177245385090 | checksum of all (32)
 *     block: 0x314159265359 | checksum (32) | 0 (1) | index of the block (24) | bytes in use (16, then 16 for each)
 *            | tables (3) | selectors (15) | a selector per 50 symbols | tables of code lengths | symbols
 */

const BLOCK_BYTES = 100_000 - 19;
const [BLOCK_BEGINS, STREAM_ENDS] = [
  [0x314159, 0x265359],
  [0x177245, 0x385090],
] as const;
const SYMBOLS_PER_SELECTOR = 50;
/** A run of this many equal bytes is followed by the number of further ones. */
const RUN = 4;
const MAX_RUN = 255 + RUN;

export function bzip2(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new BitWriter();
  for (const byte of Buffer.from("BZh1")) out.write(8, byte);
  let checksum = 0;
  for (let at = 0; at < bytes.byteLength; ) {
    const { block, end } = blockFrom(bytes, at);
    const own = checksumOf(bytes, at, end);
    checksum = (((checksum << 1) | (checksum >>> 31)) ^ own) >>> 0;
    writeBlock(out, block, own);
    at = end;
  }
  for (const half of STREAM_ENDS) out.write(24, half);
  out.write32(checksum);
  return out.finish();
}

/** The next block, run-length encoded, and the offset of the bytes after it. */
function blockFrom(bytes: Uint8Array, from: number): { readonly block: Uint8Array; readonly end: number } {
  const block = new Uint8Array(BLOCK_BYTES);
  let length = 0;
  let at = from;
  while (at < bytes.byteLength && length + RUN + 1 <= BLOCK_BYTES) {
    const byte = bytes[at] ?? 0;
    let count = 1;
    while (count < MAX_RUN && bytes[at + count] === byte) count++;
    const written = Math.min(count, RUN);
    block.fill(byte, length, length + written);
    length += written;
    if (count >= RUN) block[length++] = count - RUN;
    at += count;
  }
  return { block: block.subarray(0, length), end: at };
}

function writeBlock(out: BitWriter, block: Uint8Array, checksum: number): void {
  const { last, origin } = lastColumn(block);
  const present = new Set(block);
  const used = Array.from({ length: 256 }, (_, byte) => present.has(byte));
  const symbols = symbolsOf(last, used);
  const alphabet = used.filter(Boolean).length + 2;
  const lengths = codeLengths(weightsOf(symbols, alphabet));
  for (const half of BLOCK_BEGINS) out.write(24, half);
  out.write32(checksum);
  out.write(1, 0);
  out.write(24, origin);
  const groups = Array.from({ length: 16 }, (_, at) => used.slice(at * 16, at * 16 + 16));
  for (const group of groups) out.write(1, group.includes(true) ? 1 : 0);
  for (const isUsed of groups.filter((group) => group.includes(true)).flat()) out.write(1, isUsed ? 1 : 0);
  const selectors = Math.ceil(symbols.length / SYMBOLS_PER_SELECTOR);
  // At least two tables are required; all symbols use the first.
  out.write(3, 2);
  out.write(15, selectors);
  for (let at = 0; at < selectors; at++) out.write(1, 0);
  for (let table = 0; table < 2; table++) writeLengths(out, lengths);
  const codes = codesOf(lengths);
  for (const symbol of symbols) out.write(lengths[symbol] ?? 0, codes[symbol] ?? 0);
}

/** The last column of the sorted rotations (Burrows–Wheeler), and the index of the block itself. */
function lastColumn(block: Uint8Array): { readonly last: Uint8Array; readonly origin: number } {
  const order = blockOrder(block);
  const last = new Uint8Array(block.length);
  let origin = 0;
  for (const [at, start] of order.entries()) {
    last[at] = block[(start === 0 ? block.length : start) - 1] ?? 0;
    if (start === 0) origin = at;
  }
  return { last, origin };
}

/** Move-to-front coding; runs of zeros as numbers in the two digits 0 and 1; then an end symbol. */
function symbolsOf(bytes: Uint8Array, used: readonly boolean[]): Uint16Array {
  const recent = used.flatMap((isUsed, byte) => (isUsed ? [byte] : []));
  const symbols = new Uint16Array(bytes.length + 2);
  let length = 0;
  let zeros = 0;
  const writeZeros = () => {
    for (let rest = zeros; rest > 0; rest = (rest - 1) >> 1) symbols[length++] = rest % 2 === 1 ? 0 : 1;
    zeros = 0;
  };
  for (const byte of bytes) {
    const at = recent.indexOf(byte);
    if (at === 0) {
      zeros++;
      continue;
    }
    writeZeros();
    recent.copyWithin(1, 0, at);
    recent[0] = byte;
    symbols[length++] = at + 1;
  }
  writeZeros();
  symbols[length++] = recent.length + 1;
  return symbols.subarray(0, length);
}

function weightsOf(symbols: Uint16Array, alphabet: number): number[] {
  const weights = new Array<number>(alphabet).fill(0);
  for (const symbol of symbols) weights[symbol] = (weights[symbol] ?? 0) + 1;
  return weights;
}

/** Each length as steps from the previous one: `10` up, `11` down, `0` done. */
function writeLengths(out: BitWriter, lengths: readonly number[]): void {
  let present = lengths[0] ?? 1;
  out.write(5, present);
  for (const length of lengths) {
    for (; present < length; present++) out.write(2, 0b10);
    for (; present > length; present--) out.write(2, 0b11);
    out.write(1, 0);
  }
}

/** Writes bits, the most significant first. */
class BitWriter {
  private bytes = new Uint8Array(1 << 16);
  private length = 0;
  private pending = 0;
  private pendingBits = 0;

  /** @param bits at most 24 */
  write(bits: number, value: number): void {
    this.pending = (this.pending << bits) | value;
    this.pendingBits += bits;
    while (this.pendingBits >= 8) {
      this.pendingBits -= 8;
      this.push((this.pending >>> this.pendingBits) & 0xff);
    }
    this.pending &= (1 << this.pendingBits) - 1;
  }

  write32(value: number): void {
    this.write(16, value >>> 16);
    this.write(16, value & 0xffff);
  }

  finish(): Uint8Array<ArrayBuffer> {
    if (this.pendingBits > 0) this.write(8 - this.pendingBits, 0);
    return this.bytes.slice(0, this.length);
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes[this.length++] = byte;
  }
}

const POLYNOMIAL = 0x04c11db7;
const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ POLYNOMIAL : value << 1;
  return value;
});

/** CRC-32, most significant bit first. */
function checksumOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0xffffffff;
  for (let at = from; at < to; at++)
    value = (value << 8) ^ (CHECKSUMS[((value >>> 24) ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return ~value >>> 0;
}
