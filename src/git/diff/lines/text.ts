import type { CommonEnds } from "./common-ends.ts";

/**
 * A file for diffing: its bytes, and the offset of each line. A line includes its newline, so a last line without one
 * differs from one with it. No strings are created: most lines are examined once and never shown.
 */
export class Text {
  /** Number of lines; the last one may lack its newline. */
  readonly count: number;
  /** The same bytes, for reading four at a time. */
  readonly words: DataView;

  private constructor(
    readonly data: Uint8Array,
    /** Where each line begins, and at index `count` where the last one ends. May be longer than that. */
    readonly starts: Int32Array,
    count: number,
  ) {
    this.count = count;
    this.words = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Splits bytes into lines; keeps `data` without copying it. */
  static of(data: Uint8Array): Text {
    const ends = new LineEnds();
    ends.scan(data, 0, data.length);
    return ends.textOf(data);
  }

  /** Splits two similar texts: what they have in common is examined once. */
  static pair(a: Uint8Array, b: Uint8Array, common: CommonEnds): [Text, Text] {
    const first = new LineEnds();
    first.scan(a, 0, common.start);
    const startLines = first.count;
    first.scan(a, common.start, a.length - common.end);
    const endLine = first.count;
    first.scan(a, a.length - common.end, a.length);
    const before = first.textOf(a);
    const second = new LineEnds();
    second.copy(before.starts, 0, startLines, 0);
    second.scan(b, common.start, b.length - common.end);
    second.copy(before.starts, endLine, first.count, b.length - a.length);
    return [before, second.textOf(b)];
  }

  /** Lines that are already split: line `i` is `data` from `starts[i]` to `starts[i + 1]`. */
  static ofLines(data: Uint8Array, starts: Int32Array, count: number): Text {
    return new Text(data, starts, count);
  }

  /** The lines before the one that begins at byte `end`. */
  upTo(end: number): Text {
    return new Text(this.data.subarray(0, end), this.starts, this.lineAt(end));
  }

  /** A view of the bytes of line `i`, including its newline. */
  line(i: number): Uint8Array {
    return this.data.subarray(this.starts[i]!, this.starts[i + 1]!);
  }

  /** The number of the line that begins at byte `at`. */
  lineAt(at: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether two lines are equal. */
  same(i: number, j: number): boolean {
    const { data, starts } = this;
    let x = starts[i]!;
    let y = starts[j]!;
    const end = starts[i + 1]!;
    if (end - x !== starts[j + 1]! - y) return false;
    while (x < end) if (data[x++] !== data[y++]) return false;
    return true;
  }

  /** Whether the last line lacks a newline. */
  get endsOpen(): boolean {
    return this.data.length > 0 && this.data[this.data.length - 1] !== 0x0a;
  }

  /**
   * Columns of white space before line `i`, with tab stops every eight columns, at most 200; -1 for a blank line. Input
   * of the indent heuristic.
   */
  indent(i: number): number {
    const { data } = this;
    const end = this.starts[i + 1]!;
    let columns = 0;
    for (let at = this.starts[i]!; at < end; at++) {
      const byte = data[at]!;
      if (byte === 0x20) columns++;
      else if (byte === 0x09) columns += 8 - (columns % 8);
      else if (byte !== 0x0a && byte !== 0x0d) return columns;
      if (columns >= MAX_INDENT) return MAX_INDENT;
    }
    return -1;
  }
}

const MAX_INDENT = 200;

/** Buffer of `LineEnds`, not retained for the next one beyond this many numbers. */
const KEPT_NUMBERS = 256 * 1024;
let gathered: Int32Array = new Int32Array(8192);

/** Collects where lines begin: the first at 0, the others after a newline. One at a time: they share a buffer. */
class LineEnds {
  /** Newlines so far. */
  count = 0;

  constructor() {
    gathered[0] = 0;
  }

  /**
   * Adds the newlines from byte `from` to `to`, sixteen bytes at a time. Their positions are unpredictable to a
   * processor, so there is no branch for each: two are always written, the rare third and further ones in a loop.
   */
  scan(data: Uint8Array, from: number, to: number): void {
    const words = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let { count } = this;
    let starts = gathered;
    let room = starts.length - 20;
    let at = from;
    for (; at + 16 <= to; at += 16) {
      if (count >= room) {
        starts = roomFor(count * 2);
        room = starts.length - 20;
      }
      const a = newlinesIn(words.getInt32(at, true));
      const b = newlinesIn(words.getInt32(at + 4, true));
      const c = newlinesIn(words.getInt32(at + 8, true));
      const d = newlinesIn(words.getInt32(at + 12, true));
      let found = gather(a) | (gather(b) << 4) | (gather(c) << 8) | (gather(d) << 12);
      starts[count + 1] = at + lowestBit(found);
      found &= found - 1;
      starts[count + 2] = at + lowestBit(found);
      const more = Math.imul(a + b + c + d, 0x01010101) >>> 24;
      for (let i = count + 3; i <= count + more; i++) {
        found &= found - 1;
        starts[i] = at + lowestBit(found);
      }
      count += more;
    }
    if (count >= room) starts = roomFor(count * 2);
    for (; at < to; at++) if (data[at] === 0x0a) starts[++count] = at + 1;
    this.count = count;
  }

  /** Adds the newlines numbered `from` to `to` of another text, whose offsets are `shift` bytes smaller there. */
  copy(other: Int32Array, from: number, to: number, shift: number): void {
    let { count } = this;
    const starts = roomFor(count + to - from);
    for (let i = from; i < to; i++) starts[++count] = other[i + 1]! + shift;
    this.count = count;
  }

  textOf(data: Uint8Array): Text {
    // Anything after the last newline is a line, too.
    const open = gathered[this.count]! < data.length;
    if (open) gathered[this.count + 1] = data.length;
    const count = this.count + (open ? 1 : 0);
    const starts = gathered.slice(0, count + 1);
    if (gathered.length > KEPT_NUMBERS) gathered = new Int32Array(KEPT_NUMBERS);
    return Text.ofLines(data, starts, count);
  }
}

/** The shared buffer, grown to hold at least this many lines and a few more. */
function roomFor(lines: number): Int32Array {
  if (lines >= gathered.length - 20) {
    const more = new Int32Array(Math.max(lines + 64, gathered.length * 2));
    more.set(gathered);
    gathered = more;
  }
  return gathered;
}

/** Sets the lowest bit of each byte that is a newline. */
function newlinesIn(word: number): number {
  const other = word ^ 0x0a0a0a0a;
  return ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f) >>> 7;
}

/** Packs the lowest bits of four bytes into four bits. */
function gather(bits: number): number {
  return Math.imul(bits, 0x10204080) >>> 28;
}

/** Position of the lowest bit, counted from 1; 0 if none is set. */
function lowestBit(bits: number): number {
  return 32 - Math.clz32(bits & -bits);
}

/** git's definition of white space, which excludes vertical tab and form feed. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
