import {
  formatIp,
  type IpAddress,
  type IpRange,
  isInRange,
  isLoopbackIp,
  isPrivateIp,
  parseIp,
  parseIpRange,
} from "../kernel/ip.ts";

/** More hops than any proxy chain has. */
const MAX_HOPS = 32;

/** Determines the client address of a request forwarded by a reverse proxy (setting `proxy.trusted`). */
export class TrustedProxies {
  private readonly ranges: readonly IpRange[];
  private readonly words: ReadonlySet<string>;

  /** @param entries addresses, ranges (`10.0.0.0/8`), `private`, `loopback` */
  constructor(entries: readonly string[]) {
    this.ranges = entries.map(parseIpRange).filter((range) => range !== undefined);
    this.words = new Set(entries.map((entry) => entry.toLowerCase()));
  }

  /**
   * The client's address. Each proxy appends the address it was called from, so the list is read from its end for as
   * long as the hops are trusted; anything before an untrusted or unreadable entry may be forged.
   * @param peer the address of the connection
   * @param forwardedFor the X-Forwarded-For header
   */
  clientAddress(peer: string, forwardedFor: string | null): string {
    const connected = parseIp(peer);
    if (!connected) return peer;
    let client = connected;
    const hops = forwardedFor?.split(",").slice(-MAX_HOPS).reverse() ?? [];
    for (const hop of hops) {
      if (!this.isTrusted(client)) break;
      const before = parseHop(hop.trim());
      if (!before) break;
      client = before;
    }
    return formatIp(client);
  }

  /** Whether this is the address of a trusted proxy. */
  has(address: string): boolean {
    const parsed = parseIp(address);
    return parsed !== undefined && this.isTrusted(parsed);
  }

  private isTrusted(ip: IpAddress): boolean {
    return (
      this.ranges.some((range) => isInRange(ip, range)) ||
      (this.words.has("private") && isPrivateIp(ip)) ||
      (this.words.has("loopback") && isLoopbackIp(ip))
    );
  }
}

/** Parses an address as proxies write it: some append a port, in which case IPv6 has brackets. */
function parseHop(text: string): IpAddress | undefined {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text);
  if (bracketed) return parseIp(bracketed[1] ?? "");
  return parseIp(/^[^:]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(":")) : text);
}
