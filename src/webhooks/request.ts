import { hmacSha256 } from "../kernel/ids.ts";
import { chatRequest } from "./chat/services.ts";
import { type EventType, headerEventOf } from "./event-names.ts";
import type { HookLevel, HookSecrets, SentRequest, Webhook } from "./types.ts";

/** One request to a receiver (contract webhooks.md 4.3 to 4.5). */
export interface HookRequest {
  readonly method: "POST" | "PUT" | "GET";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Never stored or shown. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ToldEvent {
  readonly uuid: string;
  readonly type: EventType;
  /** As JSON. */
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** @param isOrganization whether the hook's account is an organization @throws TypeError it cannot be built */
export function requestOf(hook: Webhook, secrets: HookSecrets, event: ToldEvent, isOrganization: boolean): HookRequest {
  const chat = chatRequest(hook, secrets, event);
  const { authorization, url: given } = splitUrl(chat?.url ?? hook.url);
  const credentials = {
    ...(authorization ? { authorization } : {}),
    ...chat?.credentials,
    ...(secrets.authorization ? { authorization: secrets.authorization } : {}),
  };
  const signed = chat?.body ?? event.payload;
  const told = chat?.isBare ? {} : headersOf(event, targetOf(hook.level, isOrganization), secrets.secret, signed);
  const json = { ...told, "content-type": "application/json" };
  if (chat) return { method: chat.method, url: given, headers: json, credentials, body: chat.body };
  const form = new URLSearchParams({ payload: event.payload });
  if (hook.method === "GET")
    return { method: "GET", url: withQuery(given, form), headers: told, credentials, body: undefined };
  if (hook.contentType === "json")
    return { method: "POST", url: given, headers: json, credentials, body: event.payload };
  const headers = { ...told, "content-type": "application/x-www-form-urlencoded" };
  return { method: "POST", url: given, headers, credentials, body: form.toString() };
}

/**
 * The request as stored: tokens in addresses and headers are hidden, and a body equal to the payload is not stored
 * twice.
 */
export function keptRequest(
  hook: Webhook,
  { body, credentials, headers, method, url }: HookRequest,
  payload: string,
): SentRequest {
  const hidden = Object.fromEntries(Object.keys(credentials).map((name) => [name, "******"]));
  return {
    url: hook.hasToken ? new URL(url).origin : url,
    method,
    headers: { ...headers, ...hidden },
    ...(body === undefined || body === payload ? {} : { body }),
  };
}

/** The headers about the event, under every name that receivers know. */
function headersOf({ type, uuid }: ToldEvent, target: string, secret: string, body: string): Record<string, string> {
  const sha256 = secret === "" ? "" : hmacSha256(secret, body, "hex");
  const sha1 = secret === "" ? "" : new Bun.CryptoHasher("sha1", secret).update(body).digest("hex");
  const event = headerEventOf(type);
  const families = ["gitea", "gogs", "github", "forgejo"].flatMap((family) => [
    [`x-${family}-delivery`, uuid],
    [`x-${family}-event`, event],
    [`x-${family}-event-type`, type],
  ]);
  return {
    ...Object.fromEntries(families),
    "x-gitea-signature": sha256,
    "x-gogs-signature": sha256,
    "x-forgejo-signature": sha256,
    "x-hub-signature": `sha1=${sha1}`,
    "x-hub-signature-256": `sha256=${sha256}`,
    "x-gitea-hook-installation-target-type": target,
    "x-github-hook-installation-target-type": target,
  };
}

function targetOf(level: HookLevel, isOrganization: boolean): string {
  if (level === "account") return isOrganization ? "organization" : "user";
  return level;
}

/** User name and password in an address are sent as HTTP Basic. */
function splitUrl(text: string): { readonly url: string; readonly authorization: string } {
  const url = new URL(text);
  const { password, username } = url;
  if (username === "" && password === "") return { url: text, authorization: "" };
  url.username = "";
  url.password = "";
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withQuery(text: string, added: URLSearchParams): string {
  const url = new URL(text);
  for (const [name, value] of added) url.searchParams.set(name, value);
  url.searchParams.sort();
  return url.href;
}
