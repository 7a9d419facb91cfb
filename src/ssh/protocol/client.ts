import type { AuthContext, Connection, ServerChannel, Session } from "ssh2";
import type { KeyOffer } from "../../keys/ssh/offer.ts";
import type { Buffers } from "../byte-sender.ts";
import type { FromClient, ToClient } from "../messages.ts";
import { ProtocolChannel } from "./channel.ts";
import { RemoteSocket } from "./socket.ts";

/** The remaining methods offered to the client: only keys are accepted (security rule K2). */
const METHODS: ("publickey" | "password")[] = ["publickey"];
/** Concurrent commands per connection; git and its helpers share one if configured to. */
const MAX_SESSIONS = 8;
/** Keys are normally renegotiated after a gigabyte or an hour: constant renegotiation is an attack. */
const MAX_REKEYS_A_MINUTE = 30;
/** Three channel windows: one is full, and another was granted. Sending more violates the protocol. */
const MAX_HELD_BYTES = 6 * 1024 * 1024;
/** Responses that wait because the client does not read. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** A client may request tiny or empty packets, which would mean an endless loop. */
const MIN_PACKET_BYTES = 512;
/** `version=2` and possible additions. */
const MAX_VARIABLE_CHARACTERS = 256;

/** Undeclared parts of the library's channel towards the client. */
interface Outgoing {
  readonly packetSize: number;
}

/** A client at the level of the protocol. */
export class ProtocolClient {
  readonly socket: RemoteSocket;
  private readonly channels = new Map<number, ProtocolChannel>();
  private opened = 0;
  private sessions = 0;
  private rekeys: number[] = [];
  private isSignedIn = false;
  private isStopping = false;
  /** The pending authentication request. */
  private undecided: AuthContext | undefined;

  constructor(
    private readonly buffers: Buffers,
    private readonly post: (said: FromClient) => void,
  ) {
    this.socket = new RemoteSocket(buffers, post);
    this.socket.on("error", () => {});
  }

  /** Called once the client has identified itself as an SSH client. */
  attach(client: Connection): void {
    client.on("error", () => {});
    client.on("handshake", ({ serverHostKey }) => {
      // A SHA-1 signature is no longer proof.
      if (serverHostKey === "ssh-rsa") this.socket.destroy();
      else this.post({ kind: "agreed" });
    });
    client.on("rekey", () => this.countRekey());
    client.on("authentication", (context) => {
      this.undecided = context;
      const offer = context.method === "publickey" ? offerOf(context) : undefined;
      this.post({ kind: "offered", user: context.username, offer });
    });
    client.on("ready", () => {
      this.isSignedIn = true;
    });
    client.on("session", (accept, reject) => {
      if (this.sessions >= MAX_SESSIONS || this.isStopping) return reject();
      this.sessions++;
      this.serve(accept());
    });
  }

  hear(said: ToClient): void {
    switch (said.kind) {
      case "received": {
        this.socket.receive(said.chunk);
        const held = [...this.channels.values()].some(({ heldBytes }) => heldBytes > MAX_HELD_BYTES);
        if (held || this.socket.unsentBytes > MAX_UNSENT_BYTES) this.socket.destroy();
        break;
      }
      case "taken":
        this.socket.taken(said);
        break;
      case "closed":
        this.socket.destroy();
        break;
      case "decided": {
        const context = this.undecided;
        this.undecided = undefined;
        if (said.isGood) context?.accept();
        else context?.reject(METHODS);
        break;
      }
      case "channel":
        this.channels.get(said.channel)?.hear(said.said);
    }
  }

  /** Accept no further sessions. */
  stop(): void {
    this.isStopping = true;
  }

  private serve(session: Session): void {
    let gitProtocol: string | undefined;
    let opened: ProtocolChannel | undefined;
    session.on("env", (accept, reject, { key, val }) => {
      const isKnown = key === "GIT_PROTOCOL" && val.length <= MAX_VARIABLE_CHARACTERS;
      if (isKnown) gitProtocol = val;
      // The functions exist only if the client wants a reply.
      (isKnown ? accept : reject)?.();
    });
    session.on("eof", () => opened?.markEnd());
    session.on("close", () => {
      this.sessions--;
    });
    const run = (channel: ServerChannel, command: string | undefined) => {
      const { packetSize } = channel.outgoing as Outgoing;
      if (packetSize < MIN_PACKET_BYTES) {
        this.socket.destroy();
        return;
      }
      const number = ++this.opened;
      opened = new ProtocolChannel(channel, this.socket, this.buffers, (said) => {
        this.post({ kind: "channel", channel: number, said });
        if (said.kind === "closed") this.channels.delete(number);
      });
      this.channels.set(number, opened);
      this.post({ kind: "channel", channel: number, said: { kind: "opened", command, gitProtocol } });
    };
    session.on("exec", (accept, _reject, { command }) => run(accept(), command));
    session.on("shell", (accept) => run(accept(), undefined));
  }

  private countRekey(): void {
    const now = performance.now();
    this.rekeys = [...this.rekeys.filter((at) => now - at < 60_000), now];
    if (!this.isSignedIn || this.rekeys.length > MAX_REKEYS_A_MINUTE) this.socket.destroy();
  }
}

/** Copied at once: the next packet is read into the same buffer. */
function offerOf(context: Extract<AuthContext, { method: "publickey" }>): KeyOffer {
  const { blob, key, signature, hashAlgo } = context;
  const offered = { algorithm: key.algo, blob: Uint8Array.from(key.data) };
  if (!signature || !blob) return offered;
  const rsaHash = hashAlgo === "sha256" || hashAlgo === "sha512" ? hashAlgo : undefined;
  return { ...offered, proof: { signed: Uint8Array.from(blob), signature: Uint8Array.from(signature), rsaHash } };
}
