/** Larger buffers are not kept. */
const MAX_BYTES = 1024 * 1024;

/** A reusable buffer for short-lived bytes: allocating memory costs more than filling it for most contents. */
export class Scratch {
  private buffer = new Uint8Array(0);

  /** Returns at least `bytes` bytes of uninitialized memory, valid until the next call. */
  of(bytes: number): Uint8Array {
    if (bytes > MAX_BYTES) return Bun.allocUnsafe(bytes);
    if (bytes > this.buffer.length) this.buffer = Bun.allocUnsafe(Math.min(bytes * 2, MAX_BYTES));
    return this.buffer;
  }
}
