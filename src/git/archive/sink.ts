/** The size of most of an archive's buffers: each one sent to another thread costs that thread an event loop turn. */
export const PIECE_BYTES = 128 * 1024;

/** Collects an archive's output in pieces of one size, each in its own buffer, which may be transferred. */
export class Sink {
  private current: Uint8Array<ArrayBuffer>;
  private used = 0;
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes written so far. */
  offset = 0;

  constructor(private readonly pieceBytes = PIECE_BYTES) {
    this.current = Bun.allocUnsafe(pieceBytes);
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
      const some = Math.min(left, this.pieceBytes - this.used);
      this.current.fill(0, this.used, this.used + some);
      this.used += some;
      left -= some;
      if (this.used === this.pieceBytes) this.startPiece();
    }
  }

  /** The next full piece, ready to be sent. A generator per entry of an archive would cost as much as its header. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    return this.full.length === 0 ? undefined : this.full.shift();
  }

  /** All remaining bytes. */
  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    yield* this.full.splice(0);
    if (this.used > 0) yield this.current.slice(0, this.used);
    this.used = 0;
  }

  private startPiece(): void {
    this.full.push(this.current);
    // Not zeroed: only bytes that have been written are handed out.
    this.current = Bun.allocUnsafe(this.pieceBytes);
    this.used = 0;
  }
}
