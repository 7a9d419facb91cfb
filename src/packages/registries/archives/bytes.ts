import { brokenArchive } from "./broken.ts";

const PIECE_BYTES = 64 * 1024;

/** Reads a given number of bytes from a source. */
export class ByteReader {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  /** Returns fewer bytes at the end of the source. */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.rest.byteLength === 0) {
        const { done, value } = await this.iterator.next();
        if (done) break;
        this.rest = value;
      }
      const part = this.rest.subarray(0, missing);
      this.rest = this.rest.subarray(part.byteLength);
      missing -= part.byteLength;
      // A copy: the source may reuse its buffer.
      if (part.byteLength > 0) parts.push(part.slice());
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  /** @throws BadRequest if the source ends before */
  async exactly(count: number): Promise<Uint8Array> {
    const bytes = await this.take(count);
    if (bytes.byteLength < count) throw brokenArchive();
    return bytes;
  }

  /** Streams the next `count` bytes as they arrive. @throws BadRequest (while iterating) if the source ends before */
  async *stream(count: number): AsyncGenerator<Uint8Array> {
    for (let missing = count; missing > 0; ) {
      const part = await this.take(Math.min(missing, PIECE_BYTES));
      if (part.byteLength === 0) throw brokenArchive();
      missing -= part.byteLength;
      yield part;
    }
  }

  /** @returns whether there were that many */
  async skip(count: number): Promise<boolean> {
    let missing = count;
    while (missing > 0) {
      if (this.rest.byteLength === 0) {
        const { done, value } = await this.iterator.next();
        if (done) return false;
        this.rest = value;
      }
      const skipped = Math.min(missing, this.rest.byteLength);
      this.rest = this.rest.subarray(skipped);
      missing -= skipped;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.iterator.return?.();
  }
}
