import type { ProtocolVersion, Service } from "../transport/protocol.ts";
import type { PacketReader } from "../wire/pktline.ts";

/**
 * A service of another server, once it was reached. Over HTTP every request stands alone; over a connection (git://,
 * ssh) all of them share one stream, and the reader that is given is always the same.
 */
export interface Conversation {
  /** What the service says first: refs and capabilities. */
  readonly greeting: PacketReader;
  readonly isStateless: boolean;
  /** Sends a request and gives the reader that its answer comes from. */
  ask(request: Uint8Array | AsyncIterable<Uint8Array>): Promise<PacketReader>;
  /** Ends it, whatever has not been read yet. Calling it twice is fine. */
  close(): Promise<void>;
}

/** A way to one repository on another server. */
export interface RemoteTransport {
  /** Reaches the service and asks it to speak that version; it may speak an older one. */
  open(service: Service, version: ProtocolVersion): Promise<Conversation>;
}
