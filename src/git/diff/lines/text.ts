/**
 * A file as the diff sees it: bytes, and where each line begins. A line keeps its newline, so a last line without one
 * differs from one with it. No strings are made: most lines of most files are looked at once and never shown.
 */
export class Text {
  /** Lines; the last one may lack its newline. */
  readonly count: number;

  private constructor(
    readonly data: Uint8Array,
    /** Where each line begins, and at `count` where the last one ends. May be longer than that. */
    readonly starts: Int32Array,
    count: number,
  ) {
    this.count = count;
  }

  /** Cuts bytes into lines; `data` is kept, not copied. */
  static of(data: Uint8Array): Text {
    const size = data.length;
    let starts = new Int32Array(Math.max(16, size >> 4) + 2);
    let count = 0;
    for (let at = 0; at < size; ) {
      if (count + 2 > starts.length) {
        const more = new Int32Array(starts.length * 2);
        more.set(starts);
        starts = more;
      }
      starts[count++] = at;
      while (at < size && data[at] !== 0x0a) at++;
      at++;
    }
    starts[count] = size;
    return new Text(data, starts, count);
  }

  /** Lines that were cut already: line `i` is `data` from `starts[i]` to `starts[i + 1]`. */
  static ofLines(data: Uint8Array, starts: Int32Array, count: number): Text {
    return new Text(data, starts, count);
  }

  /** The lines before the one that begins at byte `end`. */
  upTo(end: number): Text {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! < end) low = middle + 1;
      else high = middle;
    }
    return new Text(this.data.subarray(0, end), this.starts, low);
  }

  /** The bytes of line `i` with its newline; a view. */
  line(i: number): Uint8Array {
    return this.data.subarray(this.starts[i]!, this.starts[i + 1]!);
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

/** What git calls white space: not the vertical tab, not the form feed. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
