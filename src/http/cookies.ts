/** The cookies Hearth sets. All are HttpOnly and SameSite=Lax; also Secure if the site is served over https. */

/** Lasts until the browser closes; `REMEMBER_COOKIE` lasts for days and opens the next session, once. */
export const SESSION_COOKIE = "hearth_session";
export const REMEMBER_COOKIE = "hearth_remember";
export const FLASH_COOKIE = "hearth_flash";
/** Also written by the pages' script, so it is the one cookie that is not HttpOnly. */
export const THEME_COOKIE = "hearth_theme";
/** The language of the pages as a code: `de-DE`. */
export const LANGUAGE_COOKIE = "lang";

const YEAR_SECONDS = 365 * 24 * 3600;

export interface CookieOptions {
  readonly secure: boolean;
  /** If absent, the cookie lasts until the browser closes. */
  readonly maxAgeSeconds?: number;
}

export function setCookie(name: string, value: string, options: CookieOptions): string {
  const age = options.maxAgeSeconds === undefined ? "" : `; Max-Age=${options.maxAgeSeconds}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${options.secure ? "; Secure" : ""}`;
}

/** Over https, a name that no other host of the domain can set (security rule H3). */
function guardedName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** The cookie that lets a browser sign in again. */
export interface RememberedCookie {
  readonly value: string;
  readonly maxAgeSeconds: number;
}

/** The cookies of a sign-in; without `remembered`, the cookie of an earlier one is removed. */
export function signInCookies(secret: string, options: { secure: boolean; remembered: RememberedCookie | undefined }) {
  const { secure, remembered } = options;
  return [sessionCookie(secret, secure), remembered ? rememberCookie(remembered, secure) : dropRememberCookie(secure)];
}

/** The cookie of a session that was not opened by a form. */
export function sessionCookie(secret: string, secure: boolean): string {
  return setCookie(guardedName(SESSION_COOKIE, secure), secret, { secure });
}

export function rememberCookie({ value, maxAgeSeconds }: RememberedCookie, secure: boolean): string {
  return setCookie(guardedName(REMEMBER_COOKIE, secure), value, { secure, maxAgeSeconds });
}

export function dropRememberCookie(secure: boolean): string {
  return dropCookie(guardedName(REMEMBER_COOKIE, secure), { secure });
}

export function signOutCookies(secure: boolean): string[] {
  return [SESSION_COOKIE, REMEMBER_COOKIE].map((name) => dropCookie(guardedName(name, secure), { secure }));
}

export function dropCookie(name: string, options: CookieOptions): string {
  return setCookie(name, "", { ...options, maxAgeSeconds: 0 });
}

/** Parses the header itself: Elysia would turn a value that looks like JSON into an object. */
export function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of request.headers.get("cookie")?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** The session secret sent by the browser. */
export function sessionSecretOf(request: Request, secure: boolean): string | undefined {
  return cookieOf(request, guardedName(SESSION_COOKIE, secure));
}

/** The value a remembered browser signs in again with, `id:secret`; undefined if it cannot be one of ours. */
export function rememberedOf(request: Request, secure: boolean): string | undefined {
  const value = cookieOf(request, guardedName(REMEMBER_COOKIE, secure));
  return value && /^[0-9a-f]{20}:[0-9a-f]{64}$/.test(value) ? value : undefined;
}

/** Held between the two steps of a sign-in, while the second factor is pending. */
const SECOND_STEP_COOKIE = "hearth_second_step";

export function secondStepCookie(secret: string, secure: boolean): string {
  return setCookie(guardedName(SECOND_STEP_COOKIE, secure), secret, { secure, maxAgeSeconds: 600 });
}

export function dropSecondStepCookie(secure: boolean): string {
  return dropCookie(guardedName(SECOND_STEP_COOKIE, secure), { secure });
}

export function secondStepOf(request: Request, secure: boolean): string | undefined {
  return cookieOf(request, guardedName(SECOND_STEP_COOKIE, secure));
}

/**
 * Held while signing in through a provider: during the round trip, and until it is clear which local account is meant.
 */
type ProviderCookie = "hearth_round_trip" | "hearth_newcomer";

export function providerCookie(name: ProviderCookie, value: string, secure: boolean): string {
  return setCookie(guardedName(name, secure), value, { secure, maxAgeSeconds: 900 });
}

export function dropProviderCookie(name: ProviderCookie, secure: boolean): string {
  return dropCookie(guardedName(name, secure), { secure });
}

export function providerCookieOf(name: ProviderCookie, request: Request, secure: boolean): string | undefined {
  return cookieOf(request, guardedName(name, secure));
}

/** The theme chosen in the browser; undefined if none was chosen. */
export function themeOf(request: Request): "auto" | "light" | "dark" | undefined {
  const value = cookieOf(request, THEME_COOKIE);
  return value === "auto" || value === "light" || value === "dark" ? value : undefined;
}

export function themeCookie(theme: "auto" | "light" | "dark", secure: boolean): string {
  return `${THEME_COOKIE}=${theme}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure ? "; Secure" : ""}`;
}

export function languageCookie(code: string, secure: boolean): string {
  return setCookie(LANGUAGE_COOKIE, code, { secure, maxAgeSeconds: YEAR_SECONDS });
}

export interface Flash {
  readonly kind: "success" | "error" | "info";
  readonly text: string;
  /** The form the message belongs to. */
  readonly form?: string;
  /** How to undo the action: a form with this number. */
  readonly undo?: FlashUndo;
}

export interface FlashUndo {
  /** A path on this site. */
  readonly action: string;
  readonly id: number;
  readonly label: string;
}

/** Browsers reject cookies over 4 KiB, and proxies reject responses with larger headers. */
const MAX_FLASH_TEXT = 500;

/** @param flash a message whose text may repeat user input */
export function flashCookie(flash: Flash, options: CookieOptions): string {
  const told = { ...flash, text: flash.text.slice(0, MAX_FLASH_TEXT) };
  return setCookie(FLASH_COOKIE, Buffer.from(JSON.stringify(told)).toString("base64url"), {
    ...options,
    maxAgeSeconds: 60,
  });
}

function undoOf(given: unknown): FlashUndo | undefined {
  const { action, id, label } = (given ?? {}) as Partial<Record<keyof FlashUndo, unknown>>;
  if (typeof action !== "string" || typeof id !== "number" || typeof label !== "string") return undefined;
  // The form must never be submitted to another site.
  return /^\/[^/\\]/.test(action) ? { action: action.slice(0, 500), id, label: label.slice(0, 50) } : undefined;
}

/** The one-shot message of the last form; undefined if there is none or it is not ours. */
export function flashOf(request: Request): Flash | undefined {
  const value = cookieOf(request, FLASH_COOKIE);
  if (!value) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value, "base64url").toString("utf8"));
    if (typeof parsed !== "object" || parsed === null || !("kind" in parsed) || !("text" in parsed)) return undefined;
    const { kind, text } = parsed;
    if ((kind !== "success" && kind !== "error" && kind !== "info") || typeof text !== "string") return undefined;
    const form = "form" in parsed && typeof parsed.form === "string" ? { form: parsed.form.slice(0, 50) } : {};
    const undo = "undo" in parsed ? undoOf(parsed.undo) : undefined;
    return { kind, text: text.slice(0, MAX_FLASH_TEXT), ...form, ...(undo ? { undo } : {}) };
  } catch {
    return undefined;
  }
}
