import { Duplex } from "node:stream";
import { type Buffers, ByteSender } from "../byte-sender.ts";
import type { FromClient, Taken } from "../messages.ts";

/** Stands in for a client's socket, which belongs to the main thread. */
export class RemoteSocket extends Duplex {
  private readonly sender: ByteSender;
  /** Callback of a write that waits for room. */
  private written: (() => void) | undefined;
  private waiting: (() => void)[] = [];

  constructor(
    buffers: Buffers,
    private readonly post: (said: FromClient) => void,
  ) {
    super({ autoDestroy: false });
    this.sender = new ByteSender(
      buffers,
      (chunk) => this.post({ kind: "send", chunk }),
      () => this.goOn(),
    );
  }

  /** What the client has not received yet. */
  get unsentBytes(): number {
    return this.sender.unsentBytes + this.writableLength;
  }

  receive(chunk: Uint8Array): void {
    if (this.destroyed) return;
    this.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.post({ kind: "taken", bytes: chunk.byteLength });
  }

  taken(taken: Taken): void {
    this.sender.taken(taken);
  }

  /** Resolves once there is room for more; immediately if there is. */
  room(): Promise<void> {
    if (!this.sender.isFull) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.sender.add(chunk);
    if (this.sender.isFull) this.written = done;
    else done();
  }

  override _final(done: () => void): void {
    this.sender.flush();
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
