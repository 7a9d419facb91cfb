import type { Duplex } from "node:stream";
import { type Algorithms, type Connection, Server } from "ssh2";
import { HEARTH_VERSION } from "../../version.ts";
import type { ProtocolClient } from "./client.ts";

/**
 * No SHA-1, no primes large enough to block the thread, no compression of compressed data (security rule K4). Strict
 * key exchange is always on.
 */
const ALGORITHMS: Algorithms = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
  ],
  cipher: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"],
  serverHostKey: [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
  ],
  compress: ["none"],
};

/** A client that misses four of these is gone. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVES = 4;

/** The library declares that it takes sockets, but accepts any duplex stream. */
interface Injected {
  injectSocket(socket: Duplex): void;
}

/**
 * The SSH protocol. Loaded in its own thread because it is large.
 * @param hostKeys private keys in OpenSSH's form or PEM
 */
export function openProtocol(hostKeys: readonly string[]): { take(client: ProtocolClient): void } {
  const clients = new WeakMap<object, ProtocolClient>();
  const server = new Server(
    {
      hostKeys: [...hostKeys],
      algorithms: ALGORITHMS,
      ident: `hearth_${HEARTH_VERSION}`,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: KEEPALIVES,
    },
    // Called for a client that has identified itself as an SSH client.
    (connection: Connection & { readonly _sock?: object }) => {
      const client = connection._sock && clients.get(connection._sock);
      if (client) client.attach(connection);
      else connection.end();
    },
  );
  server.on("error", () => {});
  return {
    take: (client) => {
      clients.set(client.socket, client);
      (server as Injected).injectSocket(client.socket);
    },
  };
}
