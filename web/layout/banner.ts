import { cookieOf, setCookie } from "../../src/http/cookies.ts";

const BANNER_COOKIE = "hearth_banner";
const HIDDEN_SECONDS = 48 * 3_600;

/** The operator's message for every page, unless the visitor dismissed it; empty: nothing. */
export function bannerFor(request: Request, banner: string): string {
  return banner !== "" && cookieOf(request, BANNER_COOKIE) === revisionOf(banner) ? "" : banner;
}

/** Hides this text, but no other, for two days (contract web.md 1.1). */
export function dismissedCookie(banner: string, secure: boolean): string {
  return setCookie(BANNER_COOKIE, revisionOf(banner), { secure, maxAgeSeconds: HIDDEN_SECONDS });
}

const revisionOf = (banner: string): string => new Bun.CryptoHasher("sha256").update(banner).digest("hex").slice(0, 16);
