import type { LfsPointer } from "../../git/lfs/pointer.ts";
import { type Failure, ValidationFailed } from "../../kernel/errors.ts";
import { objectOf } from "../../kernel/json.ts";
import type { OutboundClient, OutboundResponse } from "../../outbound/client.ts";
import { remoteFailureOf } from "../../remotes/service.ts";
import type { LfsOperation } from "../types.ts";
import type { LfsEndpoint } from "./endpoint.ts";

/** The other server's instructions for an object: addresses with headers. */
export interface RemoteObject {
  readonly pointer: LfsPointer;
  readonly actions: Readonly<Partial<Record<"download" | "upload" | "verify", RemoteAction>>>;
  /** Nonzero: the server does not have it, or does not accept it. */
  readonly errorCode: number;
}

interface RemoteAction {
  readonly href: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Objects per request: addresses are only valid for a while. */
export const MAX_BATCH = 50;
const MEDIA_TYPE = "application/vnd.git-lfs+json";
const MAX_ANSWER_BYTES = 2 ** 20;
const MAX_HEADERS = 20;
const MAX_HEADER_CHARACTERS = 8_192;

/** A client for another server's git LFS: its batch API and basic transfers. */
export class LfsClient {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly endpoint: LfsEndpoint,
    private readonly signal: AbortSignal,
    private readonly limits: { readonly timeoutMs: number; readonly idleMs: number },
  ) {}

  /** @returns one for each object; undefined: that server does not support git LFS @throws Failure `remote.…` */
  async batch(operation: LfsOperation, pointers: readonly LfsPointer[]): Promise<RemoteObject[] | undefined> {
    const objects = pointers.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes }));
    const body = Buffer.from(JSON.stringify({ operation, transfers: ["basic"], objects, hash_algo: "sha256" }));
    const answer = await this.send({
      url: `${this.endpoint.url}/objects/batch`,
      method: "POST",
      headers: { accept: MEDIA_TYPE, "content-type": MEDIA_TYPE },
      credentials: this.own,
      body,
    });
    if (answer.status === 404 || answer.status === 501) {
      await answer.body.cancel();
      return undefined;
    }
    if (answer.status !== 200) throw await this.refused(answer);
    const text = await this.worded(() => new Response(answer.body).text());
    return this.read(text, pointers);
  }

  /** The bytes of an object; undefined: the server no longer has them. @throws Failure `remote.…` */
  async download({ actions, pointer }: RemoteObject): Promise<ReadableStream<Uint8Array> | undefined> {
    if (!actions.download) return undefined;
    const answer = await this.act(actions.download, { method: "GET", maxBytes: pointer.sizeBytes, redirects: 3 });
    if (answer.status === 200) return answer.body;
    if (answer.status !== 404 && answer.status !== 410) throw await this.refused(answer);
    await answer.body.cancel();
    return undefined;
  }

  /** Sends an object's bytes. Without an action the server already has them. @throws Failure `remote.…` */
  async upload({ actions, pointer }: RemoteObject, bytes: ReadableStream<Uint8Array>): Promise<void> {
    if (!actions.upload) return;
    const headers = { "content-type": "application/octet-stream", "content-length": String(pointer.sizeBytes) };
    const sent = await this.act(actions.upload, { method: "PUT", headers, body: bytes });
    if (sent.status < 200 || sent.status > 299) throw await this.refused(sent);
    await sent.body.cancel();
    if (!actions.verify) return;
    const about = { oid: pointer.oid, size: pointer.sizeBytes };
    const verified = await this.act(actions.verify, {
      method: "POST",
      headers: { accept: MEDIA_TYPE, "content-type": MEDIA_TYPE },
      body: Buffer.from(JSON.stringify(about)),
    });
    if (verified.status !== 200) throw await this.refused(verified);
    await verified.body.cancel();
  }

  private act(
    { headers: given, href }: RemoteAction,
    request: Pick<Parameters<OutboundClient["request"]>[0], "method" | "maxBytes" | "redirects" | "body" | "headers">,
  ): Promise<OutboundResponse> {
    const isHome = URL.canParse(href) && new URL(href).origin === new URL(this.endpoint.url).origin;
    const isKnown = Object.keys(given).some((name) => name.toLowerCase() === "authorization");
    return this.send({ ...request, url: href, credentials: { ...(isHome && !isKnown ? this.own : {}), ...given } });
  }

  private send(request: Omit<Parameters<OutboundClient["request"]>[0], "signal">): Promise<OutboundResponse> {
    return this.worded(() =>
      this.outbound.request({ maxBytes: MAX_ANSWER_BYTES, ...request, ...this.limits, signal: this.signal }),
    );
  }

  /** Only requested objects are accepted. */
  private read(text: string, pointers: readonly LfsPointer[]): RemoteObject[] {
    let given: unknown;
    try {
      given = objectOf(JSON.parse(text))["objects"];
    } catch {
      given = undefined;
    }
    if (!Array.isArray(given)) throw this.failed("broken", "");
    const byOid = new Map(given.map(objectOf).map((each) => [each["oid"], each]));
    return pointers.map((pointer) => {
      const about = objectOf(byOid.get(pointer.oid));
      const actions = objectOf(about["actions"]);
      const code = objectOf(about["error"])["code"];
      return {
        pointer,
        actions: {
          ...actionIn("download", actions["download"]),
          ...actionIn("upload", actions["upload"]),
          ...actionIn("verify", actions["verify"]),
        },
        errorCode: about["error"] === undefined && byOid.has(pointer.oid) ? 0 : typeof code === "number" ? code : 404,
      };
    });
  }

  private get own(): Readonly<Record<string, string>> {
    const { credentials } = this.endpoint;
    if (!credentials) return {};
    const text = `${credentials.username}:${credentials.password}`;
    return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
  }

  private async refused({ body, headers, status }: OutboundResponse): Promise<Failure> {
    await body.cancel();
    if (status === 429 || (status === 403 && headers.get("x-ratelimit-remaining") === "0"))
      return this.failed("bad-status", String(status));
    if (status === 401) return this.failed(this.endpoint.credentials ? "bad-credentials" : "credentials-needed", "");
    if (status === 403) return this.failed("forbidden", "");
    return this.failed("bad-status", String(status));
  }

  private failed(problem: string, detail: string): Failure {
    return new ValidationFailed(`remote.${problem}`, { params: { host: this.host, detail } });
  }

  private get host(): string {
    return new URL(this.endpoint.url).host;
  }

  /** Converts errors of the other server into coded failures. */
  async worded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw remoteFailureOf(error, this.host);
    }
  }
}

function actionIn(name: keyof RemoteObject["actions"], value: unknown): RemoteObject["actions"] {
  const { header, href } = objectOf(value);
  if (typeof href !== "string") return {};
  const given = Object.entries(objectOf(header)).slice(0, MAX_HEADERS);
  const headers = given.flatMap(([key, text]) =>
    typeof text === "string" && text.length <= MAX_HEADER_CHARACTERS && key.toLowerCase() !== "content-length"
      ? [[key, text] as const]
      : [],
  );
  return { [name]: { href, headers: Object.fromEntries(headers) } };
}
