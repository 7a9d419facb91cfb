import { bitsOf, type Codes, codesOf } from "./huffman.ts";

/**
 * zlib streams as zlib itself makes them at level 1, byte for byte: git's binary patches have that level, and the zlib
 * at hand is another implementation, whose streams differ. (RFC 1950 and 1951; which of many possible streams comes out
 * is zlib's choice: greedy matches from short hash chains, blocks of 16,383 symbols.)
 */

const WINDOW = 32 * 1024;
const MIN_MATCH = 3;
const MAX_MATCH = 258;
const MIN_LOOKAHEAD = MAX_MATCH + MIN_MATCH + 1;
const MAX_DISTANCE = WINDOW - MIN_LOOKAHEAD;
const HASH_MASK = 0x7fff;
/** Level 1: earlier places that are tried, and the length that is good enough. */
const MOST_TRIED = 4;
const NICE_LENGTH = 8;
/** Matches longer than this are not entered place by place. */
const MOST_INSERTED = 4;
const BLOCK_SYMBOLS = 16 * 1024 - 1;

const END_OF_BLOCK = 256;
const LENGTH_CODES = 29;
const LITERALS = 257 + LENGTH_CODES;
const DISTANCES = 30;

/** The content as a zlib stream. */
export function zlibStream(data: Uint8Array): Uint8Array {
  const out = new BitWriter(data.length);
  out.bits(0x0178, 16);
  new Deflate(data, out).run();
  out.align();
  const sum = adler32(data);
  for (const shift of [24, 16, 8, 0]) out.bits((sum >>> shift) & 0xff, 8);
  return out.result();
}

class Deflate {
  private readonly heads = new Int32Array(HASH_MASK + 1).fill(-1);
  private readonly earlier = new Int32Array(WINDOW);
  /** Where zlib's window begins: it can look back no further, and not at its very first byte either. */
  private windowStart = 0;
  private matchStart = 0;
  private readonly block: Block;

  constructor(
    private readonly data: Uint8Array,
    out: BitWriter,
  ) {
    this.block = new Block(data, out);
  }

  run(): void {
    const { data, block } = this;
    let at = 0;
    let windowEnd = Math.min(data.length, 2 * WINDOW);
    while (at < data.length) {
      // zlib fills its window when little is left to look at, and slides it when it has come far.
      if (windowEnd - at < MIN_LOOKAHEAD) {
        if (at - this.windowStart >= WINDOW + MAX_DISTANCE) this.windowStart += WINDOW;
        windowEnd = Math.min(data.length, this.windowStart + 2 * WINDOW);
      }
      const ahead = windowEnd - at;
      const candidate = ahead >= MIN_MATCH ? this.insert(at) : -1;
      let length = 0;
      if (candidate > this.windowStart && at - candidate <= MAX_DISTANCE) length = this.longest(at, candidate, ahead);
      if (length >= MIN_MATCH) {
        block.match(at - this.matchStart, length);
        const end = at + length;
        if (length <= MOST_INSERTED && ahead - length >= MIN_MATCH) for (let i = at + 1; i < end; i++) this.insert(i);
        at = end;
      } else block.literal(data[at++]!);
      if (block.isFull) block.finish(at, false);
    }
    block.finish(at, true);
  }

  /** Enters a place and answers the last one whose three bytes have the same hash. */
  private insert(at: number): number {
    const { data } = this;
    const hash = ((data[at]! << 10) ^ (data[at + 1]! << 5) ^ data[at + 2]!) & HASH_MASK;
    const head = this.heads[hash]!;
    this.earlier[at & (WINDOW - 1)] = head;
    this.heads[hash] = at;
    return head;
  }

  private longest(at: number, first: number, ahead: number): number {
    const { data } = this;
    const limit = Math.max(this.windowStart, at - MAX_DISTANCE);
    const nice = Math.min(NICE_LENGTH, ahead);
    const most = Math.min(MAX_MATCH, ahead);
    let best = MIN_MATCH - 1;
    let candidate = first;
    for (let tries = MOST_TRIED; tries > 0; tries--) {
      if (data[candidate + best] === data[at + best] && data[candidate + best - 1] === data[at + best - 1]) {
        let length = 0;
        while (length < most && data[candidate + length] === data[at + length]) length++;
        if (length > best) {
          this.matchStart = candidate;
          best = length;
          if (length >= nice) break;
        }
      }
      candidate = this.earlier[candidate & (WINDOW - 1)]!;
      if (candidate <= limit) break;
    }
    return best;
  }
}

/** Symbols that share their codes. */
class Block {
  /** Literals as they are; matches as distance * 512 + length. */
  private readonly symbols = new Float64Array(BLOCK_SYMBOLS);
  private count = 0;
  private start = 0;
  private readonly literals = new Int32Array(LITERALS);
  private readonly distances = new Int32Array(DISTANCES);

