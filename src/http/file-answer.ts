import type { BlobBody } from "../blobs/service.ts";
import { contentPolicyOf } from "../kernel/media-type.ts";
import { segment } from "../kernel/url-path.ts";
import { type ByteRange, parseRange } from "./range.ts";
import type { Call } from "./route.ts";

/**
 * Types that browsers may display inline. Everything else is downloaded: HTML and SVG would run as our own pages
 * (security rule G8).
 */
const SHOWN = /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon|apng)|audio\/|video\/|application\/pdf$|text\/plain)/;

export interface FileAnswer {
  /** File name for the download. */
  readonly name?: string;
  /** `public, max-age=…` only for content that is visible to everyone. */
  readonly cacheControl: string;
  /** Identifies this version; defaults to the digest of its bytes. */
  readonly tag?: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Responds with a content-addressed file, handling ranges, conditional requests and the headers that keep a browser
 * from running it.
 * @throws BadRequest for several ranges; Failure 416
 */
export function fileAnswer(call: Call, { blob, file }: BlobBody, given: FileAnswer): Response {
  const etag = `"${given.tag ?? blob.digest}"`;
  const headers = new Headers({ ...given.headers, etag, "cache-control": given.cacheControl });
  if (namesTag(call.request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", blob.mediaType);
  headers.set(
    "content-disposition",
    disposition(given.name ?? "", SHOWN.test(blob.mediaType) ? "inline" : "attachment"),
  );
  headers.set("x-content-type-options", "nosniff");
  headers.set("accept-ranges", "bytes");
  const policy = contentPolicyOf(blob.mediaType);
  if (policy !== undefined) headers.set("content-security-policy", policy);
  const range = wantedRange(call, blob.sizeBytes, headers);
  // Without a body nothing else sets the length.
  if (call.request.method === "HEAD" && !range) headers.set("content-length", String(blob.sizeBytes));
  if (!range) return new Response(file, { headers });
  headers.set("content-range", `bytes ${range.start}-${range.end}/${blob.sizeBytes}`);
  return new Response(file.slice(range.start, range.end + 1, blob.mediaType), { status: 206, headers });
}

/**
 * The range a request asks for, unless `If-Range` names another version.
 * @param headers of the response, including `etag` and `last-modified` if it has them
 * @throws as `parseRange`; the error response then carries the length of the file
 */
export function wantedRange(call: Call, sizeBytes: number, headers: Headers): ByteRange | undefined {
  const condition = call.request.headers.get("if-range");
  if (condition !== null && condition !== headers.get("etag") && condition !== headers.get("last-modified"))
    return undefined;
  try {
    return parseRange(call.request.headers.get("range"), sizeBytes);
  } catch (error) {
    call.header("content-range", `bytes */${sizeBytes}`);
    throw error;
  }
}

/** Whether an `If-None-Match` list contains that tag. */
export function namesTag(list: string | null, etag: string): boolean {
  if (list === null) return false;
  return list.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

/**
 * A Content-Disposition header with a file name; a name that is not plain ASCII is given twice (RFC 6266).
 * @param encoded the percent-encoded name, if it is not Unicode
 */
export function disposition(name: string, kind: "inline" | "attachment", encoded = segment(name)): string {
  if (name === "") return kind;
  const plain = name.replace(/[^\x20-\x7e]/gu, "_");
  const quoted = /^[A-Za-z0-9._~+-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, "\\$&")}"`;
  const exact = plain === name ? "" : `; filename*=utf-8''${encoded}`;
  return `${kind}; filename=${quoted}${exact}`;
}
