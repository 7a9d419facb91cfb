import { BadRequest } from "../kernel/errors.ts";

/**
 * Path parameters, decoded from the raw path by our own rules: a decoded slash is data, not a separator, and invalid
 * UTF-8 or a NUL is rejected (the routers of Elysia and Bun decode differently).
 */

/** The target (path and query) of a request whose `url` may or may not be absolute. */
export function targetOf(url: string): string {
  if (url.startsWith("/")) return url;
  const scheme = url.indexOf("://");
  const slash = url.indexOf("/", scheme < 0 ? 0 : scheme + 3);
  return slash < 0 ? "/" : url.slice(slash);
}

const REGISTRIES = /^\/+(?:api\/+packages|v2)\//;

/**
 * The target used for routing. Registry clients double a slash when they are configured with an address that ends in
 * one (contract packages.md 4).
 */
export function routedTarget(target: string): string {
  if (!target.includes("//") || !REGISTRIES.test(target)) return target;
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.replace(/\/{2,}/g, "/") + (mark < 0 ? "" : target.slice(mark));
}

/** @throws BadRequest for a malformed escape, invalid UTF-8 or a NUL */
export function decodeSegment(raw: string): string {
  if (!raw.includes("%")) return raw;
  let text: string;
  try {
    text = decodeURIComponent(raw);
  } catch {
    throw new BadRequest("request.malformed-path");
  }
  if (text.includes("\0")) throw new BadRequest("request.malformed-path");
  return text;
}

/** The parameters of `path` under `pattern`, which must match. */
export function pathParams(pattern: string, path: string): Record<string, string> {
  const params: Record<string, string> = Object.create(null) as Record<string, string>;
  const wanted = pattern.split("/");
  const given = path.split("/");
  for (const [at, segment] of wanted.entries()) {
    if (segment === "*") {
      params["*"] = given.slice(at).map(decodeSegment).join("/");
      params["raw*"] = given.slice(at).join("/");
      break;
    }
    if (segment.startsWith(":")) params[segment.slice(1)] = decodeSegment(given[at] ?? "");
  }
  return params;
}

/**
 * The target (path and query) with parameters of the pattern replaced, for a resource that moved: `{ owner: "ada" }`
 * for `:owner`. Everything else, including the order and escapes of the query, stays as sent.
 */
export function movedTarget(target: string, pattern: string, present: Readonly<Record<string, string>>): string {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const wanted = pattern.split("/");
  const segments = path.split("/").map((segment, at) => {
    const parameter = wanted[at];
    const value = parameter?.startsWith(":") ? present[parameter.slice(1)] : undefined;
    if (value === undefined) return segment;
    return encodeURIComponent(value) + (parameter === ":repo" && /\.git$/i.test(segment) ? ".git" : "");
  });
  return segments.join("/") + (mark < 0 ? "" : target.slice(mark));
}
