import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { formatIp, parseIp } from "../kernel/ip.ts";
import type { Deadline } from "./deadline.ts";
import { OutboundFailed } from "./errors.ts";
import type { Target } from "./target.ts";

/** One request on its own connection, to a checked address. */
export interface Exchange {
  readonly target: Target;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | ReadableStream<Uint8Array> | undefined;
  readonly deadline: Deadline;
  /** PEM certificates to trust in addition to the system's. */
  readonly ca: string | undefined;
}

const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Sends the request and waits for the head of the response. The body is sent as fast as the connection takes it.
 * @throws OutboundFailed
 */
export async function exchange(given: Exchange): Promise<IncomingMessage> {
  const { target, deadline } = given;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  deadline.touch();
  const request = await open(given, resolve);
  const abort = () => request.destroy(deadline.signal.reason);
  deadline.signal.addEventListener("abort", abort, { once: true });
  // After the head, errors are reported to the reader through the response.
  request.on("error", (error) => reject(failureOf(error, target, deadline)));
  request.on("socket", (socket) =>
    socket.on("connect", () => {
      const peer = parseIp(socket.remoteAddress ?? "");
      if (!peer || !target.addresses.some((ip) => ip.family === peer.family && ip.value === peer.value))
        request.destroy(new OutboundFailed("forbidden", target.host, socket.remoteAddress));
      deadline.touch();
    }),
  );
  request.on("close", () => deadline.signal.removeEventListener("abort", abort));
  void send(request, given).catch((error) =>
    request.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return promise;
}

async function open(given: Exchange, onAnswer: (answer: IncomingMessage) => void): Promise<ClientRequest> {
  const { target, method, headers, ca } = given;
  const { url, host, addresses } = target;
  const [first] = addresses;
  const secure = url.protocol === "https:";
  const { request } = secure ? await import("node:https") : await import("node:http");
  // The connection's only resolver: it returns nothing but the checked addresses.
  const lookup: LookupFunction = (_host, options, done) => {
    const found = addresses.map((ip) => ({ address: formatIp(ip), family: ip.family }));
    if (options.all) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  };
  try {
    return request(
      {
        // A separate connection, without proxy: an agent could reuse one made under another check.
        agent: false,
        protocol: url.protocol,
        host: first && parseIp(host) ? formatIp(first) : host,
        port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method,
        headers: Object.fromEntries(headers),
        lookup,
        maxHeaderSize: MAX_HEADER_BYTES,
        ...(secure ? { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) } : {}),
      },
      onAnswer,
    );
  } catch (error) {
    throw failureOf(error, target, given.deadline);
  }
}

async function send(request: ClientRequest, { body, deadline }: Exchange): Promise<void> {
  if (!(body instanceof ReadableStream)) {
    request.end(body);
    return;
  }
  const reader = body.getReader();
  const drained = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        request.off("drain", done).off("close", done);
        resolve();
      };
      request.on("drain", done).on("close", done);
    });
  try {
    for (;;) {
      deadline.pause();
      const { done, value } = await reader.read();
      deadline.touch();
      if (done || request.destroyed) break;
      if (!request.write(value)) await drained();
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  request.end();
}

/** In our terms, with neither path nor credentials. */
export function failureOf(error: unknown, { host }: Target, { signal }: Deadline): OutboundFailed {
  if (error instanceof OutboundFailed) return error;
  if (signal.aborted && signal.reason instanceof OutboundFailed) return signal.reason;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_INVALID_CHAR" || code === "ERR_INVALID_HTTP_TOKEN" || code === "ERR_UNESCAPED_CHARACTERS")
    return new OutboundFailed("bad-url", host, code);
  return new OutboundFailed(/CERT|TLS|SSL|ISSUER|SELF_SIGNED/.test(code) ? "untrusted" : "unreachable", host, code);
}
