import { createServer, type Server as NetServer, type Socket } from "node:net";
import { type Algorithms, type Connection as Client, Server } from "ssh2";
import { clientNetwork } from "../kernel/client-network.ts";
import { RateLimiter } from "../kernel/rate-limiter.ts";
import { HEARTH_VERSION } from "../version.ts";
import { type ConnectionParts, SshConnection } from "./connection.ts";

export interface ListenerParts extends ConnectionParts {
  readonly hostKeys: readonly string[];
  readonly clock: () => number;
  readonly maxConnections: number;
  readonly maxPerAddress: number;
}

/** Agreeing on keys costs milliseconds: so many an address may begin without showing a good one, and as many a minute. */
const UNPROVEN_A_MINUTE = 120;

/**
 * No SHA-1, no numbers so large that they keep the thread, nothing that compresses what is compressed (security rule K4).
 * Strict key exchange is always on.
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

/** A client that answers nothing for four of these is gone. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVES = 4;

/** Takes connections, as many as there may be, and hands each to the protocol. Loaded where the server listens. */
export class SshListener {
  private readonly sockets: NetServer;
  private readonly protocol: Server;
  private readonly open = new Map<Socket, SshConnection>();
  private readonly byNetwork = new Map<string, number>();
  private readonly unproven: RateLimiter;

  constructor(private readonly parts: ListenerParts) {
    this.unproven = new RateLimiter(parts.clock, { limit: UNPROVEN_A_MINUTE, windowMs: 60_000 });
    this.protocol = new Server(
      {
        hostKeys: [...parts.hostKeys],
        algorithms: ALGORITHMS,
        ident: `hearth_${HEARTH_VERSION}`,
        keepaliveInterval: KEEPALIVE_MS,
        keepaliveCountMax: KEEPALIVES,
      },
      (client: Client & { readonly _sock?: Socket }) => {
        const connection = client._sock && this.open.get(client._sock);
        if (connection) connection.attach(client);
        else client.end();
      },
    );
    this.protocol.on("error", () => {});
    this.sockets = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.accept(socket));
  }

  /** @returns the port @throws what the system says */
  listen({ hostname, port }: { readonly hostname: string; readonly port: number }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.sockets.once("error", reject);
      this.sockets.listen(port, hostname, () => {
        this.sockets.off("error", reject);
        this.sockets.on("error", (error) => this.parts.log.warn("a connection over SSH was not taken", { error }));
        const address = this.sockets.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  get connections(): number {
    return this.open.size;
  }

  /** Takes no one new; what runs may end until there is no more time. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.sockets.close();
    await Promise.all([...this.open.values()].map((connection) => connection.stop(deadline)));
  }

  private accept(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const network = clientNetwork(address);
    socket.on("error", () => {});
    if (address === "" || !this.hasRoom(network)) {
      socket.destroy();
      return;
    }
    const connection = new SshConnection(socket, address, this.parts, () => this.unproven.forget(network));
    this.open.set(socket, connection);
    this.byNetwork.set(network, (this.byNetwork.get(network) ?? 0) + 1);
    socket.on("close", () => {
      this.open.delete(socket);
      const left = (this.byNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.byNetwork.set(network, left);
      else this.byNetwork.delete(network);
    });
    this.protocol.injectSocket(socket);
  }

  private hasRoom(network: string): boolean {
    const { maxConnections, maxPerAddress } = this.parts;
    if (this.open.size >= maxConnections || (this.byNetwork.get(network) ?? 0) >= maxPerAddress) return false;
    return this.unproven.tryTake(network) === 0;
  }
}
