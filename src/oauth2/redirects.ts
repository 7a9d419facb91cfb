import type { Application } from "./types.ts";

/**
 * Whether a client may be answered at that address: one it registered, compared as text without letter case and without
 * one last slash. Programs on people's own machines listen on whatever port is free (RFC 8252 section 7.3), so for public
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

function normal(uri: string): string {
  return uri.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\/$/, "");
}

/** The address with these parameters added to its own; those without a value are left out. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== "") url.searchParams.set(name, value);
  return url.href;
}
