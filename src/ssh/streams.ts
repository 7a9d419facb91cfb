import type { Socket } from "node:net";
import type { ServerChannel } from "ssh2";
import { ProtocolError } from "../git/errors.ts";
import type { CommandStreams } from "./commands.ts";

/** The client went away in the middle. */
export class ConnectionLost extends Error {
  override name = "ConnectionLost";
}

/** A write may take so long, and so much longer for each KiB (contract git-content.md 14.2). */
const WRITE_MS = 30_000;
const WRITE_MS_A_KIB = 10_000;
/** A channel takes whatever the client's window allows, and a client may allow four gigabytes: what the socket holds counts. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** After a refusal so much more is read and thrown away, so that git gets to read why, unless nothing comes for so long. */
const DRAINED_BYTES = 512 * 1024 * 1024;
const DRAIN_SILENCE_MS = 10_000;

/** Of what came so much waits here; the rest waits in the channel, and then at the client. */
const MAX_QUEUED_BYTES = 256 * 1024;

interface Waiting {
  resolve(step: IteratorResult<Uint8Array, void>): void;
  reject(error: Error): void;
}

/** The streams of one command, with backpressure both ways: what is not taken is not read, and not made. */
export class ChannelStreams implements CommandStreams {
  readonly input: AsyncIterable<Uint8Array>;
  private readonly abort = new AbortController();
  private waiting: Waiting | undefined;
  /** In the pieces in which it came: joined, a fast push would be a gigabyte of garbage a second. */
  private readonly queue: Uint8Array[] = [];
  private queuedBytes = 0;
  /** The client said that nothing more comes. */
  private saidEnd = false;
  /** What it sent has been read to the end. */
  private ended = false;
  private closed = false;
  private drains = false;
  private onClosed: (() => void)[] = [];

  /** @param idleMs a client that is asked for something and sends nothing for so long is told off */
  constructor(
    private readonly channel: ServerChannel,
    private readonly socket: Socket,
    private readonly idleMs: number,
  ) {
    const iterator: AsyncIterator<Uint8Array, void> = {
      next: () => this.next(),
      return: async () => {
        this.drains = true;
        this.waiting?.resolve({ done: true, value: undefined });
        return { done: true, value: undefined };
      },
    };
    this.input = { [Symbol.asyncIterator]: () => iterator };
    channel.on("data", (piece: Uint8Array) => {
      this.queue.push(piece);
      this.queuedBytes += piece.byteLength;
      if (this.queuedBytes >= MAX_QUEUED_BYTES) channel.pause();
      this.wake();
    });
    channel.on("end", () => {
      this.ended = true;
      this.wake();
    });
    channel.on("error", () => this.close());
    channel.on("close", () => this.close());
    channel.stderr.on("error", () => {});
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Bytes that came and no one has read. */
  get heldBytes(): number {
    return this.channel.readableLength + this.queuedBytes;
  }

  /** The client ended its side as it should; whatever else ends it broke off. */
  markEnd(): void {
    this.saidEnd = true;
  }

  /** The channel or the whole connection is gone. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.wake();
    this.abort.abort(new DOMException("the client went away", "AbortError"));
    for (const done of this.onClosed.splice(0)) done();
  }

  readonly write = (bytes: Uint8Array): Promise<void> => this.send(this.channel, bytes);

  readonly tell = (text: string): Promise<void> => this.send(this.channel.stderr, Buffer.from(text));

  /** The command is over: tells the status and closes the channel, once the client has sent what it is sending. */
  async finish(status: number): Promise<void> {
    if (this.drains && !this.closed) await this.drain();
    if (this.closed) return;
    this.channel.exit(status);
    this.channel.end();
  }

  private next(): Promise<IteratorResult<Uint8Array, void>> {
    if (this.drains) return Promise.resolve({ done: true, value: undefined });
    const piece = this.take();
    if (piece) return Promise.resolve({ done: false, value: piece });
    if (this.ended && this.saidEnd) return Promise.resolve({ done: true, value: undefined });
    if (this.ended || this.closed) return Promise.reject(new ConnectionLost("the connection broke off"));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = undefined;
        reject(new ProtocolError("nothing came for too long"));
      }, this.idleMs);
      const settled = () => {
        clearTimeout(timer);
        this.waiting = undefined;
      };
      this.waiting = {
        resolve: (step) => {
          settled();
          resolve(step);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
    });
  }

  private take(): Uint8Array | undefined {
    const piece = this.queue.shift();
    this.queuedBytes -= piece?.byteLength ?? 0;
    if (this.queuedBytes < MAX_QUEUED_BYTES && this.channel.isPaused()) this.channel.resume();
    return piece;
  }

  /** Something came, or nothing more will. */
  private wake(): void {
    const { waiting } = this;
    if (!waiting) return;
    const piece = this.take();
    if (piece) waiting.resolve({ done: false, value: piece });
    else if (this.ended && this.saidEnd) waiting.resolve({ done: true, value: undefined });
    else if (this.ended || this.closed) waiting.reject(new ConnectionLost("the connection broke off"));
  }

  private async send(stream: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> {
    if (this.closed) throw new ConnectionLost("the connection broke off");
    const given = WRITE_MS + Math.ceil(bytes.byteLength / 1024) * WRITE_MS_A_KIB;
    const isSent = await this.within(given, (done) => stream.write(bytes, () => done()));
    const isDrained =
      this.socket.writableLength <= MAX_UNSENT_BYTES ||
      (await this.within(given, (done) => this.socket.once("drain", done)));
    if (isSent && isDrained && !this.closed) return;
    if (!this.closed) this.socket.destroy();
    throw new ConnectionLost("the connection broke off, or nothing was read from it");
  }

  /** Whether it was done in time; what closes the channel ends the waiting. */
  private within(timeoutMs: number, begin: (done: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), timeoutMs);
      const closed = () => settle(false);
      const settle = (isDone: boolean) => {
        clearTimeout(timer);
        this.onClosed = this.onClosed.filter((one) => one !== closed);
        resolve(isDone);
      };
      this.onClosed.push(closed);
      begin(() => settle(true));
    });
  }

  private async drain(): Promise<void> {
    let bytes = 0;
    while (!this.ended && !this.closed && bytes <= DRAINED_BYTES) {
      const piece = this.take();
      if (piece) {
        bytes += piece.byteLength;
        continue;
      }
      const more = await this.within(DRAIN_SILENCE_MS, (done) => {
        this.channel.once("data", done);
        this.channel.once("end", done);
      });
      if (!more) return;
    }
  }
}
