import { parseJson } from "../http/json.ts";
import type { Cache, CacheBudget } from "../kernel/cache.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Links } from "../kernel/links.ts";
import type { Log } from "../kernel/log.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import type { OutboundClient } from "../outbound/client.ts";
import { OutboundFailed } from "../outbound/errors.ts";
import { keyIdOf, siteActor } from "./addresses.ts";
import type { ActorKeys } from "./keys.ts";

/** The key of an actor on another server. */
export interface RemoteKey {
  /** Its owner. */
  readonly actor: string;
  /** PEM. */
  readonly publicKey: string;
  readonly fetchedAt: number;
}

export interface RemoteKeyParts {
  readonly caches: CacheBudget;
  readonly clock: Clock;
  readonly keys: ActorKeys;
  readonly links: Links;
  readonly log: Log;
  readonly outbound: OutboundClient;
  readonly maxBytes: number;
}

const TIMEOUT_MS = 5_000;
const MAX_AGE_MS = 3_600_000;
const MAX_KEY = 8_192;
const MAX_ADDRESS = 2_048;
/** Concurrent fetches: anyone who writes to an inbox triggers one. */
const FETCHES = 8;
const MAX_WAITING = 32;
const ACCEPT = 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

/** Keys of other servers' actors: fetched as the site, under the outbound policy, and cached for an hour. */
export class RemoteKeys {
  private readonly keys: Cache<string, RemoteKey>;
  private readonly turns = new Semaphore<"fetch">(FETCHES, MAX_WAITING);

  constructor(private readonly parts: RemoteKeyParts) {
    this.keys = parts.caches.cache(({ actor, publicKey }) => actor.length + publicKey.length);
  }

  /**
   * The key at that address; undefined: it cannot be fetched, or the response is not one of the actor's keys.
   * @param asked fetches again if the cached key was fetched before that time
   * @throws Overloaded too many are being fetched
   */
  async get(keyId: string, signal: AbortSignal, asked = 0): Promise<RemoteKey | undefined> {
    const now = this.parts.clock();
    const cached = this.keys.get(keyId);
    if (cached && cached.fetchedAt > now - MAX_AGE_MS && cached.fetchedAt >= asked) return cached;
    if (keyId.length > MAX_ADDRESS || !URL.canParse(keyId)) return undefined;
    const leave = await this.turns.enter("fetch", signal);
    try {
      const found = await this.fetch(keyId, signal);
      if (found) this.keys.set(keyId, found);
      return found;
    } catch (error) {
      if (!(error instanceof OutboundFailed)) throw error;
      this.parts.log.info("the key of another server's actor could not be fetched", { reason: error.message });
      return undefined;
    } finally {
      leave();
    }
  }

  private async fetch(keyId: string, signal: AbortSignal): Promise<RemoteKey | undefined> {
    const { clock, maxBytes, outbound } = this.parts;
    const url = new URL(keyId);
    url.hash = "";
    const answer = await outbound.request({
      url: url.href,
      headers: await this.signed(url),
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      signal,
    });
    if (
      answer.status !== 200 ||
      !/^application\/(?:[a-z.+-]+\+)?json\b/i.test(answer.headers.get("content-type") ?? "")
    ) {
      await answer.body.cancel();
      return undefined;
    }
    const parsed = parseJson(await new Response(answer.body).bytes());
    const key = "value" in parsed ? keyIn(parsed.value, keyId) : undefined;
    return key && { ...key, fetchedAt: clock() };
  }

  /** Some servers reject unsigned requests. */
  private async signed(url: URL): Promise<Record<string, string>> {
    const { clock, keys, links } = this.parts;
    const date = new Date(clock()).toUTCString();
    const text = `(request-target): get ${url.pathname}${url.search}\ndate: ${date}\nhost: ${url.host}`;
    const signature = Buffer.from(await keys.signAsSite(text)).toString("base64");
    const keyId = keyIdOf(siteActor(links));
    return {
      accept: ACCEPT,
      date,
      signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="(request-target) date host",signature="${signature}"`,
    };
  }
}

/** The key in an actor's document, if it matches the address and belongs to the actor. */
function keyIn(document: unknown, keyId: string): Omit<RemoteKey, "fetchedAt"> | undefined {
  const { id: actor, publicKey } = (document ?? {}) as { id?: unknown; publicKey?: unknown };
  const { id, owner, publicKeyPem } = (publicKey ?? {}) as { id?: unknown; owner?: unknown; publicKeyPem?: unknown };
  if (typeof actor !== "string" || typeof publicKeyPem !== "string" || publicKeyPem.length > MAX_KEY) return undefined;
  if (id !== keyId || owner !== actor || !URL.canParse(actor)) return undefined;
  return new URL(actor).origin === new URL(keyId).origin ? { actor, publicKey: publicKeyPem } : undefined;
}
