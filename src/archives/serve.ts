import { disposition, namesTag, wantedRange } from "../http/file-answer.ts";
import type { Call } from "../http/route.ts";
import { contentPolicyOf } from "../kernel/media-type.ts";
import { repoAddress } from "../repos/addresses.ts";
import { seenRepo } from "../repos/subject.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import type { RepoArchive } from "./service.ts";

type Needed = Pick<Services, "archives" | "links">;

/**
 * An archive as a download, with the headers that caches and resuming clients need. Its first bytes are sent while the
 * rest is made; a range of an unfinished archive waits until it is complete.
 * @throws BadRequest or 416 for a bad range
 */
export async function serveArchive(services: Needed, call: Call, archive: RepoArchive): Promise<Response> {
  const seen = seenRepo(call);
  const { request } = call;
  const headers = headersOf(services, seen, archive);
  const etag = headers.get("etag") ?? "";
  if (namesTag(request.headers.get("if-none-match"), etag.replace(/^W\//, ""))) {
    for (const name of ["content-type", "content-disposition"]) headers.delete(name);
    return new Response(null, { status: 304, headers });
  }
  // Not made for a HEAD request, so its length is unknown.
  if (request.method === "HEAD") return new Response(new ReadableStream({}, { highWaterMark: 0 }), { headers });
  // Large ones take minutes, and the contract sets no limit.
  call.keepOpen();
  const opened = await services.archives.open(archive);
  const isPart = archive.isStable && request.headers.has("range");
  if (!isPart) {
    if (opened.sizeBytes !== undefined) headers.set("content-length", String(opened.sizeBytes));
    return new Response(opened.read(), { headers });
  }
  try {
    const sizeBytes = await opened.complete();
    const range = wantedRange(call, sizeBytes, headers);
    headers.set("content-length", String(range ? range.end - range.start + 1 : sizeBytes));
    if (range) headers.set("content-range", `bytes ${range.start}-${range.end}/${sizeBytes}`);
    return new Response(opened.read(range), { status: range ? 206 : 200, headers });
  } catch (error) {
    opened.release();
    throw error;
  }
}

function headersOf({ links }: Needed, seen: SeenRepo, archive: RepoArchive): Headers {
  const { repo } = seen;
  const { commit, format, isStable, key, ref } = archive;
  const type = "application/octet-stream";
  const immutable = `${repoAddress(seen, links)}/archive/${commit}.${format}?rev=${commit}`;
  return new Headers({
    etag: isStable ? `"${key}"` : `W/"${key}"`,
    // A branch moves on: clients with an old archive must revalidate it.
    "cache-control": "max-age=0, private, must-revalidate",
    "content-type": type,
    "content-disposition": disposition(`${repo.name}-${ref.replaceAll("/", "-")}.${format}`, "attachment"),
    "content-security-policy": contentPolicyOf(type) ?? "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "accept-ranges": isStable ? "bytes" : "none",
    link: `<${immutable}>; rel="immutable"`,
    "access-control-expose-headers": "Content-Disposition, Link",
  });
}
