import { CorruptObject } from "../errors.ts";

/**
 * One zlib inflater that is used again and again, synchronously, into buffers of the caller.
 *
 * `zlib.inflateSync` makes a new stream and a new buffer for each object (3.4 us and garbage against 1.9 us and
 * none, measured on objects of 400 bytes), and cannot go on when more input arrives. The handle below is the
 * native object under `zlib.createInflate()`; its `writeSync` and state array are those of Node's zlib binding.
 */
export class Inflater {
  private readonly handle: InflateHandle;
  /** Written by the handle: bytes of output room left, bytes of input left. */
  private readonly state: Uint32Array;
  private failure: string | undefined;

  /** Bytes of input the last `push` used, and bytes of output it made. */
  consumed = 0;
  produced = 0;
  /** The last `push` reached the end of the zlib stream, checksum included. */
  ended = false;

  constructor() {
    // Not imported: the server starts without it, three milliseconds sooner.
    const stream: unknown = process.getBuiltinModule("node:zlib").createInflate();
    const { handle, state } = handleOf(stream);
    this.handle = handle;
    this.state = state;
    handle.onerror = (message) => {
      this.failure = message;
    };
  }

  /** Begins a new zlib stream. */
  reset(): void {
    this.handle.reset();
    this.failure = undefined;
    this.ended = false;
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
    const SYNC_FLUSH = 2;
    const available = inputEnd - inputStart;
    const room = outputEnd - outputStart;
    this.handle.writeSync(SYNC_FLUSH, input, inputStart, available, output, outputStart, room);
    if (this.failure !== undefined) throw new CorruptObject(`zlib: ${this.failure}`);
    const inputLeft = this.state[1]!;
    const roomLeft = this.state[0]!;
    this.consumed = available - inputLeft;
    this.produced = room - roomLeft;
    // zlib stops with input and room both left only at the end of its stream.
    this.ended = inputLeft > 0 && roomLeft > 0;
  }

  close(): void {
    this.handle.close();
  }
}

interface InflateHandle {
  onerror: (message: string) => void;
  reset(): void;
  close(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputOffset: number,
    inputLength: number,
    output: Uint8Array,
    outputOffset: number,
    outputLength: number,
  ): void;
}

function handleOf(stream: unknown): { handle: InflateHandle; state: Uint32Array } {
  if (typeof stream === "object" && stream !== null && "_handle" in stream && "_writeState" in stream) {
    const { _handle: handle, _writeState: state } = stream;
    if (isInflateHandle(handle) && state instanceof Uint32Array) return { handle, state };
  }
  throw new Error("this runtime's zlib has no synchronous inflate handle");
}

function isInflateHandle(value: unknown): value is InflateHandle {
  return typeof value === "object" && value !== null && "writeSync" in value && "reset" in value && "close" in value;
}
