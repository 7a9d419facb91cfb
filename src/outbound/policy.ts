import {
  formatIp,
  type IpAddress,
  type IpRange,
  isExternalIp,
  isInRange,
  isLoopbackIp,
  isPrivateIp,
  parseIpRange,
} from "../kernel/ip.ts";

/** Where the server may connect to: the setting `network.allow` (contract webhooks.md 4.6). */
export class NetworkPolicy {
  private readonly words: ReadonlySet<string>;
  private readonly ranges: readonly IpRange[];
  private readonly names: readonly Bun.Glob[];

  /** @param entries `external`, `private`, `loopback`, ranges, and patterns of host names or written addresses */
  constructor(entries: readonly string[]) {
    const lower = entries.map((entry) => entry.toLowerCase());
    this.words = new Set(lower);
    this.ranges = lower.map(parseIpRange).filter((range) => range !== undefined);
    this.names = lower.filter((entry) => !WORDS.has(entry) && !parseIpRange(entry)).map((name) => new Bun.Glob(name));
  }

  /**
   * Whether a host may be connected to whatever its name resolves to. @param host in lower case, without port or
   * brackets
   */
  allowsHost(host: string): boolean {
    const name = host.replace(/\.$/, "");
    return this.names.some((pattern) => pattern.match(name));
  }

  allowsAddress(ip: IpAddress): boolean {
    return (
      (this.words.has("external") && isExternalIp(ip)) ||
      (this.words.has("private") && isPrivateIp(ip)) ||
      (this.words.has("loopback") && isLoopbackIp(ip)) ||
      this.ranges.some((range) => isInRange(ip, range)) ||
      this.allowsHost(formatIp(ip))
    );
  }
}

const WORDS = new Set(["external", "private", "loopback"]);
