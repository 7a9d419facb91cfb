/** More than this is not kept. */
const MAX_BYTES = 1024 * 1024;

/** Memory for bytes that are done with when the next are made: new memory costs more to get than most contents to fill. */
export class Scratch {
  private buffer = new Uint8Array(0);

  /** So many bytes and maybe more, with anything in them; they are the caller's until it asks again. */
  of(bytes: number): Uint8Array {
    if (bytes > MAX_BYTES) return Bun.allocUnsafe(bytes);
    if (bytes > this.buffer.length) this.buffer = Bun.allocUnsafe(Math.min(bytes * 2, MAX_BYTES));
    return this.buffer;
  }
}
