/**
 * The changed-path filters of a graph's rows, added in any order. Stored in one buffer: a hundred thousand arrays of
 * a few bytes would give each garbage collection more to scan than everything else alive.
 */
export class RowFilters {
  private readonly starts: Uint32Array;
  private readonly lengths: Uint32Array;
  private bytes: Uint8Array;
  private used = 0;

  constructor(rows: number) {
    this.starts = new Uint32Array(rows);
    this.lengths = new Uint32Array(rows);
    this.bytes = new Uint8Array(Math.max(64, rows * 16));
  }

  set(row: number, filter: Uint8Array): void {
    if (this.used + filter.length > this.bytes.length) {
      const larger = new Uint8Array(2 * (this.used + filter.length));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(filter, this.used);
    this.starts[row] = this.used;
    this.lengths[row] = filter.length;
    this.used += filter.length;
  }

  /** The filters concatenated in row order, and the end of each. */
  inOrder(): { readonly ends: Uint32Array; readonly bytes: Uint8Array } {
    const bytes = new Uint8Array(this.used);
    const ends = new Uint32Array(this.lengths.length);
    let end = 0;
    for (let row = 0; row < ends.length; row++) {
      const start = this.starts[row]!;
      bytes.set(this.bytes.subarray(start, start + this.lengths[row]!), end);
      end += this.lengths[row]!;
      ends[row] = end;
    }
    return { ends, bytes };
  }
}
