import { createServer, type Server as NetServer, type Socket } from "node:net";
import { clientNetwork } from "../kernel/client-network.ts";
import { RateLimiter } from "../kernel/rate-limiter.ts";
import { type ConnectionParts, SshConnection } from "./connection.ts";
import { SshThread, type ThreadParts } from "./thread.ts";

export interface ListenerParts extends ConnectionParts, ThreadParts {
  readonly maxConnections: number;
  readonly maxPerAddress: number;
}

/**
 * A key exchange costs milliseconds: limits, per address, connections without successful authentication, as a burst
 * and per minute.
 */
const UNPROVEN_A_MINUTE = 120;

/** Accepts connections, up to the limit. Loaded only if the server listens. */
export class SshListener {
  private readonly sockets: NetServer;
  private readonly thread: SshThread;
  private readonly open = new Map<Socket, SshConnection>();
  private readonly byNetwork = new Map<string, number>();
  private readonly unproven = new RateLimiter({ limit: UNPROVEN_A_MINUTE, windowMs: 60_000 });

  constructor(private readonly parts: ListenerParts) {
    this.thread = new SshThread(parts);
    this.sockets = createServer({ noDelay: true }, (socket) => this.accept(socket));
  }

  /** @returns the port @throws what the system reports */
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

  /** Accepts no new connections; running commands may finish before the deadline. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.sockets.close();
    this.thread.refuseSessions();
    await Promise.all([...this.open.values()].map((connection) => connection.stop(deadline)));
    this.thread.end();
  }

  private accept(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const network = clientNetwork(address);
    socket.on("error", () => {});
    if (address === "" || !this.hasRoom(network)) {
      socket.destroy();
      return;
    }
    const connection = new SshConnection(socket, address, this.parts, this.thread, () => this.unproven.forget(network));
    this.open.set(socket, connection);
    this.byNetwork.set(network, (this.byNetwork.get(network) ?? 0) + 1);
    socket.on("close", () => {
      this.open.delete(socket);
      const left = (this.byNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.byNetwork.set(network, left);
      else this.byNetwork.delete(network);
    });
  }

  private hasRoom(network: string): boolean {
    const { maxConnections, maxPerAddress } = this.parts;
    if (this.open.size >= maxConnections || (this.byNetwork.get(network) ?? 0) >= maxPerAddress) return false;
    return this.thread.hasRoom && this.unproven.tryTake(network) === 0;
  }
}
