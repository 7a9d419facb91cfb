import type { Conversation, RemoteTransport } from "../git/client/conversation.ts";
import type { ProtocolVersion, Service } from "../git/transport/protocol.ts";
import { PacketReader, packet } from "../git/wire/pktline.ts";
import type { OutboundClient } from "../outbound/client.ts";
import type { OutboundConnection } from "../outbound/connection.ts";
import { GIT_PORT, type RemoteAddress } from "./address.ts";
import type { RemoteLimits } from "./limits.ts";

/** `git://` (gitprotocol-pack, "Git Transport"): a connection without credentials or encryption. */
export class DaemonTransport implements RemoteTransport {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly address: RemoteAddress,
    private readonly limits: RemoteLimits,
    private readonly signal: AbortSignal,
  ) {}

  async open(service: Service, version: ProtocolVersion): Promise<Conversation> {
    const url = new URL(this.address.url);
    const connection = await this.outbound.connect({
      host: url.hostname,
      port: url.port === "" ? GIT_PORT : Number(url.port),
      timeoutMs: this.limits.timeoutMs,
      idleMs: this.limits.idleMs,
      signal: this.signal,
    });
    const asked = version === 0 ? "" : `\0version=${version}\0`;
    const path = decodeURIComponent(url.pathname);
    try {
      await connection.write(packet(`${service} ${path}\0host=${url.host}\0${asked}`));
    } catch (error) {
      connection.close();
      throw error;
    }
    const reader = new PacketReader(connection.input);
    return {
      greeting: reader,
      isStateless: false,
      ask: async (request) => {
        await send(connection, request);
        return reader;
      },
      close: async () => connection.close(),
    };
  }
}

async function send(connection: OutboundConnection, request: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  if (request instanceof Uint8Array) return connection.write(request);
  for await (const piece of request) await connection.write(piece);
}
