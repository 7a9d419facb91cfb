import { Duplex } from "node:stream";
import { type FromClient, handedOver, SendWindow } from "../messages.ts";
import { Batch } from "./batch.ts";

/** What the library takes for a client's socket, which the main thread has. */
export class RemoteSocket extends Duplex {
  private readonly window = new SendWindow(() => this.goOn());
  private readonly batch = new Batch((chunk) => {
    this.window.sent(chunk.byteLength);
    this.post({ kind: "send", chunk }, handedOver(chunk));
  });
  /** Of a write that waits for room. */
  private written: (() => void) | undefined;
  private waiting: (() => void)[] = [];

  constructor(private readonly post: (said: FromClient, transfer?: Transferable[]) => void) {
    super({ autoDestroy: false });
  }

  /** What the client has not taken. */
  get unsentBytes(): number {
    return this.window.bytes + this.batch.bytes + this.writableLength;
  }

  receive(chunk: Uint8Array): void {
    if (this.destroyed) return;
    this.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.post({ kind: "taken", bytes: chunk.byteLength });
  }

  taken(bytes: number): void {
    this.window.taken(bytes);
  }

  /** Resolves once there is room for more; at once where there is. */
  room(): Promise<void> {
    if (!this.window.isFull) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.batch.add(chunk);
    if (this.window.isFull) this.written = done;
    else done();
  }

  override _final(done: () => void): void {
    this.batch.flush();
    this.post({ kind: "end" });
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.post({ kind: "drop" });
    this.goOn();
    done(error);
  }

  private goOn(): void {
    const { written } = this;
    this.written = undefined;
    written?.();
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
