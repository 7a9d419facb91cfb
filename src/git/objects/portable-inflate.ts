import { CorruptObject } from "../errors.ts";

/** RFC 1951, 3.2.5: base values of the length codes 257 to 285 and the distance codes 0 to 29, and their extra bits. */
const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
/** 3.2.7: the order in which the code length code's lengths are stored. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_BITS = 15;
const WINDOW_BYTES = 32 * 1024;
const ADLER = 65521;

/** A canonical Huffman code (3.2.2): how many codes have each length, and the symbols in the order of their codes. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/**
 * Inflates a zlib stream (RFC 1950) in plain TypeScript, in any number of input and output pieces. About ten times
 * slower than the runtime's; used when that lacks the handle `Inflater` expects.
 */
export class PortableInflate {
  consumed = 0;
  produced = 0;
  ended = false;
  private input = new Uint8Array(0);
  private inputAt = 0;
  private inputEnd = 0;
  private output = new Uint8Array(0);
  private outputAt = 0;
  private outputEnd = 0;
  private readonly window = new Uint8Array(WINDOW_BYTES);
  private windowAt = 0;
  private windowBytes = 0;
  private held = 0;
  private heldBits = 0;
  private adlerLow = 1;
  private adlerHigh = 0;
  // The state of `decode` when the input ended in the middle of a code.
  private codeBits = 0;
  private code = 0;
  private firstCode = 0;
  private firstSymbol = 0;
  private work = this.inflate();
  private isDone = false;

  reset(): void {
    this.windowAt = this.windowBytes = this.held = this.heldBits = 0;
    this.adlerLow = 1;
    this.adlerHigh = 0;
    this.codeBits = this.code = this.firstCode = this.firstSymbol = 0;
    this.work = this.inflate();
    this.isDone = this.ended = false;
  }

  /** As `Inflater.push`. @throws CorruptObject */
  push(
    input: Uint8Array,
    inputStart: number,
    inputEnd: number,
    output: Uint8Array,
    outputStart: number,
    outputEnd: number,
  ): void {
    Object.assign(this, { input, inputAt: inputStart, inputEnd, output, outputAt: outputStart, outputEnd });
    if (!this.isDone) this.isDone = this.work.next().done === true;
    this.consumed = this.inputAt - inputStart;
    this.produced = this.outputAt - outputStart;
    this.ended = this.inputAt < inputEnd && this.outputAt < outputEnd;
  }

  close(): void {
    this.work.return();
  }

  /** Yields when it needs more input or output space. */
  private *inflate(): Generator<void, void> {
    let word = 0;
    const header = [0, 0];
    for (let at = 0; at < 2; at++) {
      for (word = this.bits(8); word < 0; word = this.bits(8)) yield;
      header[at] = word;
    }
    const [method = 0, flags = 0] = header;
    if ((method & 15) !== 8 || method >> 4 > 7 || ((method << 8) | flags) % 31 !== 0 || (flags & 32) !== 0)
      throw corrupt("incorrect header check");
    for (let isLast = false; !isLast; ) {
      for (word = this.bits(3); word < 0; word = this.bits(3)) yield;
      isLast = (word & 1) === 1;
      const kind = word >> 1;
      if (kind === 0) yield* this.stored();
      else if (kind === 1) yield* this.compressed(fixedLiterals(), makeCode(new Uint8Array(30).fill(5)));
      else if (kind === 2) {
        const [literals, distances] = yield* this.codes();
        yield* this.compressed(literals, distances);
      } else throw corrupt("invalid block type");
    }
    this.held = this.heldBits = 0;
    const sum = ((this.adlerHigh << 16) | this.adlerLow) >>> 0;
    for (let shift = 24; shift >= 0; shift -= 8) {
      for (word = this.bits(8); word < 0; word = this.bits(8)) yield;
      if (word !== ((sum >>> shift) & 255)) throw corrupt("incorrect data check");
    }
  }

  private *stored(): Generator<void, void> {
    this.held = this.heldBits = 0;
    let [length, complement] = [0, 0];
    for (length = this.bits(16); length < 0; length = this.bits(16)) yield;
    for (complement = this.bits(16); complement < 0; complement = this.bits(16)) yield;
    if (length !== (complement ^ 0xffff)) throw corrupt("invalid stored block lengths");
    for (let left = length; left > 0; left--) {
      let byte = 0;
      for (byte = this.bits(8); byte < 0; byte = this.bits(8)) yield;
      while (this.outputAt === this.outputEnd) yield;
      this.put(byte);
    }
  }

