import { ValidationFailed } from "../kernel/errors.ts";
import { checkFilter } from "./ldap/filters.ts";
import { PROVIDERS } from "./oauth2/providers.ts";
import type { LdapSettings, LdapSimpleSettings, OAuth2Settings, SmtpSettings } from "./settings.ts";
import { readTeamMap } from "./team-map.ts";
import type { SignInSource } from "./types.ts";

/** Rules for input about sources, shared by pages and command line. Fields are named like the settings. */

export const MAX_NAME = 100;
const MAX_TEXT = 2_000;
const MAX_TEAM_MAP = 50_000;

const required = (field: string) => new ValidationFailed("source.required", { field });

/** @throws ValidationFailed */
export function checkSourceName(name: string): void {
  if (name === "") throw required("name");
  if ([...name].length > MAX_NAME)
    throw new ValidationFailed("value.too-long", { field: "name", params: { name: "Name", max: MAX_NAME } });
  // The name is part of addresses.
  if (/[\p{Cc}/\\?#%]|^\.{1,2}$/u.test(name)) throw new ValidationFailed("source.bad-name", { field: "name" });
}

/** @throws ValidationFailed the first problem */
export async function checkSettings(source: Pick<SignInSource, "kind" | "settings">): Promise<void> {
  for (const [field, value] of Object.entries(source.settings)) {
    const max = field === "teamMap" ? MAX_TEAM_MAP : MAX_TEXT;
    if (typeof value === "string" && value.length > max)
      throw new ValidationFailed("value.too-long", { field, params: { name: field, max } });
  }
  if ("provider" in source.settings) checkOAuth2(source.settings);
  else if ("authType" in source.settings) checkMailServer(source.settings);
  else await checkDirectory(source.settings);
  if ("teamMap" in source.settings) readTeamMap(source.settings.teamMap);
}

function checkOAuth2(settings: OAuth2Settings): void {
  const provider = PROVIDERS.get(settings.provider);
  if (!provider) throw new ValidationFailed("source.unknown-provider", { field: "provider" });
  if (settings.clientId === "") throw required("clientId");
  if (provider.protocol === "openid") {
    if (provider.discoveryUrl === undefined && settings.discoveryUrl === "") throw required("discoveryUrl");
  } else if (!provider.endpoints && !settings.usesCustomUrls) throw required("usesCustomUrls");
  if (provider.needsTenant && settings.tenant === "") throw required("tenant");
  if (settings.tenant !== "" && !/^[A-Za-z0-9][A-Za-z0-9.-]{0,254}$/.test(settings.tenant))
    throw new ValidationFailed("source.bad-value", { field: "tenant" });
  if (settings.usesCustomUrls && !provider.endpoints && provider.protocol === "oauth2")
    for (const field of ["authorizationUrl", "tokenUrl", "profileUrl"] as const)
      if (settings[field] === "") throw required(field);
  for (const field of ["discoveryUrl", "authorizationUrl", "tokenUrl", "profileUrl", "emailUrl"] as const)
    if (settings[field] !== "" && !isAddress(settings[field], ["http:", "https:"]))
      throw new ValidationFailed("source.bad-address", { field });
  if (settings.iconUrl !== "" && !isAddress(settings.iconUrl, ["https:"]))
    throw new ValidationFailed("source.bad-icon", { field: "iconUrl" });
  if (/[^\x21-\x7e\s]|["\\]/.test(settings.scopes)) throw new ValidationFailed("source.bad-value", { field: "scopes" });
}

async function checkDirectory(settings: LdapSettings | LdapSimpleSettings): Promise<void> {
  if (!["unencrypted", "ldaps", "starttls"].includes(settings.security))
    throw new ValidationFailed("source.bad-value", { field: "security" });
  checkServer(settings);
  if ("userDn" in settings) {
    if (settings.userDn === "") throw required("userDn");
  } else if (settings.userBase === "") throw required("userBase");
  if (settings.userFilter === "") throw required("userFilter");
  if (settings.emailAttribute === "") throw required("emailAttribute");
  if ("pageSize" in settings && (!Number.isInteger(settings.pageSize) || settings.pageSize < 0))
    throw new ValidationFailed("source.bad-value", { field: "pageSize" });
  for (const [field, value] of Object.entries(settings)) {
    const isAttribute = field.endsWith("Attribute") && value !== "";
    if (isAttribute && !/^[A-Za-z][A-Za-z0-9.;-]*$/.test(String(value)))
      throw new ValidationFailed("source.bad-value", { field });
    if (field.endsWith("Filter") && value !== "") await checkFilter(field, String(value));
  }
  if ("usesGroups" in settings && settings.usesGroups) {
    if (settings.groupBase === "") throw required("groupBase");
    if (settings.groupMemberAttribute === "") throw required("groupMemberAttribute");
  }
}

function checkServer({ host, port }: { readonly host: string; readonly port: number }): void {
  if (host === "") throw required("host");
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^\[?[0-9a-fA-F:.]+\]?$/.test(host))
    throw new ValidationFailed("source.bad-value", { field: "host" });
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new ValidationFailed("source.bad-value", { field: "port" });
}

/** How a password may be sent to a mail server. */
export const SMTP_METHODS = ["PLAIN", "LOGIN", "CRAM-MD5"] as const;

function checkMailServer(settings: SmtpSettings): void {
  checkServer(settings);
  const methods: readonly string[] = SMTP_METHODS;
  if (!methods.includes(settings.authType)) throw new ValidationFailed("source.bad-value", { field: "authType" });
  if (!/^[A-Za-z0-9.-]*$/.test(settings.heloName))
    throw new ValidationFailed("source.bad-value", { field: "heloName" });
  if (!/^[\p{L}\p{N}.,\s-]*$/u.test(settings.allowedDomains))
    throw new ValidationFailed("source.bad-value", { field: "allowedDomains" });
}

function isAddress(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.username === "" && url.password === "" && url.hash === "";
}
