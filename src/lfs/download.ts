import type { BlobBody } from "../blobs/service.ts";
import { disposition, namesTag } from "../http/file-answer.ts";
import type { ByteRange } from "../http/range.ts";
import type { Call } from "../http/route.ts";
import { Failure } from "../kernel/errors.ts";

/**
 * The bytes of an object for git-lfs (contract git-content.md 16.4), which are never shown by a browser.
 * @param name for saving; absent: the client knows
 * @throws Failure 416
 */
export function objectAnswer(call: Call, { blob, file }: BlobBody, name: string | undefined): Response {
  const etag = `"${blob.digest}"`;
  const headers = new Headers({
    etag,
    "cache-control": "private, no-cache",
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    ...(name === undefined ? {} : { "content-disposition": disposition(name, "attachment") }),
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

/** `bytes=a-b`, or to the end; what is written otherwise asks for nothing, as git-lfs resumes in no other way. */
function rangeOf(header: string | null, sizeBytes: number): ByteRange | "none of it" | undefined {
  const match = /^bytes=(\d{1,15})-(\d{0,15})/.exec(header ?? "");
  if (!match) return undefined;
  const start = Number(match[1]);
  if (start >= sizeBytes) return "none of it";
  const end = match[2] ? Number(match[2]) : -1;
  return { start, end: end < start ? sizeBytes - 1 : Math.min(end, sizeBytes - 1) };
}
