/** Most diffs are smaller than this. */
const FIRST_BYTES = 16 * 1024;
const PIECE_BYTES = 128 * 1024;

/** Buffers output and passes it on in large pieces. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private at = 0;
  /** Bytes written so far. */
  written = 0;

  /** @param out receives each piece, which it may keep */
  constructor(private readonly out: (bytes: Uint8Array) => void) {}

  /** Writes text with one character per byte. */
  text(latin1: string): void {
    this.reserve(latin1.length);
    this.buffer.write(latin1, this.at, "latin1");
    this.at += latin1.length;
  }

  bytes(data: Uint8Array): void {
    this.range(data, 0, data.length);
  }

  /** Writes a line preceded by a sign. */
  signed(sign: number, data: Uint8Array, start: number, end: number): void {
    this.reserve(1);
    this.buffer[this.at++] = sign;
    this.range(data, start, end);
  }

  /** Passes on the buffered output. */
  flush(): void {
    if (this.at === 0) return;
    this.written += this.at;
    this.out(new Uint8Array(this.buffer.subarray(0, this.at)));
    this.at = 0;
  }

  private range(data: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    const { buffer } = this;
    let { at } = this;
    // Most lines are short: creating a view of them costs more than the copy.
    if (length > 200) buffer.set(data.subarray(start, end), at);
    else for (let i = start; i < end; i++) buffer[at++] = data[i]!;
    this.at += length;
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    if (this.buffer.length >= PIECE_BYTES) this.flush();
    const wanted = this.at + bytes;
    if (wanted <= this.buffer.length) return;
    const more = Buffer.allocUnsafe(Math.max(wanted, Math.min(this.buffer.length * 4, PIECE_BYTES)));
    this.buffer.copy(more, 0, 0, this.at);
    this.buffer = more;
  }
}
