import { Buffers } from "./byte-sender.ts";
import { type FromThread, handedOver, type ToThread } from "./messages.ts";
import { ProtocolClient } from "./protocol/client.ts";
import { openProtocol } from "./protocol/server.ts";

/** The SSH thread for all clients: packets, ciphers, windows. Started and controlled by `thread.ts`. */

declare const self: Worker;

const buffers = new Buffers();
const clients = new Map<number, ProtocolClient>();
let protocol: ReturnType<typeof openProtocol> | undefined;

/** Each packet leaves garbage, encrypted and not: the runtime would let hundreds of megabytes accumulate. */
const GARBAGE_BYTES = 8 * 1024 * 1024;
let passedBytes = 0;

function collectGarbage(bytes: number): void {
  passedBytes += bytes;
  if (passedBytes < GARBAGE_BYTES) return;
  passedBytes = 0;
  Bun.gc(true);
}

self.onmessage = ({ data: message }: MessageEvent<ToThread>) => {
  switch (message.kind) {
    case "begin":
      protocol = openProtocol(message.hostKeys);
      break;
    case "open": {
      const { connection } = message;
      const client = new ProtocolClient(buffers, (said) => {
        const bytes = said.kind === "send" ? said.chunk.byteLength : 0;
        self.postMessage({ connection, said } satisfies FromThread, handedOver(said));
        collectGarbage(bytes);
      });
      clients.set(connection, client);
      protocol?.take(client);
      break;
    }
    case "client": {
      const { connection, said } = message;
      const client = clients.get(connection);
      try {
        client?.hear(said);
      } catch {
        // An error about one client must not end the others.
        client?.socket.destroy();
      }
      if (said.kind === "closed") clients.delete(connection);
      if (said.kind === "received") collectGarbage(said.chunk.byteLength);
      break;
    }
    case "stop":
      for (const client of clients.values()) client.stop();
  }
};
