/** Escaping does not check URLs; this does (security rule G1). */

const SAFE_SCHEME = /^(?:https?|mailto|ftp|ssh|git):/i;
const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * The URL if it is safe in a link: a path, a fragment, or one of http, https, mailto, ftp, ssh and git.
 * Anything else (`javascript:`, `data:`, also with control characters or spaces in it) becomes `#`.
 */
export function safeHref(url: string): string {
  const first = url.charCodeAt(0);
  // Paths, queries and fragments are by far the most common.
  if (first === 0x2f || first === 0x23 || first === 0x3f) return url;
  // Browsers ignore leading spaces and any tab or line break inside a scheme.
  const seen = url.replace(/[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202f\ufeff]/g, "");
  if (SAFE_SCHEME.test(seen)) return url;
  return ANY_SCHEME.test(seen) ? "#" : url;
}

/** A link to a website that a user typed, or `undefined` when it is not an http(s) URL. */
export function websiteHref(url: string): string | undefined {
  return /^https?:\/\/[^\s/]/i.test(url.trim()) ? url.trim() : undefined;
}
