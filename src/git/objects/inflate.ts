import { HandleInflate } from "./handle-inflate.ts";
import { PortableInflate } from "./portable-inflate.ts";

/** zlib slows to byte by byte within 258 bytes of the end of the output; this much spare space avoids that. */
export const SPARE_BYTES = 320;

/**
 * A reusable, synchronous zlib inflater that writes into the caller's buffers. Uses the runtime's native handle if it
 * behaves as expected (each new one is tested), otherwise ours.
 */
export class Inflater {
  private readonly engine: HandleInflate | PortableInflate = HandleInflate.open() ?? new PortableInflate();

  /** Bytes of input the last `push` consumed. */
  get consumed(): number {
    return this.engine.consumed;
  }

  /** Bytes of output the last `push` produced. */
  get produced(): number {
    return this.engine.produced;
  }

  /** Whether the last `push` reached the end of the zlib stream, checksum included. */
  get ended(): boolean {
    return this.engine.ended;
  }

  /** Whether this is the runtime's own, fast implementation. */
  get isNative(): boolean {
    return this.engine instanceof HandleInflate;
  }

  /** Begins a new zlib stream. */
  reset(): void {
    this.engine.reset();
  }

  /**
   * Inflates from `input[inputStart..inputEnd]` to `output[outputStart..outputEnd]`. The end of the stream is only
   * detected while there is space for at least one more byte of output; call again with the remaining input.
   * @throws CorruptObject when the input is not a zlib stream or its checksum is wrong
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
