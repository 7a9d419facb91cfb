import type { Application } from "./types.ts";

/**
 * Whether a client may redirect to that address: a registered one, compared as text ignoring case and one trailing
 * slash. Programs on people's own machines listen on whatever port is free (RFC 8252 section 7.3), so for public
 * clients the port of a loopback address does not matter.
 */
export function isRegistered(application: Application, redirectUri: string): boolean {
  const given = normal(redirectUri);
  const registered = application.redirectUris.map(normal);
  if (registered.includes(given)) return true;
  if (application.isConfidential) return false;
  const [, host, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}((?:\/.*)?)$/.exec(given) ?? [];
  return host !== undefined && registered.includes(`${host}${rest ?? ""}`);
}

/** Whether an address has the same origin as one of the client's. */
export function sharesOrigin(application: Application, uri: string): boolean {
  const origin = httpOrigin(uri);
  return origin !== undefined && application.redirectUris.some((registered) => httpOrigin(registered) === origin);
}

function httpOrigin(uri: string): string | undefined {
  const url = URL.parse(uri);
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isHttp ? url.origin : undefined;
}

function normal(uri: string): string {
  return uri.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\/$/, "");
}

/** The address with these parameters added; those without a value are omitted. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== "") url.searchParams.set(name, value);
  return url.href;
}
