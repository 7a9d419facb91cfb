import type { ServerChannel } from "ssh2";
import { type Buffers, ByteSender, takenOf } from "../byte-sender.ts";
import type { FromChannel, ToChannel } from "../messages.ts";
import type { RemoteSocket } from "./socket.ts";

/**
 * After a refusal this much input is read and discarded, so that git gets to read why, unless the client goes quiet.
 */
const DRAINED_BYTES = 512 * 1024 * 1024;
const DRAIN_SILENCE_MS = 10_000;

/** A command's channel, relaying between client and main thread with flow control. */
export class ProtocolChannel {
  private readonly sender: ByteSender;
  /** Messages from the main thread, processed one after the other. */
  private last: Promise<void> = Promise.resolve();
  /** The client announced the end of its input. */
  private saidEnd = false;
  private isClosed = false;
  private hasEnded = false;
  private drain: Drain | undefined;

  constructor(
    private readonly channel: ServerChannel,
    private readonly socket: RemoteSocket,
    buffers: Buffers,
    private readonly post: (said: FromChannel) => void,
  ) {
    this.sender = new ByteSender(
      buffers,
      (chunk) => {
        post({ kind: "input", chunk });
        if (this.sender.isFull) channel.pause();
      },
      () => channel.resume(),
    );
    channel.on("data", (piece: Uint8Array) => {
      if (this.drain) this.drain.read(piece.byteLength);
      else this.sender.add(piece);
    });
    channel.on("end", () => {
      this.hasEnded = true;
      this.sender.flush();
      this.drain?.end();
      post({ kind: "ended", isWhole: this.saidEnd });
    });
    channel.on("error", () => this.close());
    channel.on("close", () => this.close());
    channel.stderr.on("error", () => {});
  }

  /** Received bytes that the main thread has not consumed. */
  get heldBytes(): number {
    return this.channel.readableLength + this.sender.unsentBytes;
  }

  /** The client ended its input properly; any other end counts as cut off. */
  markEnd(): void {
    this.saidEnd = true;
  }

  hear(said: ToChannel): void {
    if (said.kind === "taken") this.sender.taken(said);
    else this.last = this.last.then(() => this.obey(said)).catch(() => void this.socket.destroy());
  }

  private async obey(said: Exclude<ToChannel, { kind: "taken" }>): Promise<void> {
    if (this.isClosed) return;
    if (said.kind === "finish") return this.finish(said.status, said.drains);
    if (said.kind === "words") return this.send(this.channel.stderr, Buffer.from(said.text));
    await this.send(this.channel, said.chunk);
    // A channel accepts as much as the client's window allows, possibly gigabytes: what the socket buffers counts.
    await this.socket.room();
    this.post({ kind: "taken", ...takenOf(said.chunk) });
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.drain?.end();
    this.post({ kind: "closed" });
  }

  /** Resolves when the library has made packets of it, or the channel is closed. */
  private send(stream: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.channel.once("close", resolve);
      stream.write(bytes, () => {
        this.channel.off("close", resolve);
        resolve();
      });
    });
  }

  /** Sends the status and closes the channel, once the client has sent what it is sending. */
  private async finish(status: number, drains: boolean): Promise<void> {
    if (drains && !this.hasEnded) {
      this.drain = new Drain(DRAINED_BYTES, DRAIN_SILENCE_MS);
      this.channel.resume();
      await this.drain.over;
    }
    if (this.isClosed) return;
    this.channel.exit(status);
    this.channel.end();
  }
}

/** Finishes after that many bytes, after that long without input, or at the end of the input. */
class Drain {
  readonly over: Promise<void>;
  readonly end: () => void;
  private bytes = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly maxBytes: number,
    silenceMs: number,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.timer = setTimeout(resolve, silenceMs);
    this.over = promise;
    this.end = () => {
      clearTimeout(this.timer);
      resolve();
    };
  }

  read(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) this.end();
    else this.timer.refresh();
  }
}
