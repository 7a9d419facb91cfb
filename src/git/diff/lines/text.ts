import type { CommonEnds } from "./common-ends.ts";

/**
 * A file as the diff sees it: bytes, and where each line begins. A line keeps its newline, so a last line without one
 * differs from one with it. No strings are made: most lines of most files are examined once and never shown.
 */
export class Text {
  /** Lines; the last one may lack its newline. */
  readonly count: number;
  /** The same bytes, to be read four at a time. */
  readonly words: DataView;

  private constructor(
    readonly data: Uint8Array,
    /** Where each line begins, and at `count` where the last one ends. May be longer than that. */
    readonly starts: Int32Array,
    count: number,
  ) {
    this.count = count;
    this.words = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Cuts bytes into lines; `data` is kept, not copied. */
  static of(data: Uint8Array): Text {
    const ends = new LineEnds(data.length >> 4);
    ends.scan(data, 0, data.length);
    return ends.textOf(data);
  }

  /** Cuts two texts that are alike: what they have in common is examined once. */
  static pair(a: Uint8Array, b: Uint8Array, common: CommonEnds): [Text, Text] {
    const first = new LineEnds(a.length >> 4);
    first.scan(a, 0, common.start);
    const startLines = first.count;
    first.scan(a, common.start, a.length - common.end);
    const endLine = first.count;
    first.scan(a, a.length - common.end, a.length);
    const second = new LineEnds(first.count + ((b.length - a.length) >> 4));
    second.copy(first, 0, startLines, 0);
    second.scan(b, common.start, b.length - common.end);
    second.copy(first, endLine, first.count, b.length - a.length);
    return [first.textOf(a), second.textOf(b)];
  }

  /** Lines that were cut already: line `i` is `data` from `starts[i]` to `starts[i + 1]`. */
  static ofLines(data: Uint8Array, starts: Int32Array, count: number): Text {
    return new Text(data, starts, count);
  }

  /** The lines before the one that begins at byte `end`. */
  upTo(end: number): Text {
    return new Text(this.data.subarray(0, end), this.starts, this.lineAt(end));
  }

  /** The bytes of line `i` with its newline; a view. */
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

  /** The last line has no newline. */
  get endsOpen(): boolean {
    return this.data.length > 0 && this.data[this.data.length - 1] !== 0x0a;
  }

  /**
   * Columns of white space before line `i`, tabs to every eighth and 200 at most; -1 when there is nothing else.
   * This is what the indent heuristic measures.
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

/** Gathers where lines begin: the first at 0, each further one after a newline. */
class LineEnds {
  /** Newlines so far. */
  count = 0;
  private starts: Int32Array;

  constructor(expected: number) {
    this.starts = new Int32Array(Math.max(16, expected) + 8);
  }

  /** Takes the newlines from byte `from` to `to`, four bytes at a time. */
  scan(data: Uint8Array, from: number, to: number): void {
    const words = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let { starts, count } = this;
    let room = starts.length - 8;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const word = words.getInt32(at, true) ^ 0x0a0a0a0a;
      // Not 0 when a byte of the word is: the classic test for a zero byte.
      if (((word - 0x01010101) & ~word & 0x80808080) === 0) continue;
      if (count >= room) {
        starts = this.grow(count);
        room = starts.length - 8;
      }
      if ((word & 0xff) === 0) starts[++count] = at + 1;
      if ((word & 0xff00) === 0) starts[++count] = at + 2;
      if ((word & 0xff0000) === 0) starts[++count] = at + 3;
      if ((word & 0xff000000) === 0) starts[++count] = at + 4;
    }
    if (count >= room) starts = this.grow(count);
    for (; at < to; at++) if (data[at] === 0x0a) starts[++count] = at + 1;
    this.count = count;
  }

  /** Takes the newlines numbered `from` to `to` of another text, in which they are `shift` bytes nearer to the start. */
  copy(other: LineEnds, from: number, to: number, shift: number): void {
    while (this.count + to - from >= this.starts.length - 8) this.grow(this.count);
    let { count } = this;
    for (let i = from; i < to; i++) this.starts[++count] = other.starts[i + 1]! + shift;
    this.count = count;
  }

  textOf(data: Uint8Array): Text {
    // What follows the last newline is a line, too.
    const open = this.starts[this.count]! < data.length;
    if (open) this.starts[this.count + 1] = data.length;
    return Text.ofLines(data, this.starts, this.count + (open ? 1 : 0));
  }

  private grow(count: number): Int32Array {
    const more = new Int32Array(this.starts.length * 2);
    more.set(this.starts.subarray(0, count + 1));
    this.starts = more;
    return more;
  }
}

/** What git calls white space: not the vertical tab, not the form feed. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
