import type { IncomingMessage } from "node:http";
import { formatIp } from "../kernel/ip.ts";
import { HEARTH_VERSION } from "../version.ts";
import { connect, type OutboundConnection } from "./connection.ts";
import { Deadline, type Limits } from "./deadline.ts";
import { OutboundFailed } from "./errors.ts";
import { exchange, failureOf } from "./exchange.ts";
import { NetworkPolicy } from "./policy.ts";
import { parseTarget, type Resolve, resolveTarget, systemResolver, type Target } from "./target.ts";

export interface OutboundRequest extends Partial<Limits> {
  /** http or https, without user name and password. */
  readonly url: string;
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Authentication headers: sent only to the scheme, host and port of `url`, whatever redirects follow. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** A stream is sent chunked unless `headers` has its `content-length`, and only once: it cannot follow redirects. */
  readonly body?: Uint8Array | ReadableStream<Uint8Array>;
  /**
   * How many redirects are followed, at most 5, each checked like the first address. Default: none, the 3xx is
   * returned.
   */
  readonly redirects?: number;
  /** Maximum size of the body. Default: 1 MiB; `Infinity` for streams that end in a file. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The final address, after redirects. */
  readonly url: URL;
  /**
   * Read at the reader's pace; fails with OutboundFailed if it is too large, breaks off or takes too long. Must be
   * read to its end or cancelled: until then it holds a connection.
   */
  readonly body: ReadableStream<Uint8Array>;
}

export interface OutboundAddress extends Limits {
  /** Name or address, IPv6 in brackets; without a port. */
  readonly host: string;
  readonly port: number;
  readonly signal?: AbortSignal;
}

export interface OutboundOptions {
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
  /** PEM certificates to trust in addition to the system's. */
  readonly ca?: string;
}

const MAX_REDIRECTS = 5;
const DEFAULT_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_IDLE_MS = 10_000;
/**
 * Dropped with the credentials when a redirect leaves the first origin, in case a caller passed them as regular
 * headers.
 */
const CREDENTIAL_HEADERS = ["authorization", "cookie", "proxy-authorization"];
/** Set by the connection itself. */
const OWN_HEADERS = ["host", "connection", "transfer-encoding", "upgrade", "te", "trailer", "expect"];

/**
 * The only outbound HTTP client, for webhooks, mirrors and imports. A host is resolved once, every address is
 * checked against the policy, and the connection goes to an address that was checked: no rebinding. Proxies of the
 * environment are not used. Errors and logs never see more of a URL than its host.
 */
export class OutboundClient {
  private readonly policy: NetworkPolicy;

  constructor(private readonly options: OutboundOptions) {
    this.policy = new NetworkPolicy(options.allow);
  }

