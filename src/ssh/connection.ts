import type { Socket } from "node:net";
import type { AuthContext, Connection as Client, ServerChannel, Session } from "ssh2";
import type { Log } from "../kernel/log.ts";
import type { KeyHolder, KeyHolders } from "../keys/ssh/holders.ts";
import type { KeyOffer } from "../keys/ssh/offer.ts";
import type { SshCommands } from "./commands.ts";
import { errorLines } from "./refusals.ts";
import { ChannelStreams, ConnectionLost } from "./streams.ts";

export interface ConnectionParts {
  readonly commands: SshCommands;
  readonly holders: KeyHolders;
  readonly log: Log;
  readonly user: string;
  /** To agree on keys; to show one's own there is four times as much. */
  readonly handshakeMs: number;
  readonly idleMs: number;
}

/** What the client is told who it could still be: nothing but a key counts (security rule K2). */
const METHODS: ("publickey" | "password")[] = ["publickey"];
/** Keys an agent may offer, one after the other, before the right one. */
const MAX_TRIES = 20;
/** Commands at a time over one connection; git and its helpers share one when they are told to. */
const MAX_SESSIONS = 8;
/** Keys are agreed on again after a gigabyte or an hour: who does it all the time means harm. */
const MAX_REKEYS_A_MINUTE = 30;
/** Three windows of a channel: one is full, and another was granted. Who sends more does not keep to the protocol. */
const MAX_HELD_BYTES = 6 * 1024 * 1024;
/** Answers that wait because the client reads none. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** Packets to a client may hold so little, or nothing: that would be an endless loop. */
const MIN_PACKET_BYTES = 512;
/** `version=2` and what may stand beside it. */
const MAX_VARIABLE_CHARACTERS = 256;

/** What the library does not declare of a channel's way to the client. */
interface Outgoing {
  readonly packetSize: number;
}

/** One client, from its first byte on. */
export class SshConnection {
  private holder: KeyHolder | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private readonly running = new Set<Promise<void>>();
  private readonly streams = new Set<ChannelStreams>();
  private sessions = 0;
  private tries = 0;
  private rekeys: number[] = [];
  private isStopping = false;

  constructor(
    private readonly socket: Socket,
    private readonly address: string,
    private readonly parts: ConnectionParts,
    /** Called once, when it has shown who it is. */
    private readonly onSignedIn: () => void,
  ) {
    this.endIn(parts.handshakeMs);
    socket.on("close", () => {
      clearTimeout(this.deadline);
      for (const streams of this.streams) streams.close();
    });
    socket.on("data", () => {
      const held = [...this.streams].some((streams) => streams.heldBytes > MAX_HELD_BYTES);
      if (held || socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
    });
  }

  get isSignedIn(): boolean {
    return this.holder !== undefined;
  }

  /** The client has said that it speaks SSH. */
  attach(client: Client): void {
    client.on("error", () => {});
    client.on("handshake", ({ serverHostKey }) => {
      // A signature with SHA-1 proves nothing any more.
      if (serverHostKey === "ssh-rsa") this.socket.destroy();
      else if (!this.holder) this.endIn(4 * this.parts.handshakeMs);
    });
    client.on("rekey", () => this.countRekey());
    client.on("authentication", (context) => {
      this.authenticate(context).catch((error) => {
        this.parts.log.error("a sign-in over SSH failed", { error });
        this.socket.destroy();
      });
    });
    client.on("ready", () => this.rest());
    client.on("session", (accept, reject) => {
      if (this.sessions >= MAX_SESSIONS || this.isStopping) return reject();
      this.sessions++;
      this.serve(accept());
    });
  }

  /** Ends when what runs has ended, or when there is no more time. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.isStopping = true;
    await Promise.race([Promise.all(this.running), deadline]);
    this.socket.destroy();
    await Promise.all(this.running);
  }

  private async authenticate(context: AuthContext): Promise<void> {
    if (++this.tries > MAX_TRIES) {
      this.parts.log.info("a sign-in over SSH was refused", { address: this.address, reason: "too many keys" });
      this.socket.destroy();
      return;
    }
    const offer = context.method === "publickey" && context.username === this.parts.user ? offerOf(context) : undefined;
    const holder = offer && (await this.parts.holders.holderOf(offer));
    if (!holder) {
      if (offer?.proof) this.parts.log.info("a sign-in over SSH was refused", { address: this.address });
      context.reject(METHODS);
      return;
    }
    // Whoever only asks whether a key would do has shown nothing (security rule K1).
    if (offer.proof) {
      this.holder = holder;
      this.onSignedIn();
    }
    context.accept();
  }

  private serve(session: Session): void {
    let gitProtocol: string | undefined;
    let streams: ChannelStreams | undefined;
    session.on("env", (accept, reject, { key, val }) => {
      const isKnown = key === "GIT_PROTOCOL" && val.length <= MAX_VARIABLE_CHARACTERS;
      if (isKnown) gitProtocol = val;
      // The functions are there only when the client wants to know.
      (isKnown ? accept : reject)?.();
    });
    session.on("eof", () => streams?.markEnd());
    session.on("close", () => {
      this.sessions--;
    });
    const run = (channel: ServerChannel, command: string | undefined) => {
      const { holder } = this;
      const { packetSize } = channel.outgoing as Outgoing;
      if (!holder || packetSize < MIN_PACKET_BYTES) {
        this.socket.destroy();
        return;
      }
      const opened = new ChannelStreams(channel, this.socket, this.parts.idleMs);
      streams = opened;
      this.streams.add(opened);
      const work = this.run({ holder, address: this.address, command, gitProtocol }, opened).finally(() => {
        this.running.delete(work);
        this.streams.delete(opened);
        this.rest();
      });
      this.running.add(work);
      clearTimeout(this.deadline);
    };
    session.on("exec", (accept, _reject, { command }) => run(accept(), command));
    session.on("shell", (accept) => run(accept(), undefined));
  }

  private async run(request: Parameters<SshCommands["run"]>[0], streams: ChannelStreams): Promise<void> {
    try {
      await streams.finish(await this.parts.commands.run(request, streams));
    } catch (error) {
      if (error instanceof ConnectionLost || streams.signal.aborted) return;
      this.parts.log.error("a command over SSH failed", { command: request.command?.slice(0, 200), error });
      try {
        await streams.tell(errorLines("internal server error"));
        await streams.finish(FAILED);
      } catch {
        // It is gone.
      }
    }
  }

  /** With nothing to do it may stay for a while, and is then let go. */
  private rest(): void {
    if (this.running.size > 0) return;
    if (this.isStopping) this.socket.end();
    else this.endIn(this.parts.idleMs);
  }

  private countRekey(): void {
    const now = performance.now();
    this.rekeys = [...this.rekeys.filter((at) => now - at < 60_000), now];
    if (!this.holder || this.rekeys.length > MAX_REKEYS_A_MINUTE) this.socket.destroy();
  }

  private endIn(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.socket.destroy(), ms);
  }
}

const FAILED = 128;

/** Copied at once: what came lies in a buffer that the next packet is read into. */
function offerOf(context: Extract<AuthContext, { method: "publickey" }>): KeyOffer {
  const { blob, key, signature, hashAlgo } = context;
  const offered = { algorithm: key.algo, blob: Uint8Array.from(key.data) };
  if (!signature || !blob) return offered;
  const rsaHash = hashAlgo === "sha256" || hashAlgo === "sha512" ? hashAlgo : undefined;
  return { ...offered, proof: { signed: Uint8Array.from(blob), signature: Uint8Array.from(signature), rsaHash } };
}
