import type { Taken } from "./messages.ts";

/** Bytes of a socket or command that may be in flight to the other thread before the sender waits. */
const WINDOW_BYTES = 256 * 1024;
/** A message costs some ten microseconds on both sides, copying this many bytes about as much. */
const BUFFER_BYTES = 128 * 1024;
const MAX_SPARE = 16;
/** Smaller pieces are not worth a returned buffer. */
const MIN_SHARED_BYTES = 16 * 1024;

/** Bytes in flight to the other thread, for one stream. */
export class SendWindow {
  bytes = 0;

  constructor(private readonly onRoom: () => void) {}

  get isFull(): boolean {
    return this.bytes >= WINDOW_BYTES;
  }

  sent(bytes: number): void {
    this.bytes += bytes;
  }

  taken(bytes: number): void {
    const wasFull = this.isFull;
    this.bytes -= bytes;
    if (wasFull && !this.isFull) this.onRoom();
  }
}

/** Returned buffers, shared by everything a thread sends. */
export class Buffers {
  private readonly spare: ArrayBuffer[] = [];

  take(): ArrayBuffer {
    return this.spare.pop() ?? new ArrayBuffer(BUFFER_BYTES);
  }

  giveBack(buffer: ArrayBuffer): void {
    if (this.spare.length < MAX_SPARE) this.spare.push(buffer);
  }
}

/**
 * Sends bytes to the other thread: small pieces joined into a few large ones, in transferred buffers that are reused
 * if the other side returns them. New memory for each message would have to be collected, here or there.
 */
export class ByteSender {
  private readonly window: SendWindow;
  private pieces: Uint8Array[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Immediate | undefined;

  constructor(
    private readonly buffers: Buffers,
    private readonly post: (chunk: Uint8Array<ArrayBuffer>) => void,
    /** Called when the full window has room again. */
    onRoom: () => void,
  ) {
    this.window = new SendWindow(onRoom);
  }

  get isFull(): boolean {
    return this.window.isFull;
  }

  /** Bytes that the other side has not consumed. */
  get unsentBytes(): number {
    return this.waitingBytes + this.window.bytes;
  }

  /** Sends it soon. */
  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.waitingBytes += piece.byteLength;
    if (this.waitingBytes >= BUFFER_BYTES) this.flush();
    else this.timer ??= setImmediate(() => this.flush());
  }

  /** Sends everything buffered at once. */
  flush(): void {
    clearImmediate(this.timer);
    this.timer = undefined;
    const { pieces } = this;
    this.pieces = [];
    let chunk = this.chunk();
    let filled = 0;
    for (const piece of pieces) {
      for (let at = 0; at < piece.byteLength; ) {
        const part = piece.subarray(at, at + chunk.byteLength - filled);
        chunk.set(part, filled);
        at += part.byteLength;
        filled += part.byteLength;
        if (filled < chunk.byteLength) continue;
        this.send(chunk);
        chunk = this.chunk();
        filled = 0;
      }
    }
  }

  taken({ bytes, buffer }: Taken): void {
    if (buffer) this.buffers.giveBack(buffer);
    this.window.taken(bytes);
  }

  /** A buffer for the pending bytes, up to one message. */
  private chunk(): Uint8Array<ArrayBuffer> {
    const bytes = Math.min(this.waitingBytes, BUFFER_BYTES);
    if (bytes < MIN_SHARED_BYTES) return new Uint8Array(bytes);
    return new Uint8Array(this.buffers.take(), 0, bytes);
  }

  private send(chunk: Uint8Array<ArrayBuffer>): void {
    this.waitingBytes -= chunk.byteLength;
    this.window.sent(chunk.byteLength);
    this.post(chunk);
  }
}

/** Acknowledges a consumed chunk, returning its buffer if it can be reused. */
export function takenOf(chunk: Uint8Array): Taken {
  const { buffer, byteLength: bytes } = chunk;
  return buffer instanceof ArrayBuffer && buffer.byteLength === BUFFER_BYTES ? { bytes, buffer } : { bytes };
}