  private *compressed(literals: Code, distances: Code): Generator<void, void> {
    for (;;) {
      let symbol = 0;
      for (symbol = this.decode(literals); symbol < 0; symbol = this.decode(literals)) yield;
      if (symbol < 256) {
        while (this.outputAt === this.outputEnd) yield;
        this.put(symbol);
        continue;
      }
      if (symbol === 256) return;
      if (symbol > 285) throw corrupt("invalid literal/length code");
      let [extra, place] = [0, 0];
      for (extra = this.bits(LENGTH_BITS[symbol - 257]!); extra < 0; extra = this.bits(LENGTH_BITS[symbol - 257]!))
        yield;
      const length = LENGTH_BASES[symbol - 257]! + extra;
      for (place = this.decode(distances); place < 0; place = this.decode(distances)) yield;
      if (place > 29) throw corrupt("invalid distance code");
      for (extra = this.bits(DISTANCE_BITS[place]!); extra < 0; extra = this.bits(DISTANCE_BITS[place]!)) yield;
      const distance = DISTANCE_BASES[place]! + extra;
      if (distance > this.windowBytes) throw corrupt("invalid distance too far back");
      for (let left = length; left > 0; left--) {
        while (this.outputAt === this.outputEnd) yield;
        this.put(this.window[(this.windowAt - distance) & (WINDOW_BYTES - 1)]!);
      }
    }
  }

  /** Reads the codes of a block with dynamic Huffman codes (3.2.7). */
  private *codes(): Generator<void, [Code, Code]> {
    let word = 0;
    for (word = this.bits(14); word < 0; word = this.bits(14)) yield;
    const literals = (word & 31) + 257;
    const distances = ((word >> 5) & 31) + 1;
    if (literals > 286 || distances > 30) throw corrupt("too many length or distance symbols");
    const ofLengths = new Uint8Array(19);
    for (let at = 0; at < (word >> 10) + 4; at++) {
      let bits = 0;
      for (bits = this.bits(3); bits < 0; bits = this.bits(3)) yield;
      ofLengths[ORDER[at]!] = bits;
    }
    const lengthCode = makeCode(ofLengths);
    const lengths = new Uint8Array(literals + distances);
    for (let at = 0; at < lengths.length; ) {
      let symbol = 0;
      for (symbol = this.decode(lengthCode); symbol < 0; symbol = this.decode(lengthCode)) yield;
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      let extra = 0;
      for (
        extra = this.bits(symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
        extra < 0;
        extra = this.bits(symbol === 16 ? 2 : symbol === 17 ? 3 : 7)
      )
        yield;
      const count = extra + (symbol === 18 ? 11 : 3);
      if ((symbol === 16 && at === 0) || at + count > lengths.length) throw corrupt("invalid bit length repeat");
      lengths.fill(symbol === 16 ? lengths[at - 1]! : 0, at, at + count);
      at += count;
    }
    if (lengths[256] === 0) throw corrupt("invalid code -- missing end-of-block");
    return [makeCode(lengths.subarray(0, literals)), makeCode(lengths.subarray(literals))];
  }

  /** The next `count` bits (at most 16); -1 when that many are not available yet. */
  private bits(count: number): number {
    while (this.heldBits < count) {
      if (this.inputAt === this.inputEnd) return -1;
      this.held |= this.input[this.inputAt++]! << this.heldBits;
      this.heldBits += 8;
    }
    const word = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.heldBits -= count;
    return word;
  }

  /** The next symbol; -1 when its code is not complete yet. */
  private decode({ counts, symbols }: Code): number {
    for (;;) {
      const bit = this.bits(1);
      if (bit < 0) return -1;
      this.codeBits++;
      this.code |= bit;
      const count = counts[this.codeBits]!;
      const past = this.code - this.firstCode - count;
      if (past < 0) {
        const symbol = symbols[this.firstSymbol + count + past]!;
        this.codeBits = this.code = this.firstCode = this.firstSymbol = 0;
        return symbol;
      }
      if (this.codeBits === MAX_BITS) throw corrupt("invalid code");
      this.firstSymbol += count;
      this.firstCode = (this.firstCode + count) << 1;
      this.code <<= 1;
    }
  }

  private put(byte: number): void {
    this.output[this.outputAt++] = byte;
    this.window[this.windowAt] = byte;
    this.windowAt = (this.windowAt + 1) & (WINDOW_BYTES - 1);
    if (this.windowBytes < WINDOW_BYTES) this.windowBytes++;
    this.adlerLow += byte;
    if (this.adlerLow >= ADLER) this.adlerLow -= ADLER;
    this.adlerHigh += this.adlerLow;
    if (this.adlerHigh >= ADLER) this.adlerHigh -= ADLER;
  }
}

function fixedLiterals(): Code {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return makeCode(lengths);
}

/** Builds the code whose symbols have these lengths. @throws CorruptObject when it is oversubscribed or incomplete */
function makeCode(lengths: Uint8Array): Code {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length]!++;
  const used = lengths.length - counts[0]!;
  let room = 1;
  for (let length = 1; length <= MAX_BITS; length++) {
    room = room * 2 - counts[length]!;
    if (room < 0) throw corrupt("over-subscribed code lengths");
  }
  // As in zlib, a single one-bit code is allowed; the fixed distances use thirty of thirty-two codes.
  if (room > 0 && used > 1 && !(lengths.length === 30 && counts[5] === 30)) throw corrupt("incomplete code lengths");
  const starts = new Uint16Array(MAX_BITS + 2);
  for (let length = 1; length <= MAX_BITS; length++) starts[length + 1] = starts[length]! + counts[length]!;
  const symbols = new Uint16Array(used);
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[starts[length]!++] = symbol;
  });
  counts[0] = 0;
  return { counts, symbols };
}

const corrupt = (message: string) => new CorruptObject(`zlib: ${message}`);
