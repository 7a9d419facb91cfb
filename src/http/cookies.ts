/** The cookies Hearth sets. All are HttpOnly and SameSite=Lax; Secure when people reach the site by https. */

export const SESSION_COOKIE = "hearth_session";
export const FLASH_COOKIE = "hearth_flash";

export interface CookieOptions {
  readonly secure: boolean;
  /** Absent: until the browser closes. */
  readonly maxAgeSeconds?: number;
}

export function setCookie(name: string, value: string, options: CookieOptions): string {
  const age = options.maxAgeSeconds === undefined ? "" : `; Max-Age=${options.maxAgeSeconds}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${options.secure ? "; Secure" : ""}`;
}

export function dropCookie(name: string, options: CookieOptions): string {
  return setCookie(name, "", { ...options, maxAgeSeconds: 0 });
}

/** Read from the header ourselves: Elysia would turn a value that looks like JSON into an object. */
export function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of request.headers.get("cookie")?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export function sessionSecretOf(request: Request): string | undefined {
  return cookieOf(request, SESSION_COOKIE);
}

export type Flash = { readonly kind: "success" | "error" | "info"; readonly text: string };

export function flashCookie(flash: Flash, options: CookieOptions): string {
  return setCookie(FLASH_COOKIE, Buffer.from(JSON.stringify(flash)).toString("base64url"), {
    ...options,
    maxAgeSeconds: 60,
  });
}

/** The one-shot message of the last form; undefined when there is none or it is not ours. */
export function flashOf(request: Request): Flash | undefined {
  const value = cookieOf(request, FLASH_COOKIE);
  if (!value) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value, "base64url").toString("utf8"));
    if (typeof parsed !== "object" || parsed === null || !("kind" in parsed) || !("text" in parsed)) return undefined;
    const { kind, text } = parsed;
    return (kind === "success" || kind === "error" || kind === "info") && typeof text === "string"
      ? { kind, text: text.slice(0, 500) }
      : undefined;
  } catch {
    return undefined;
  }
}
