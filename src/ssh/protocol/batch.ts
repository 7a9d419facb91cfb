/** A message costs some ten microseconds on both sides, a copy of so much about as much. */
const BATCH_BYTES = 128 * 1024;

/** Joins small pieces into few large ones, which hold nothing else and can be handed over. */
export class Batch {
  bytes = 0;
  private pieces: Uint8Array[] = [];
  private timer: NodeJS.Immediate | undefined;

  constructor(private readonly post: (chunk: Uint8Array<ArrayBuffer>) => void) {}

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.bytes += piece.byteLength;
    if (this.bytes >= BATCH_BYTES) this.flush();
    else this.timer ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.timer);
    this.timer = undefined;
    if (this.bytes === 0) return;
    const chunk = new Uint8Array(this.bytes);
    let at = 0;
    for (const piece of this.pieces) {
      chunk.set(piece, at);
      at += piece.byteLength;
    }
    this.pieces = [];
    this.bytes = 0;
    this.post(chunk);
  }
}
