import { disposition, namesTag, wantedRange } from "../../http/file-answer.ts";
import { slice } from "../../http/range.ts";
import type { Call } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { contentPolicyOf, mediaTypeOf, SNIFFED_BYTES } from "../../kernel/media-type.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { FileEntry } from "../files/entry.ts";
import { encodePath } from "../paths.ts";
import type { NamedCommit } from "../revisions/service.ts";

/** Files up to this size are read at once: they are likely to be in the object cache. */
const WHOLE_BYTES = 256 * 1024;
const CACHED_SECONDS = 21_600;

type Needed = Pick<Services, "commits" | "config" | "files" | "history">;

/** The content sent for a file. */
interface Content {
  /** Identifies these bytes. */
  readonly tag: string;
  readonly sizeBytes: number;
  modifiedMs(): Promise<number | undefined>;
  /** The first bytes, and the whole: in memory if small, otherwise a stream or a file. */
  open(): Promise<{ head: Uint8Array; body: Bytes | ReadableStream<Uint8Array> | Blob }>;
}

/**
 * The bytes of a file or the target of a link, with all headers for caches and browsers (contract git-content.md 5.1).
 * Large files are streamed; a HEAD request produces no body.
 * @throws NotFound for directories and submodules; BadRequest or 416 for a bad range
 */
export function serveFile(
  services: Needed,
  call: Call,
  seen: SeenRepo,
  at: NamedCommit,
  entry: FileEntry,
): Promise<Response> {
  return serve(services, call, seen, entry, {
    tag: entry.oid,
    sizeBytes: entry.sizeBytes,
    modifiedMs: () => lastModified(services, seen, at, entry),
    open: () => open(services, seen, entry),
  });
}

/** Serves the large file that a pointer refers to, if the repository has it. */
export function serveMedia(
  services: Needed & Pick<Services, "lfs">,
  call: Call,
  seen: SeenRepo,
  at: NamedCommit,
  entry: FileEntry,
): Promise<Response> {
  const pointer = services.files.lfsPointer(seen, entry);
  const found = pointer && services.lfs.pointedAt(seen, pointer);
  if (!found) return serveFile(services, call, seen, at, entry);
  const { object, body } = found;
  return serve(services, call, seen, entry, {
    tag: object.oid,
    sizeBytes: object.sizeBytes,
    modifiedMs: async () => Math.floor(object.updatedAt / 1000) * 1000,
    open: async () => ({ head: await body.file.slice(0, SNIFFED_BYTES).bytes(), body: body.file }),
  });
}

async function serve(
  { config }: Pick<Services, "config">,
  call: Call,
  seen: SeenRepo,
  entry: FileEntry,
  { modifiedMs: modified, open: opened, sizeBytes, tag }: Content,
): Promise<Response> {
  if (entry.kind !== "file" && entry.kind !== "symlink") throw new NotFound();
  const { request } = call;
  const etag = `"${tag}"`;
  const headers = new Headers({
    etag,
    "cache-control": cacheControl(config, seen),
    "x-service-object-type": entry.kind,
    "x-gitea-object-type": entry.kind,
    "x-forgejo-object-type": entry.kind,
    "access-control-expose-headers":
      "Content-Disposition, X-Service-Object-Type, X-Gitea-Object-Type, X-Forgejo-Object-Type",
  });
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const modifiedMs = await modified();
  if (modifiedMs !== undefined) {
    headers.set("last-modified", new Date(modifiedMs).toUTCString());
    const known = Date.parse(request.headers.get("if-modified-since") ?? "");
    if (!Number.isNaN(known) && modifiedMs <= known) return new Response(null, { status: 304, headers });
  }
  const { head, body } = await opened();
  const type = entry.kind === "symlink" ? "text/plain; charset=utf-8" : mediaTypeOf(head);
  headers.set("content-type", type);
  headers.set("content-disposition", disposition(entry.name, "inline", encodePath(entry.name.replaceAll("/", "_"))));
  headers.set("x-content-type-options", "nosniff");
  headers.set("accept-ranges", "bytes");
  const policy = contentPolicyOf(type);
  if (policy !== undefined) headers.set("content-security-policy", policy);
  const range = wantedRange(call, sizeBytes, headers);
  if (!range) {
    headers.set("content-length", String(sizeBytes));
    return new Response(body, { headers });
  }
  headers.set("content-length", String(range.end - range.start + 1));
  headers.set("content-range", `bytes ${range.start}-${range.end}/${sizeBytes}`);
  const part = body instanceof ReadableStream ? slice(body, range) : body.slice(range.start, range.end + 1);
  return new Response(part, { status: 206, headers });
}

type Bytes = Uint8Array<ArrayBuffer>;

async function open(
  { files }: Needed,
  seen: SeenRepo,
  entry: FileEntry,
): Promise<{ head: Uint8Array; body: Bytes | ReadableStream<Uint8Array> }> {
  if (entry.sizeBytes <= WHOLE_BYTES) {
    const data = files.bytes(seen, entry.oid, WHOLE_BYTES) ?? new Uint8Array(0);
    // A copy: the buffer may belong to the object cache, and the response outlives this call.
    return { head: data, body: new Uint8Array(data) };
  }
  return await peeked(files.stream(seen, entry.oid));
}

/** Reads the first bytes of a stream and returns a stream that still includes them. */
async function peeked(
  stream: ReadableStream<Uint8Array>,
): Promise<{ head: Uint8Array; body: ReadableStream<Uint8Array> }> {
  const reader = stream.getReader();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < SNIFFED_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  const head = Buffer.concat(first).subarray(0, SNIFFED_BYTES);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const early = first.shift();
      if (early) {
        controller.enqueue(early);
        return;
      }
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { head, body };
}

async function lastModified(
  { commits, history }: Needed,
  seen: SeenRepo,
  at: NamedCommit,
  entry: FileEntry,
): Promise<number | undefined> {
  const last = await history.lastCommit(seen, at.commit, entry.path);
  const read = last === undefined ? undefined : commits.read(seen, last);
  return read && read.commit.committer.timestamp * 1000;
}

function cacheControl(config: Services["config"], { repo, owner }: SeenRepo): string {
  const open = !repo.isPrivate && owner.visibility === "public" && !config.require_signin;
  return `${open ? "public" : "private"}, max-age=${CACHED_SECONDS}`;
}
