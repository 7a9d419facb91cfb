import type { Socket } from "node:net";
import type { Log } from "../kernel/log.ts";
import type { KeyHolder, KeyHolders } from "../keys/ssh/holders.ts";
import type { KeyOffer } from "../keys/ssh/offer.ts";
import { SendWindow, takenOf } from "./byte-sender.ts";
import { CommandChannel, ConnectionLost } from "./channel.ts";
import type { CommandRequest, SshCommands } from "./commands.ts";
import type { FromChannel, FromClient } from "./messages.ts";
import { errorLines } from "./refusals.ts";
import type { RefusedSignIns } from "./refused-sign-ins.ts";
import type { SshThread, ThreadLink } from "./thread.ts";

export interface ConnectionParts {
  readonly commands: SshCommands;
  readonly holders: KeyHolders;
  readonly log: Log;
  readonly refused: RefusedSignIns;
  readonly user: string;
  /** Time for the key exchange; authentication gets four times as much. */
  readonly handshakeMs: number;
  readonly idleMs: number;
}

/** Keys an agent may offer in turn before the right one. */
const MAX_TRIES = 20;
const FAILED = 128;

/** One client connection: who it is, what it runs, when it must end. */
export class SshConnection {
  private readonly link: ThreadLink;
  /** Received bytes in flight to the thread. */
  private readonly received: SendWindow;
  private holder: KeyHolder | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private readonly running = new Set<Promise<void>>();
  private readonly channels = new Map<number, CommandChannel>();
  private tries = 0;
  /** The last key offered. */
  private offer: KeyOffer | undefined;
  private isStopping = false;

  constructor(
    private readonly socket: Socket,
    private readonly address: string,
    private readonly parts: ConnectionParts,
    thread: SshThread,
    /** Called once, after authentication. */
    private readonly onSignedIn: () => void,
  ) {
    this.link = thread.connect({ hear: (said) => this.hear(said), lost: () => socket.destroy() });
    this.received = new SendWindow(() => socket.resume());
    this.endIn(parts.handshakeMs);
    socket.on("data", (chunk: Uint8Array) => {
      this.received.sent(chunk.byteLength);
      if (this.received.isFull) socket.pause();
      const isAlone = chunk.byteLength === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer;
      this.link.tell({ kind: "received", chunk: isAlone ? new Uint8Array(chunk.buffer) : Uint8Array.from(chunk) });
    });
    socket.on("close", () => {
      clearTimeout(this.deadline);
      this.link.close();
      for (const channel of this.channels.values()) channel.close();
      if (this.tries > 0 && !this.holder && !this.isStopping)
        parts.refused
          .add(address, this.offer)
          .catch((error) => parts.log.error("a sign-in could not be recorded", { error }));
    });
  }

  /** Ends when running commands have ended, or at the deadline. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.isStopping = true;
    await Promise.race([Promise.all(this.running), deadline]);
    this.socket.destroy();
    await Promise.all(this.running);
  }

  private hear(said: FromClient): void {
    switch (said.kind) {
      case "send":
        this.socket.write(said.chunk, () => this.link.tell({ kind: "taken", ...takenOf(said.chunk) }));
        break;
      case "taken":
        this.received.taken(said.bytes);
        break;
      case "agreed":
        if (!this.holder) this.endIn(4 * this.parts.handshakeMs);
        break;
      case "offered":
        this.authenticate(said.user, said.offer).catch((error) => {
          this.parts.log.error("a sign-in over SSH failed", { error });
          this.socket.destroy();
        });
        break;
      case "end":
        this.socket.end();
        break;
      case "drop":
        this.socket.destroy();
        break;
      case "channel":
        this.hearChannel(said.channel, said.said);
    }
  }

  private async authenticate(user: string, offer: KeyOffer | undefined): Promise<void> {
    if (++this.tries > MAX_TRIES) {
      this.socket.destroy();
      return;
    }
    if (user === this.parts.user) this.offer = offer ?? this.offer;
    const holder = user === this.parts.user && offer ? await this.parts.holders.holderOf(offer) : undefined;
    // Asking whether a key would be accepted proves nothing (security rule K1).
    if (holder && offer?.proof) {
      this.holder = holder;
      this.onSignedIn();
      this.rest();
    }
    this.link.tell({ kind: "decided", isGood: holder !== undefined });
  }

  private hearChannel(number: number, said: FromChannel): void {
    if (said.kind === "opened") this.open(number, said);
    else this.channels.get(number)?.hear(said);
  }

  private open(number: number, { command, gitProtocol }: Extract<FromChannel, { kind: "opened" }>): void {
    const { holder } = this;
    // The library admits nobody unasked, but admission without a key must not depend on that.
    if (!holder) {
      this.socket.destroy();
      return;
    }
    const channel = new CommandChannel(
      this.link.buffers,
      (said) => this.link.tell({ kind: "channel", channel: number, said }),
      () => this.socket.destroy(),
      this.parts.idleMs,
    );
    this.channels.set(number, channel);
    const work = this.run({ holder, address: this.address, command, gitProtocol }, channel).finally(() => {
      this.running.delete(work);
      this.channels.delete(number);
      this.rest();
    });
    this.running.add(work);
    clearTimeout(this.deadline);
  }

  private async run(request: CommandRequest, channel: CommandChannel): Promise<void> {
    try {
      await channel.finish(await this.parts.commands.run(request, channel));
    } catch (error) {
      if (error instanceof ConnectionLost || channel.signal.aborted) return;
      this.parts.log.error("a command over SSH failed", { command: request.command?.slice(0, 200), error });
      try {
        await channel.tell(errorLines("internal server error"));
        await channel.finish(FAILED);
      } catch {
        // Already gone.
      }
    }
  }

  /** An idle connection may stay for a while, and is then closed. */
  private rest(): void {
    if (this.running.size > 0) return;
    if (this.isStopping) this.socket.end();
    else this.endIn(this.parts.idleMs);
  }

  private endIn(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.socket.destroy(), ms);
  }
}
