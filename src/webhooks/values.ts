import { isGlobSound } from "../git/patterns/rule-glob.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";
import { isHttpUrl } from "../kernel/web-address.ts";
import { contentTypes, type HookContentType, type HookSettings, type HookType, hookTypes } from "./types.ts";

/** Validates the values of a hook (contract webhooks.md 1.3). */

const MAX_NAME = 255;
const MAX_URL = 2048;
const MAX_FILTER = 1024;
const MAX_SECRET = 1024;
const MAX_SETTING = 1024;

/** A type's fields besides the address; errors name the first missing one of `required`. */
interface TypeFields {
  readonly settings: readonly string[];
  readonly required: readonly string[];
  /** The setting that is stored sealed. */
  readonly token?: string;
}

const none: TypeFields = { settings: [], required: [] };

/** Chat services and their fields in the page's form. */
export const typeFields: Readonly<Record<HookType, TypeFields>> = {
  gitea: none,
  gogs: none,
  forgejo: none,
  slack: { settings: ["channel", "username", "icon_url", "color"], required: ["channel"] },
  discord: { settings: ["username", "icon_url"], required: [] },
  dingtalk: none,
  telegram: { settings: ["chat_id", "thread_id"], required: ["bot_token", "chat_id"], token: "bot_token" },
  msteams: none,
  feishu: none,
  matrix: {
    settings: ["homeserver_url", "room_id", "message_type"],
    required: ["homeserver_url", "room_id"],
    token: "access_token",
  },
  wechatwork: none,
  packagist: {
    settings: ["username", "package_url"],
    required: ["username", "api_token", "package_url"],
    token: "api_token",
  },
};

/** @throws ValidationFailed not a known type */
export function hookTypeOf(given: string): HookType {
  const type = hookTypes.find((known) => known === given);
  if (!type) throw new ValidationFailed("webhook.type-unknown", { field: "type", params: { type: given } });
  return type;
}

/** @throws ValidationFailed */
export function contentTypeOf(given: string): HookContentType {
  const type = contentTypes.find((known) => known === given);
  if (!type) throw new ValidationFailed("webhook.bad-content-type", { field: "content_type" });
  return type;
}

/** A hook's address. Whether the server may connect to it is checked on sending. @throws ValidationFailed */
export function hookUrlOf(given: string): string {
  const url = given.trim();
  const bad = () => new ValidationFailed("webhook.bad-url", { field: "url" });
  if (url.length > MAX_URL || /[\u0000-\u0020\u007f\\]/.test(url) || !isHttpUrl(url)) throw bad();
  // The parser takes the host of `http:///x` from its path.
  if (!/^https?:\/\/[^/?#]/i.test(url)) throw bad();
  const { hostname, port } = new URL(url);
  if (hostname === "" || port === "0") throw bad();
  return url;
}

/** @throws ValidationFailed not a pattern, or too long */
export function branchFilterOf(given: string): string {
  const filter = given.trim();
  if (filter.length > MAX_FILTER || !isGlobSound(filter))
    throw new ValidationFailed("webhook.bad-filter", { field: "branch_filter" });
  return filter;
}

/** @throws ValidationFailed too long */
export function hookNameOf(given: string): string {
  return shortText(given, "name", MAX_NAME);
}

/** A secret or the value of a header. @throws ValidationFailed too long, or multi-line */
export function hookSecretOf(given: string, field: string): string {
  if (/[\r\n\0]/.test(given)) throw new ValidationFailed("webhook.bad-header", { field });
  if (given.length > MAX_SECRET) throw tooLong(field);
  return given;
}

/**
 * The given settings that the type has.
 * @throws ValidationFailed one is too long, or is not a valid address; BadRequest a blank channel
 */
export function settingsOf(type: HookType, given: Readonly<Record<string, string>>): HookSettings {
  const entries = typeFields[type].settings.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [[name, settingOf(name, value)] as const];
  });
  return Object.fromEntries(entries);
}

/** The given token of the type; undefined if none was. */
export function tokenOf(type: HookType, given: Readonly<Record<string, string>>): string | undefined {
  const { token } = typeFields[type];
  const value = token === undefined ? undefined : given[token];
  return value === undefined || token === undefined ? undefined : hookSecretOf(value.trim(), token);
}

function settingOf(name: string, given: string): string {
  const value = shortText(given, name, MAX_SETTING);
  if (name === "channel" && value === "") throw new BadRequest("webhook.bad-channel", { field: name });
  const isAddress = name === "homeserver_url" || name === "package_url";
  if (isAddress && value !== "" && !isHttpUrl(value)) throw new ValidationFailed("webhook.bad-url", { field: name });
  return value;
}

function shortText(given: string, field: string, max: number): string {
  const value = given.trim();
  if ([...value].length > max) throw tooLong(field);
  return value;
}

const tooLong = (field: string) => new ValidationFailed("value.too-long", { field, params: { name: field } });