  /**
   * Sends one request and resolves with the head of the response, whatever its status.
   * @throws OutboundFailed
   */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const first = parseTarget(request.url);
    const limits = {
      timeoutMs: request.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      idleMs: request.idleMs ?? DEFAULT_IDLE_MS,
    };
    const deadline = new Deadline(first.hostname, limits, request.signal);
    try {
      return await this.follow(request, first, deadline);
    } catch (error) {
      deadline.end();
      if (request.body instanceof ReadableStream && !request.body.locked) await request.body.cancel().catch(() => {});
      throw error;
    }
  }

  /**
   * Connects to a host and port, as written in an address of any scheme, under the same policy.
   * @throws OutboundFailed
   */
  async connect(address: OutboundAddress): Promise<OutboundConnection> {
    const url = parseTarget(`http://${address.host}/`);
    const resolve = this.options.resolve ?? systemResolver;
    const target = await resolveTarget(url, this.policy, resolve);
    return connect(target, address.port, address, address.signal);
  }

  /**
   * The checked addresses of a host: for a client that connects itself, to one of these and no other.
   * @throws OutboundFailed
   */
  async addressesOf(host: string): Promise<readonly string[]> {
    const url = parseTarget(`http://${host.includes(":") ? `[${host}]` : host}/`);
    const target = await resolveTarget(url, this.policy, this.options.resolve ?? systemResolver);
    return target.addresses.map((ip) => formatIp(ip));
  }

  /**
   * For validating addresses before storing them; they are checked again on use. @throws OutboundFailed the address
   * may not be called
   * @throws OutboundFailed the address could not be called; for checking what is saved. It is checked again when it
   * is called.
   */
  async check(url: string): Promise<void> {
    await resolveTarget(parseTarget(url), this.policy, this.options.resolve ?? systemResolver);
  }

  private async follow(request: OutboundRequest, first: URL, deadline: Deadline): Promise<OutboundResponse> {
    const allowed = Math.min(request.redirects ?? 0, MAX_REDIRECTS);
    let url = first;
    let method = (request.method ?? "GET").toUpperCase();
    let body = request.body;
    // Once left, never considered home again: another host chose that address.
    let isHome = true;
    for (let redirects = 0; ; redirects++) {
      deadline.touch();
      const resolve = this.options.resolve ?? systemResolver;
      const target = await deadline.race(resolveTarget(url, this.policy, resolve));
      const headers = headersFor(request, url, isHome, body);
      const answer = await exchange({ target, method, headers, body, deadline, ca: this.options.ca });
      const status = answer.statusCode ?? 0;
      const location = answer.headers.location;
      if (allowed === 0 || location === undefined || ![301, 302, 303, 307, 308].includes(status))
        return responseOf(answer, target, deadline, method === "HEAD" ? Infinity : (request.maxBytes ?? DEFAULT_BYTES));
      answer.destroy();
      const bad = (detail: string) => new OutboundFailed("bad-redirect", url.hostname, detail);
      if (redirects === allowed) throw bad("too many");
      url = parseTarget(location, url);
      isHome &&= url.origin === first.origin;
      if (method !== "GET" && method !== "HEAD" && status <= 303) [method, body] = ["GET", undefined];
      if (body instanceof ReadableStream) throw bad("the body was sent already");
    }
  }
}

/** @param isHome whether it goes to the origin that the credentials are for */
function headersFor(request: OutboundRequest, url: URL, isHome: boolean, body: OutboundRequest["body"]): Headers {
  const headers = new Headers({
    "user-agent": `Hearth/${HEARTH_VERSION}`,
    accept: "*/*",
    "accept-encoding": "identity",
  });
  try {
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    if (!isHome) for (const name of CREDENTIAL_HEADERS) headers.delete(name);
    if (isHome) for (const [name, value] of Object.entries(request.credentials ?? {})) headers.set(name, value);
  } catch {
    // The runtime's message would repeat the value.
    throw new OutboundFailed("bad-url", url.hostname, "a header that cannot be sent");
  }
  for (const name of OWN_HEADERS) headers.delete(name);
  headers.set("host", url.host);
  headers.set("connection", "close");
  if (body instanceof Uint8Array) headers.set("content-length", String(body.byteLength));
  else if (body === undefined) {
    headers.delete("content-length");
    headers.delete("content-type");
  }
  return headers;
}

function responseOf(answer: IncomingMessage, target: Target, deadline: Deadline, maxBytes: number): OutboundResponse {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const tooLarge = () => new OutboundFailed("too-large", target.host, `${maxBytes} bytes`);
  const end = () => {
    deadline.end();
    answer.destroy();
  };
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    end();
    throw tooLarge();
  }
  const chunks: AsyncIterator<unknown> = answer[Symbol.asyncIterator]();
  let size = 0;
  deadline.pause();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        deadline.touch();
        try {
          const { done, value } = await deadline.race(chunks.next());
          deadline.pause();
          if (done) {
            if (!answer.complete) throw new OutboundFailed("unreachable", target.host, "the answer broke off");
            end();
            controller.close();
            return;
          }
          if (!(value instanceof Uint8Array)) throw new Error("a socket gave something else than bytes");
          size += value.byteLength;
          if (size > maxBytes) throw tooLarge();
          controller.enqueue(value);
        } catch (error) {
          end();
          controller.error(failureOf(error, target, deadline));
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return { status: answer.statusCode ?? 0, headers, url: target.url, body };
}
