import { clientNetwork } from "../kernel/client-network.ts";
import type { Log } from "../kernel/log.ts";
import { openSockets, type Peer, type Sockets } from "./sockets.ts";

export interface ConnectionLimits {
  /** Connections in all; 0: as many as the descriptors allow. */
  readonly max: number;
  readonly maxPerAddress: number;
  /** Whether an address may have as many as it likes: a reverse proxy. */
  isExempt(address: string): boolean;
}

/** Descriptors for files, worker threads and the database, whatever the connections do. */
const RESERVE = 128;
const MAX_CONNECTIONS = 4096;
/** Files and pipes stand between the descriptors of connections. */
const OTHERS = 512;
const CHECK_MS = 100;
/** Below so many descriptors there is nothing to count. */
const FEW = 48;

/** The connections to end: those of an address beyond its share, then those of whoever has most. */
export function surplus(peers: readonly Peer[], limits: ConnectionLimits, max: number): Peer[] {
  const byNetwork = new Map<string, Peer[]>();
  for (const peer of peers) {
    const network = clientNetwork(peer.address);
    const own = byNetwork.get(network);
    if (own) own.push(peer);
    else byNetwork.set(network, [peer]);
  }
  const ended: Peer[] = [];
  for (const own of byNetwork.values())
    if (!limits.isExempt(own[0]?.address ?? "")) ended.push(...own.splice(limits.maxPerAddress));
  for (let left = peers.length - ended.length; left > max; left--) {
    let largest: Peer[] = [];
    for (const own of byNetwork.values()) if (own.length > largest.length) largest = own;
    const peer = largest.pop();
    if (!peer) break;
    ended.push(peer);
  }
  return ended;
}

/** Ends connections that are too many. It looks ten times a second, and only when many descriptors are in use. */
export class ConnectionWatch {
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly max: number;

  constructor(
    private readonly sockets: Sockets,
    private readonly port: number,
    private readonly limits: ConnectionLimits,
    private readonly log: Log,
  ) {
    const room = Math.max(16, sockets.maxDescriptors - RESERVE);
    this.max = Math.min(limits.max || MAX_CONNECTIONS, room);
    this.timer = setInterval(() => this.check(), CHECK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const free = this.sockets.lowestFree();
    if (free !== undefined && free < FEW) return;
    const end = Math.min(this.sockets.maxDescriptors, this.max + OTHERS);
    const peers = this.sockets.peers(this.port, end);
    const ended = surplus(peers, this.limits, this.max);
    if (ended.length === 0) return;
    for (const { descriptor } of ended) this.sockets.shutDown(descriptor);
    this.log.warn("connections were ended, there were too many", { were: peers.length, ended: ended.length });
  }
}

/** Begins to watch, where the operating system lets us, once the first may have been answered. @returns what stops it */
export function watchConnections(port: number, limits: ConnectionLimits, log: Log): () => void {
  let watch: ConnectionWatch | undefined;
  let stopped = false;
  const begin = () =>
    openSockets()
      .then((sockets) => {
        if (sockets && !stopped) watch = new ConnectionWatch(sockets, port, limits, log);
      })
      .catch((error) => log.warn("connections cannot be counted here", { error }));
  const delay = setTimeout(begin, CHECK_MS);
  return () => {
    stopped = true;
    clearTimeout(delay);
    watch?.stop();
  };
}
