/** Gathers what an archive writes into pieces of one size, each in a buffer of its own that may be given away. */
export class Sink {
  private current: Uint8Array<ArrayBuffer>;
  private used = 0;
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes written so far. */
  offset = 0;

  constructor(private readonly pieceBytes = 64 * 1024) {
    this.current = new Uint8Array(pieceBytes);
  }

  write(data: Uint8Array): void {
    this.offset += data.length;
    for (let from = 0; from < data.length; ) {
      const count = Math.min(data.length - from, this.pieceBytes - this.used);
      this.current.set(from === 0 && count === data.length ? data : data.subarray(from, from + count), this.used);
      this.used += count;
      from += count;
      if (this.used === this.pieceBytes) this.startPiece();
    }
  }

  writeZeros(count: number): void {
    this.offset += count;
    for (let left = count; left > 0; ) {
      // A new buffer is all zeros.
      const some = Math.min(left, this.pieceBytes - this.used);
      this.used += some;
      left -= some;
      if (this.used === this.pieceBytes) this.startPiece();
    }
  }

  /** Pieces that are full, which may go. */
  *ready(): Generator<Uint8Array<ArrayBuffer>> {
    for (let piece = this.full.shift(); piece; piece = this.full.shift()) yield piece;
  }

  /** Everything that is left. */
  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    yield* this.ready();
    if (this.used > 0) yield this.current.slice(0, this.used);
    this.used = 0;
  }

  private startPiece(): void {
    this.full.push(this.current);
    this.current = new Uint8Array(this.pieceBytes);
    this.used = 0;
  }
}
