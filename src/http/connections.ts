import { clientNetwork } from "../kernel/client-network.ts";
import type { Log } from "../kernel/log.ts";
import { openSockets, type Peer, type Sockets } from "./sockets.ts";

export interface ConnectionLimits {
  /** Total connections; 0 means as many as the descriptor limit allows. */
  readonly max: number;
  readonly maxPerAddress: number;
  /** Whether an address may open any number of connections, as a reverse proxy may. */
  isExempt(address: string): boolean;
}

/** Descriptors set aside for files, worker threads and the database, however many connections there are. */
const RESERVE = 128;
const MAX_CONNECTIONS = 4096;
/** Allowance for files and pipes whose descriptors lie between those of connections. */
const OTHERS = 512;
const CHECK_MS = 100;
/** Below this many descriptors there is nothing to count. */
const FEW = 48;

/** Returns the connections to end: those of an address beyond its share, then those of the addresses with the most. */
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

/** Ends excess connections. Checks ten times a second, and only while many descriptors are in use. */
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

/**
 * Starts the watch where the operating system supports it, once the first connection may have been answered.
 * @returns a function that stops it
 */
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
