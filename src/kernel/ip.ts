/** IP addresses and ranges, for deciding which clients to trust and which hosts to connect to. */

export interface IpAddress {
  readonly family: 4 | 6;
  /** The address as a 32- or 128-bit number. */
  readonly value: bigint;
}

/** All addresses that share the first `prefix` bits of `base`. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly base: bigint;
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;
const MAPPED_PREFIX = 0xffffn;

/**
 * Parses an address in its standard form: four decimal numbers without leading zeros, or RFC 4291. Octal, hexadecimal
 * and shortened IPv4 forms, which parsers disagree about (security rule D5), and zones (`%eth0`) are rejected. An
 * IPv4-mapped IPv6 address becomes the IPv4 address.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(":")) {
    const value = parseIpv4(text);
    return value === undefined ? undefined : { family: 4, value };
  }
  const value = parseIpv6(text);
  if (value === undefined) return undefined;
  return value >> 32n === MAPPED_PREFIX ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value };
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  const [head, tail] = groups;
  if (!head || (halves.length === 2 && !tail)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...Array<bigint>(tail ? missing : 0).fill(0n), ...(tail ?? [])];
  return all.reduce((value, group) => (value << 16n) | group, 0n);
}

/** @param isLast only the last groups may be in IPv4 notation */
function groupsOf(half: string, isLast: boolean): bigint[] | undefined {
  if (half === "") return [];
  const groups: bigint[] = [];
  const parts = half.split(":");
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else {
      const dotted = isLast && index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (dotted === undefined) return undefined;
      groups.push(dotted >> 16n, dotted & 0xffffn);
    }
  }
  return groups;
}

/** Formats an address in its shortest standard form (RFC 5952). */
export function formatIp({ family, value }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  let [from, length] = [-1, 1];
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0n) end++;
    if (end - start > length) [from, length] = [start, end - start];
  }
  const hex = (part: readonly bigint[]) => part.map((group) => group.toString(16)).join(":");
  return from < 0 ? hex(groups) : `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; bits beyond the prefix are ignored. */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const ip = parseIp(address);
  if (!ip || rest.length > 0) return undefined;
  if (bits === undefined) return rangeFrom(ip, BITS[ip.family]);
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const prefix = Number(bits) - (ip.family === 4 && address.includes(":") ? 96 : 0);
  return prefix < 0 || prefix > BITS[ip.family] ? undefined : rangeFrom(ip, prefix);
}

function rangeFrom({ family, value }: IpAddress, prefix: number): IpRange {
  const shift = BigInt(BITS[family] - prefix);
  return { family, base: (value >> shift) << shift, prefix };
}

export function isInRange({ family, value }: IpAddress, range: IpRange): boolean {
  if (family !== range.family) return false;
  const shift = BigInt(BITS[family] - range.prefix);
  return value >> shift === range.base >> shift;
}

/** Parses these ranges when an address is first looked up in them. */
function ranges(...texts: string[]): () => readonly IpRange[] {
  let read: readonly IpRange[] | undefined;
  return () => {
    read ??= texts.map((text) => {
      const range = parseIpRange(text);
      if (!range) throw new Error(`${text} is no address range`);
      return range;
    });
    return read;
  };
}

const LOOPBACK = ranges("127.0.0.0/8", "::1/128");

/** RFC 1918 and RFC 4193. */
const PRIVATE = ranges("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7");

/**
 * Further ranges in which no public host has its address (contract webhooks.md 4.6, security rule D4): this network,
 * carrier-grade NAT, link-local (cloud metadata), Azure's metadata, protocol assignments, documentation, benchmarks,
 * 6to4, multicast, reserved and broadcast; unspecified and IPv4-compatible, NAT64, discard, Teredo and ORCHID,
 * documentation, SRv6, site-local and multicast. Addresses inside 64:ff9b::/96 and 2002::/16 stand for IPv4 ones.
 */
const RESERVED = ranges(
  ...["0.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "168.63.129.16/32", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
  ...["5f00::/16", "fe80::/10", "fec0::/10", "ff00::/8"],
);

const isInAny = (ip: IpAddress, list: () => readonly IpRange[]): boolean =>
  list().some((range) => isInRange(ip, range));

export const isLoopbackIp = (ip: IpAddress): boolean => isInAny(ip, LOOPBACK);
export const isPrivateIp = (ip: IpAddress): boolean => isInAny(ip, PRIVATE);

/** Whether it is a public host's address. */
export const isExternalIp = (ip: IpAddress): boolean =>
  !isLoopbackIp(ip) && !isPrivateIp(ip) && !isInAny(ip, RESERVED) && isGlobalUnicast(ip);

/** All public IPv6 addresses are in 2000::/3. */
const isGlobalUnicast = ({ family, value }: IpAddress): boolean => family === 4 || value >> 125n === 1n;
