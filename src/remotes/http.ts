import type { Conversation, RemoteTransport } from "../git/client/conversation.ts";
import { trimEndOf } from "../git/text-ends.ts";
import type { ProtocolVersion, Service } from "../git/transport/protocol.ts";
import { PacketReader } from "../git/wire/pktline.ts";
import type { OutboundClient, OutboundResponse } from "../outbound/client.ts";
import type { RemoteAddress } from "./address.ts";
import { RemoteRefused } from "./errors.ts";
import type { RemoteLimits } from "./limits.ts";

/** Smart HTTP (gitprotocol-http), under the policy for outbound requests. */
export class HttpTransport implements RemoteTransport {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly address: RemoteAddress,
    private readonly limits: RemoteLimits,
    private readonly signal: AbortSignal,
  ) {}

  async open(service: Service, version: ProtocolVersion): Promise<Conversation> {
    const { address } = this;
    const headers: Record<string, string> = version === 0 ? {} : { "git-protocol": `version=${version}` };
    const credentials = this.credentials();
    const answer = await this.outbound.request({
      url: withPath(address.url, `/info/refs`, `service=${service}`),
      headers: { ...headers, accept: `application/x-${service}-advertisement, */*` },
      credentials,
      redirects: 5,
      maxBytes: this.limits.maxAdvertisedBytes,
      ...this.ending(),
    });
    await expectGit(answer, `application/x-${service}-advertisement`, address);
    // A redirect is only followed here: later requests go to its target, without the first host's credentials.
    const base = new URL(answer.url.href);
    base.pathname = base.pathname.replace(/\/info\/refs$/, "");
    base.searchParams.delete("service");
    const isHome = base.origin === new URL(address.url).origin;
    const ask = async (request: Uint8Array | AsyncIterable<Uint8Array>) => {
      const posted = await this.outbound.request({
        url: withPath(base.href, `/${service}`, ""),
        method: "POST",
        headers: {
          ...headers,
          "content-type": `application/x-${service}-request`,
          accept: `application/x-${service}-result`,
        },
        ...(isHome ? { credentials } : {}),
        body: request instanceof Uint8Array ? request : streamOf(request),
        maxBytes: Number.POSITIVE_INFINITY,
        ...this.ending(),
      });
      await expectGit(posted, `application/x-${service}-result`, address);
      await reader.cancel();
      reader = new PacketReader(posted.body);
      return reader;
    };
    let reader = new PacketReader(answer.body);
    return { greeting: reader, isStateless: true, ask, close: () => reader.cancel() };
  }

  private ending() {
    return { timeoutMs: this.limits.timeoutMs, idleMs: this.limits.idleMs, signal: this.signal };
  }

  private credentials(): Record<string, string> {
    const { credentials } = this.address;
    if (!credentials) return {};
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
    return { authorization: `Basic ${pair}` };
  }
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function withPath(base: string, path: string, query: string): string {
  const url = new URL(base);
  url.pathname = `${trimEndOf(url.pathname, "/")}${path}`;
  if (query !== "") url.search = url.search === "" ? query : `${url.search}&${query}`;
  return url.href;
}

/** @throws RemoteRefused the status or the content type is not git's */
async function expectGit(answer: OutboundResponse, type: string, address: RemoteAddress): Promise<void> {
  const isGit = answer.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === type;
  if (answer.status === 200 && isGit) return;
  await answer.body.cancel();
  const { host } = new URL(address.url);
  switch (answer.status) {
    case 401:
      throw new RemoteRefused(address.credentials ? "bad-credentials" : "credentials-needed", host);
    case 403:
      throw new RemoteRefused("forbidden", host);
    case 404:
    case 410:
      throw new RemoteRefused("not-found", host);
    case 200:
      throw new RemoteRefused("not-git", host);
    default:
      throw new RemoteRefused("bad-status", host, String(answer.status));
  }
}
