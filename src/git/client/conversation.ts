import type { ProtocolVersion, Service } from "../transport/protocol.ts";
import type { PacketReader } from "../wire/pktline.ts";

/**
 * An open session with a service of a remote. Over HTTP every request is independent; over a connection (git://, ssh)
 * all of them share one stream, and the same reader is returned every time.
 */
export interface Conversation {
  /** What the service sends first: refs and capabilities. */
  readonly greeting: PacketReader;
  readonly isStateless: boolean;
  /** Sends a request and returns the reader of its response. */
  ask(request: Uint8Array | AsyncIterable<Uint8Array>): Promise<PacketReader>;
  /** Closes it, even if there is unread data. May be called twice. */
  close(): Promise<void>;
}

/** A way to reach one repository on a remote. */
export interface RemoteTransport {
  /** Connects to the service and requests that protocol version; the service may use an older one. */
  open(service: Service, version: ProtocolVersion): Promise<Conversation>;
}
