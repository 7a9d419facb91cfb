import Bunzip from "seek-bzip";
import { brokenArchive } from "./broken.ts";

/** Upper bound for a compressed block: 900,000 symbols of 20 bits, and its tables. */
const MAX_BLOCK_BYTES = 3 << 20;
const PIECE_BYTES = 256 << 10;

/**
 * Decompresses bzip2, including concatenated streams. The library reads blocks synchronously: each is buffered first.
 * @throws BadRequest (while iterating) if it is no bzip2, or larger than `maxBytes`
 */
export async function* bunzipped(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const input = new BlockSource(source);
  const output = new Pieces(maxBytes);
  await input.fill();
  const bunzip = new Bunzip(input, output);
  for (;;) {
    await input.fill();
    if (bunzip._init_block()) {
      bunzip._read_bunzip();
      yield* output.take();
      continue;
    }
    if (bunzip.reader.read(32) >>> 0 !== bunzip.streamCRC) throw brokenArchive();
    if (input.isAtEnd) break;
    bunzip._start_bunzip(input, output);
  }
  yield* output.take(true);
}

/** Compressed bytes, buffered one block ahead. */
class BlockSource {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private chunks: Uint8Array[] = [];
  private at = 0;
  private aheadBytes = 0;
  private hasEnded = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  get isAtEnd(): boolean {
    return this.hasEnded && this.aheadBytes === 0;
  }

  async fill(): Promise<void> {
    while (!this.hasEnded && this.aheadBytes < MAX_BLOCK_BYTES) {
      const { done, value } = await this.iterator.next();
      if (done) this.hasEnded = true;
      else if (value.byteLength > 0) {
        this.chunks.push(value.slice());
        this.aheadBytes += value.byteLength;
      }
    }
  }

  readByte(): number {
    const byte = this.chunks[0]?.[this.at++];
    // At the end, the library would continue with any value.
    if (byte === undefined) throw brokenArchive();
    this.aheadBytes--;
    if (this.at === this.chunks[0]?.byteLength) {
      this.chunks.shift();
      this.at = 0;
    }
    return byte;
  }

  read(buffer: Uint8Array, at: number, length: number): number {
    for (let index = at; index < at + length; index++) buffer[index] = this.readByte();
    return length;
  }
}

/** Decompressed bytes, in pieces. */
class Pieces {
  private full: Uint8Array<ArrayBuffer>[] = [];
  private last = new Uint8Array(PIECE_BYTES);
  private at = 0;
  private count = 0;

  constructor(private readonly maxBytes: number) {}

  writeByte(byte: number): void {
    if (++this.count > this.maxBytes) throw brokenArchive();
    this.last[this.at++] = byte;
    if (this.at < PIECE_BYTES) return;
    this.full.push(this.last);
    this.last = new Uint8Array(PIECE_BYTES);
    this.at = 0;
  }

  /** @param isLast also returns the last, partial piece */
  take(isLast = false): Uint8Array<ArrayBuffer>[] {
    const taken = this.full;
    this.full = [];
    if (isLast && this.at > 0) taken.push(this.last.slice(0, this.at));
    return taken;
  }
}