  constructor(
    private readonly data: Uint8Array,
    private readonly out: BitWriter,
  ) {}

  get isFull(): boolean {
    return this.count === BLOCK_SYMBOLS;
  }

  literal(byte: number): void {
    this.symbols[this.count++] = byte;
    this.literals[byte]!++;
  }

  match(distance: number, length: number): void {
    this.symbols[this.count++] = distance * 512 + length;
    this.literals[257 + LENGTHS.codeOf(length)]!++;
    this.distances[DISTANCE_RANGES.codeOf(distance)]!++;
  }

  /** Writes the block, which ends before byte `end`, in the shortest of the three ways there are. */
  finish(end: number, last: boolean): void {
    const { literals, distances, out } = this;
    literals[END_OF_BLOCK] = 1;
    const literalCodes = codesOf(literals, 15);
    const distanceCodes = codesOf(distances, 15);
    const header = new Header(literalCodes, distanceCodes);
    const extra = extraBits(literals, 257, LENGTHS) + extraBits(distances, 0, DISTANCE_RANGES);
    const dynamicBytes = (literalCodes.totalBits + distanceCodes.totalBits + extra + header.bits + 3 + 7) >> 3;
    const fixedBytes = (fixedBits(literals, distances) + extra + 3 + 7) >> 3;
    const stored = end - this.start;
    const shortest = Math.min(dynamicBytes, fixedBytes);
    if (stored + 4 <= shortest) {
      out.bits(last ? 1 : 0, 3);
      out.align();
      out.bits(stored, 16);
      out.bits(~stored & 0xffff, 16);
      out.bytes(this.data.subarray(this.start, end));
    } else if (fixedBytes === shortest) {
      out.bits(2 + (last ? 1 : 0), 3);
      this.write(FIXED_LITERALS, FIXED_DISTANCES);
    } else {
      out.bits(4 + (last ? 1 : 0), 3);
      header.write(out);
      this.write(literalCodes, distanceCodes);
    }
    this.start = end;
    this.count = 0;
    literals.fill(0);
    distances.fill(0);
  }

  private write(literals: Pick<Codes, "lengths" | "bits">, distances: Pick<Codes, "lengths" | "bits">): void {
    const { out } = this;
    for (let i = 0; i < this.count; i++) {
      const symbol = this.symbols[i]!;
      if (symbol < 256) {
        out.bits(literals.bits[symbol]!, literals.lengths[symbol]!);
        continue;
      }
      const length = symbol % 512;
      const distance = Math.floor(symbol / 512);
      const lengthCode = LENGTHS.codeOf(length);
      out.bits(literals.bits[257 + lengthCode]!, literals.lengths[257 + lengthCode]!);
      out.bits(length - LENGTHS.starts[lengthCode]!, LENGTHS.extra[lengthCode]!);
      const distanceCode = DISTANCE_RANGES.codeOf(distance);
      out.bits(distances.bits[distanceCode]!, distances.lengths[distanceCode]!);
      out.bits(distance - DISTANCE_RANGES.starts[distanceCode]!, DISTANCE_RANGES.extra[distanceCode]!);
    }
    out.bits(literals.bits[END_OF_BLOCK]!, literals.lengths[END_OF_BLOCK]!);
  }
}

/** The codes of a block, themselves coded (RFC 1951, section 3.2.7). */
class Header {
  private readonly tokens: number[] = [];
  private readonly codes: Codes;
  private readonly ordered: number;
  /** Bits it takes. */
  readonly bits: number;

  constructor(
    private readonly literals: Codes,
    private readonly distances: Codes,
  ) {
    this.scan(literals);
    this.scan(distances);
    const counts = new Int32Array(19);
    let extra = 0;
    for (const token of this.tokens) {
      const symbol = token & 31;
      counts[symbol]!++;
      if (symbol >= 16) extra += REPEAT_BITS[symbol - 16]!;
    }
    this.codes = codesOf(counts, 7);
    let ordered = 19;
    while (ordered > 4 && this.codes.lengths[CODE_ORDER[ordered - 1]!] === 0) ordered--;
    this.ordered = ordered;
    this.bits = this.codes.totalBits + extra + 3 * ordered + 5 + 5 + 4;
  }

  write(out: BitWriter): void {
    out.bits(this.literals.maxCode + 1 - 257, 5);
    out.bits(this.distances.maxCode, 5);
    out.bits(this.ordered - 4, 4);
    for (let i = 0; i < this.ordered; i++) out.bits(this.codes.lengths[CODE_ORDER[i]!]!, 3);
    for (const token of this.tokens) {
      const symbol = token & 31;
      out.bits(this.codes.bits[symbol]!, this.codes.lengths[symbol]!);
      if (symbol >= 16) out.bits(token >> 5, REPEAT_BITS[symbol - 16]!);
    }
  }

