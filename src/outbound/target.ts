import { formatIp, type IpAddress, parseIp } from "../kernel/ip.ts";
import { OutboundFailed } from "./errors.ts";
import type { NetworkPolicy } from "./policy.ts";

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The destination of one request, decided before anything is sent. */
export interface Target {
  readonly url: URL;
  /** The host without brackets, in lower case. */
  readonly host: string;
  /** The checked addresses; the connection is made to one of these and no other. */
  readonly addresses: readonly IpAddress[];
}

/** The system's resolver, including the hosts file and other configured sources. */
export const systemResolver: Resolve = async (host) =>
  (await Bun.dns.lookup(host, { backend: "getaddrinfo" })).map(({ address }) => address);

const CONTROL = /[\u0000-\u0020\u007f]/;

/**
 * Parses an address to call. Refuses anything that another parser could read as a different host (security rules D5,
 * D11): user names, backslashes, control characters and their escapes in the path, and IPv4 addresses in forms other
 * than four plain decimal numbers.
 * @param base for a redirect, which may be relative
 * @throws OutboundFailed bad-url
 */
export function parseTarget(text: string, base?: URL): URL {
  const bad = (host: string, detail: string) => new OutboundFailed("bad-url", host, detail);
  if (CONTROL.test(text) || text.includes("\\")) throw bad("", "control characters");
  if (!URL.canParse(text, base?.href)) throw bad("", "not an address");
  const url = new URL(text, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw bad(url.hostname, "neither http nor https");
  if (url.username !== "" || url.password !== "") throw bad(url.hostname, "credentials in the address");
  const authority = /^(?:[a-z]+:)?\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined && (base === undefined || /^[a-z][a-z0-9+.-]*:/i.test(text)))
    throw bad(url.hostname, "not an address");
  const written = authority?.replace(/:\d*$/, "").toLowerCase();
  if (written !== undefined && parseIp(url.hostname)?.family === 4 && written !== url.hostname)
    throw bad(url.hostname, "an address in another form than four decimal numbers");
  if (CONTROL.test(unescaped(url.pathname).replaceAll(" ", ""))) throw bad(url.hostname, "control characters");
  url.hash = "";
  return url;
}

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Resolves the host once and checks every address: a single forbidden one refuses the host, because which one would
 * be dialled is not our choice (security rule D3).
 * @throws OutboundFailed forbidden, unresolved
 */
export async function resolveTarget(url: URL, policy: NetworkPolicy, resolve: Resolve): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const addresses = await addressesOf(host, resolve);
  if (!policy.allowsHost(host)) {
    const forbidden = addresses.find((ip) => !policy.allowsAddress(ip));
    if (forbidden) throw new OutboundFailed("forbidden", host, formatIp(forbidden));
  }
  return { url, host, addresses };
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly IpAddress[]> {
  const literal = parseIp(host);
  if (literal) return [literal];
  let found: readonly string[];
  try {
    found = await resolve(host);
  } catch {
    throw new OutboundFailed("unresolved", host);
  }
  const addresses = found.map((text) => parseIp(text.replace(/%.*$/, "")));
  const known = addresses.filter((ip) => ip !== undefined);
  if (known.length === 0 || known.length < addresses.length) throw new OutboundFailed("unresolved", host);
  return known;
}
