import { HandleInflate } from "./handle-inflate.ts";
import { PortableInflate } from "./portable-inflate.ts";

/** Within 258 bytes of the end of its room zlib goes byte by byte: with so much beyond a stream's end it never does. */
export const SPARE_BYTES = 320;

/**
 * One zlib inflater that is used again and again, synchronously, into buffers of the caller: the runtime's own where its
 * handle does what is expected of it, which each new one is asked, else ours.
 */
export class Inflater {
  private readonly engine: HandleInflate | PortableInflate = HandleInflate.open() ?? new PortableInflate();

  /** Bytes of input the last `push` used. */
  get consumed(): number {
    return this.engine.consumed;
  }

  /** Bytes of output the last `push` made. */
  get produced(): number {
    return this.engine.produced;
  }

  /** The last `push` reached the end of the zlib stream, checksum included. */
  get ended(): boolean {
    return this.engine.ended;
  }

  /** Whether it is the runtime's own, and fast. */
  get isNative(): boolean {
    return this.engine instanceof HandleInflate;
  }

  /** Begins a new zlib stream. */
  reset(): void {
    this.engine.reset();
  }

  /**
   * Inflates from `input[inputStart..inputEnd]` to `output[outputStart..outputEnd]`. The end of the stream is only
   * seen while there is room for at least one more byte of output; call again with the input that is left.
   * @throws CorruptObject when the input is no zlib stream or its checksum is wrong
   */
  push(
    input: Uint8Array,
    inputStart: number,
    inputEnd: number,
    output: Uint8Array,
    outputStart: number,
    outputEnd: number,
  ): void {
    this.engine.push(input, inputStart, inputEnd, output, outputStart, outputEnd);
  }

  close(): void {
    this.engine.close();
  }
}
