import type { BlobBody } from "../blobs/service.ts";
import { disposition, namesTag } from "../http/file-answer.ts";
import type { ByteRange } from "../http/range.ts";
import type { Call } from "../http/route.ts";
import { Failure } from "../kernel/errors.ts";

/**
 * An object's bytes for git-lfs (contract git-content.md 16.4); browsers never display them.
 * @param name for saving; empty: the client has one
 * @throws Failure 416
 */
export function objectAnswer(call: Call, { blob, file }: BlobBody, name: string): Response {
  const etag = `"${blob.digest}"`;
  const headers = new Headers({
    etag,
    "cache-control": "private, no-cache",
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    "content-disposition": disposition(name, "attachment"),
  });
  if (namesTag(call.request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const range = rangeOf(call.request.headers.get("range"), blob.sizeBytes);
  if (range === "none of it") {
    call.header("content-range", `bytes */${blob.sizeBytes}`);
    throw new Failure(416, "lfs.bad-range");
  }
  const { end, start } = range ?? { start: 0, end: blob.sizeBytes - 1 };
  const length = String(end - start + 1);
  headers.set("content-length", length);
  headers.set("x-gitea-lfs-content-length", length);
  if (!range) return new Response(file, { headers });
  headers.set("content-range", `bytes ${start}-${end}/${blob.sizeBytes}`);
  return new Response(file.slice(start, end + 1), { status: 206, headers });
}

/** `bytes=a-b`, `bytes=a-` or the last bytes; anything else is ignored. */
function rangeOf(header: string | null, sizeBytes: number): ByteRange | "none of it" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})/.exec(header ?? "");
  if (!match || match[0] === "bytes=-") return undefined;
  const [, from, to] = match;
  if (!from) return to && Number(to) > 0 && sizeBytes > 0 ? lastBytes(Number(to), sizeBytes) : "none of it";
  const start = Number(from);
  if (start >= sizeBytes) return "none of it";
  const end = to ? Number(to) : -1;
  return { start, end: end < start ? sizeBytes - 1 : Math.min(end, sizeBytes - 1) };
}

const lastBytes = (count: number, sizeBytes: number): ByteRange => ({
  start: Math.max(0, sizeBytes - count),
  end: sizeBytes - 1,
});
