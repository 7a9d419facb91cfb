import type { Taken } from "./messages.ts";

/** Bytes that may be on their way to the other thread, of a socket or of a command, before the sender waits. */
const WINDOW_BYTES = 256 * 1024;
/** A message costs some ten microseconds on both sides, a copy of so much about as much. */
const BUFFER_BYTES = 128 * 1024;
const MAX_SPARE = 16;
/** What is smaller is not worth a buffer that comes back. */
const MIN_SHARED_BYTES = 16 * 1024;

/** What is on its way to the other thread, of one thing in one direction. */
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

/** Buffers that came back, for all that a thread sends. */
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
 * Sends bytes to the other thread: small pieces joined to few large ones, in buffers that are handed over and, where the
 * other side hands them back, filled again. New memory for each message would have to be collected, here or there.
 */
export class ByteSender {
  private readonly window: SendWindow;
  private pieces: Uint8Array[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Immediate | undefined;

  constructor(
    private readonly buffers: Buffers,
    private readonly post: (chunk: Uint8Array<ArrayBuffer>) => void,
    /** It was full, and is no more. */
    onRoom: () => void,
  ) {
    this.window = new SendWindow(onRoom);
  }

  get isFull(): boolean {
    return this.window.isFull;
  }

  /** Bytes that the other side has not done with. */
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

  /** Sends at once what waits. */
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

  /** Room for what waits, as much as goes into one message. */
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

/** What is said of a chunk that has been done with: with its buffer, where that can be filled again. */
export function takenOf(chunk: Uint8Array): Taken {
  const { buffer, byteLength: bytes } = chunk;
  return buffer instanceof ArrayBuffer && buffer.byteLength === BUFFER_BYTES ? { bytes, buffer } : { bytes };
}
