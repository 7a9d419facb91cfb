import { ProtocolError } from "../git/errors.ts";
import { type Buffers, ByteSender } from "./byte-sender.ts";
import type { CommandStreams } from "./commands.ts";
import type { FromChannel, ToChannel } from "./messages.ts";

/** The client disconnected midway. */
export class ConnectionLost extends Error {
  override name = "ConnectionLost";
}

/** The time allowed for a write, plus more for each KiB (contract git-content.md 14.2). */
const WRITE_MS = 30_000;
const WRITE_MS_A_KIB = 10_000;

interface Waiting {
  resolve(step: IteratorResult<Uint8Array, void>): void;
  reject(error: Error): void;
}

/** The streams of one command, with backpressure in both directions. */
export class CommandChannel implements CommandStreams {
  readonly input: AsyncIterable<Uint8Array>;
  private readonly abort = new AbortController();
  private waiting: Waiting | undefined;
  /** Input not read yet; the thread sends no more than its window. */
  private readonly queue: Uint8Array[] = [];
  /** How the input ended. */
  private end: "whole" | "broken" | undefined;
  private closed = false;
  private drains = false;
  private onClosed: (() => void)[] = [];
  private onRoom: (() => void)[] = [];
  private readonly output: ByteSender;

  /**
   * @param idleMs a client that sends nothing for so long while input is expected gets an error
   * @param drop ends the connection
   */
  constructor(
    buffers: Buffers,
    private readonly post: (said: ToChannel) => void,
    private readonly drop: () => void,
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
    this.output = new ByteSender(
      buffers,
      (chunk) => post({ kind: "output", chunk }),
      () => {
        for (const done of this.onRoom.splice(0)) done();
      },
    );
    this.input = { [Symbol.asyncIterator]: () => iterator };
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  hear(said: FromChannel): void {
    switch (said.kind) {
      case "input":
        this.queue.push(said.chunk);
        this.wake();
        break;
      case "ended":
        this.end = said.isWhole ? "whole" : "broken";
        this.wake();
        break;
      case "taken":
        this.output.taken(said);
        break;
      case "closed":
        this.close();
    }
  }

  /** The channel or the whole connection is closed. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.wake();
    this.abort.abort(new DOMException("the client went away", "AbortError"));
    for (const done of this.onClosed.splice(0)) done();
  }

  readonly write = async (bytes: Uint8Array): Promise<void> => {
    if (this.closed) throw new ConnectionLost("the connection broke off");
    this.output.add(bytes);
    if (!this.output.isFull) return;
    const timeoutMs = WRITE_MS + Math.ceil(bytes.byteLength / 1024) * WRITE_MS_A_KIB;
    const hasRoom = await this.within(timeoutMs, (done) => this.onRoom.push(done));
    if (hasRoom && !this.closed) return;
    if (!this.closed) this.drop();
    throw new ConnectionLost("the connection broke off, or nothing was read from it");
  };

  readonly tell = async (text: string): Promise<void> => {
    if (this.closed) throw new ConnectionLost("the connection broke off");
    this.output.flush();
    this.post({ kind: "words", text });
  };

  /** The command has ended: sends its status, and waits until the client has closed the channel. */
  async finish(status: number): Promise<void> {
    if (this.closed) return;
    this.output.flush();
    this.post({ kind: "finish", status, drains: this.drains });
    await this.within(WRITE_MS, () => {});
  }

  private next(): Promise<IteratorResult<Uint8Array, void>> {
    if (this.drains) return Promise.resolve({ done: true, value: undefined });
    const piece = this.take();
    if (piece) return Promise.resolve({ done: false, value: piece });
    if (this.end === "whole") return Promise.resolve({ done: true, value: undefined });
    if (this.end || this.closed) return Promise.reject(new ConnectionLost("the connection broke off"));
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
    if (piece) this.post({ kind: "taken", bytes: piece.byteLength });
    return piece;
  }

  /** Input arrived, or has ended. */
  private wake(): void {
    const { waiting } = this;
    if (!waiting) return;
    const piece = this.take();
    if (piece) waiting.resolve({ done: false, value: piece });
    else if (this.end === "whole") waiting.resolve({ done: true, value: undefined });
    else if (this.end || this.closed) waiting.reject(new ConnectionLost("the connection broke off"));
  }

  /** Whether it was done in time; closing the channel ends the wait. */
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
}