  /** Lengths in a row become repetitions: 16 repeats the last length, 17 and 18 repeat zero. */
  private scan({ lengths, maxCode }: Codes): void {
    let previous = -1;
    let count = 0;
    let next = lengths[0]!;
    let most = next === 0 ? 138 : 7;
    let least = next === 0 ? 3 : 4;
    for (let i = 0; i <= maxCode; i++) {
      const current = next;
      next = i === maxCode ? -1 : lengths[i + 1]!;
      if (++count < most && current === next) continue;
      if (count < least) for (; count > 0; count--) this.tokens.push(current);
      else if (current !== 0) {
        if (current !== previous) {
          this.tokens.push(current);
          count--;
        }
        this.tokens.push(16 | ((count - 3) << 5));
      } else if (count <= 10) this.tokens.push(17 | ((count - 3) << 5));
      else this.tokens.push(18 | ((count - 11) << 5));
      count = 0;
      previous = current;
      most = next === 0 ? 138 : current === next ? 6 : 7;
      least = next === 0 ? 3 : current === next ? 3 : 4;
    }
  }
}

const REPEAT_BITS = [2, 3, 7];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Values in ranges: a code names the range, extra bits the value in it. */
class Ranges {
  readonly starts: Int32Array;
  private readonly codes: Uint8Array;

  constructor(
    readonly extra: readonly number[],
    first: number,
    private readonly most: number,
  ) {
    this.starts = new Int32Array(extra.length);
    this.codes = new Uint8Array(most + 1);
    let value = first;
    for (let code = 0; code < extra.length; code++) {
      this.starts[code] = value;
      for (let i = 0; i < 1 << extra[code]! && value <= most; i++) this.codes[value++] = code;
    }
  }

  /** Gives the greatest value a code of its own. */
  withLast(): this {
    const code = this.extra.length - 1;
    this.starts[code] = this.most;
    this.codes[this.most] = code;
    return this;
  }

  codeOf(value: number): number {
    return this.codes[value]!;
  }
}

const LENGTHS = new Ranges(
  [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
  MIN_MATCH,
  MAX_MATCH,
).withLast();
const DISTANCE_RANGES = new Ranges(
  [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13],
  1,
  WINDOW,
);

const FIXED_LITERAL_LENGTHS = Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
const FIXED_LITERALS = { lengths: FIXED_LITERAL_LENGTHS, bits: bitsOf(FIXED_LITERAL_LENGTHS) };
const FIXED_DISTANCE_LENGTHS = new Uint8Array(DISTANCES).fill(5);
const FIXED_DISTANCES = { lengths: FIXED_DISTANCE_LENGTHS, bits: bitsOf(FIXED_DISTANCE_LENGTHS) };

function fixedBits(literals: Int32Array, distances: Int32Array): number {
  let bits = 0;
  for (let i = 0; i < literals.length; i++) bits += literals[i]! * FIXED_LITERAL_LENGTHS[i]!;
  for (const count of distances) bits += count * 5;
  return bits;
}

function extraBits(counts: Int32Array, first: number, ranges: Ranges): number {
  let bits = 0;
  for (let code = 0; code < ranges.extra.length; code++) bits += counts[first + code]! * ranges.extra[code]!;
  return bits;
}

/** Bits, the lowest first. */
class BitWriter {
  private buffer: Uint8Array;
  private at = 0;
  private held = 0;
  private heldBits = 0;

  constructor(expected: number) {
    this.buffer = new Uint8Array(expected + 64);
  }

  /** Up to 16 bits. */
  bits(value: number, count: number): void {
    this.held |= value << this.heldBits;
    this.heldBits += count;
    while (this.heldBits >= 8) {
      this.byte(this.held & 0xff);
      this.held >>>= 8;
      this.heldBits -= 8;
    }
  }

  align(): void {
    if (this.heldBits > 0) this.byte(this.held & 0xff);
    this.held = 0;
    this.heldBits = 0;
  }

  /** Whole bytes; only when aligned. */
  bytes(data: Uint8Array): void {
    for (let i = 0; i < data.length; i++) this.byte(data[i]!);
  }

  result(): Uint8Array {
    return this.buffer.subarray(0, this.at);
  }

  private byte(value: number): void {
    if (this.at === this.buffer.length) {
      const more = new Uint8Array(this.at * 2);
      more.set(this.buffer);
      this.buffer = more;
    }
    this.buffer[this.at++] = value;
  }
}

function adler32(data: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < data.length; start += 5552) {
    const end = Math.min(data.length, start + 5552);
    for (let i = start; i < end; i++) {
      a += data[i]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}
