import { bodyStream, readBody } from "../../../http/body.ts";
import { JSON_TYPE } from "../../../http/respond.ts";
import type { Call, Method, Refuse, Route } from "../../../http/route.ts";
import { BadRequest, NotFound, TooLarge, Unauthorised } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import { registryAccess, registryRefusal } from "../../access.ts";
import { seenPackages } from "../../subject.ts";
import { LIFE_SECONDS } from "../../tokens.ts";
import type { PackageFile, SeenPackages } from "../../types.ts";
import type { ChunkRange } from "../../uploads.ts";
import { requireWrite } from "../../viewer.ts";
import { isContinued, packageFileAnswer } from "../kit.ts";
import { ContainerImages } from "./images.ts";
import { isDigest, looksLikeDigest } from "./manifest.ts";

const VERSION = { "docker-distribution-api-version": "registry/2.0" };
const MAX_MANIFEST_BYTES = 10 << 20;
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER / 4;
const MAX_PAGE = 100;

const IMAGE = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
/** The path after the owner: an image, which may contain slashes, and the resource of it. */
const BELOW = /^(.+?)\/(blobs\/uploads|blobs|manifests|tags|referrers)(?:\/([^/]*))?\/?$/;

/** Error codes that clients expect in addition to the status. */
const CODES: Readonly<Record<string, string>> = {
  "packages.image-name": "NAME_INVALID",
  "packages.image-unknown": "NAME_UNKNOWN",
  "packages.digest-invalid": "DIGEST_INVALID",
  "packages.blob-unknown": "BLOB_UNKNOWN",
  "packages.blob-size": "SIZE_INVALID",
  "packages.child-unknown": "MANIFEST_BLOB_UNKNOWN",
  "packages.manifest-unknown": "MANIFEST_UNKNOWN",
  "packages.manifest-invalid": "MANIFEST_INVALID",
  "packages.manifest-media-type": "MANIFEST_INVALID",
  "packages.manifest-schema": "UNSUPPORTED",
  "packages.manifest-tag": "MANIFEST_INVALID",
  "packages.manifest-too-large": "MANIFEST_INVALID",
  "packages.upload-unknown": "BLOB_UPLOAD_UNKNOWN",
  "packages.upload-range": "BLOB_UPLOAD_INVALID",
  "packages.upload-size": "BLOB_UPLOAD_INVALID",
  "packages.upload-stream": "BLOB_UPLOAD_INVALID",
};

const json = (value: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { headers: { "content-type": JSON_TYPE, ...VERSION, ...headers } });
const empty = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { ...VERSION, ...headers } });

/** Container images, and other artifacts of the OCI distribution protocol (contract packages.md 9.3). */
export function containerRoutes(services: Services): Route[] {
  const registry = new ContainerRegistry(services);
  const refuse = refusal(services);
  const root = (path: string, handle: (call: Call) => Response | Promise<Response>): Route => {
    const { subject: _, ...access } = registryAccess("read");
    return { method: "GET", path, surface: "registry", access, refuse, handle };
  };
  const below = (
    method: Method,
    level: "read" | "write",
    handle: (call: Call, asked: Asked) => Response | Promise<Response>,
  ): Route => ({
    method,
    path: "/v2/:owner/*",
    surface: "registry",
    access: registryAccess(level),
    refuse,
    handle: async (call) => handle(call, askedOf(call)),
  });
  return [
    root("/v2", (call) => {
      registry.requireUsable(call);
      return empty(200);
    }),
    root("/v2/token", (call) => registry.token(call)),
    // The OAuth 2.0 variant, which is not supported: clients then fall back to GET.
    {
      ...root("/v2/token", () => {
        throw new NotFound("packages.owner-missing");
      }),
      method: "POST",
    },
    root("/v2/_catalog", (call) => registry.catalog(call)),
    below("GET", "read", (call, asked) => registry.get(call, asked)),
    below("POST", "write", (call, asked) => registry.post(call, asked)),
    below("PATCH", "write", (call, asked) => registry.patch(call, asked)),
    below("PUT", "write", (call, asked) => registry.put(call, asked)),
    below("DELETE", "write", (call, asked) => registry.delete(call, asked)),
  ];
}

/** The requested image and resource. */
interface Asked {
  readonly seen: SeenPackages;
  readonly image: string;
  readonly part: string;
  /** A digest, a tag or an upload; empty if none. */
  readonly id: string;
}

function askedOf(call: Call): Asked {
  const seen = seenPackages(call);
  requireToken(call, seen);
  const match = BELOW.exec(call.params["*"] ?? "");
  if (!match) throw new NotFound("packages.owner-missing");
  const [, image = "", part = "", id = ""] = match;
  if (image.length > 255 || !IMAGE.test(image)) throw new BadRequest("packages.image-name");
  return { seen, image, part, id };
}

/** Even public content requires a token, which anonymous callers can get too. @throws Unauthorised */
function requireToken({ principal }: Call, seen?: SeenPackages): void {
  if (principal.via === "nothing") throw registryRefusal(principal, seen?.owner ?? { visibility: "public" });
}

function refusal({ config, links }: Services): Refuse {
  const { origin } = new URL(links.rootUrl);
  return (failure, message) => {
    if (failure.status === 401) {
      if (failure.code === "packages.needs-access")
        return new Response(`${message}\n`, {
          status: 401,
          headers: { "www-authenticate": 'Basic realm="Gitea Package API"' },
        });
      const headers = new Headers({ "content-type": JSON_TYPE, ...VERSION });
      headers.append("www-authenticate", `Bearer realm="${origin}/v2/token",service="container_registry",scope="*"`);
      const isOpen = (failure.params["owner"] ?? "public") === "public" && !config.require_signin;
      if (!isOpen) headers.append("www-authenticate", 'Basic realm="Gitea Container Registry"');
      return new Response(JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "" }] }), {
        status: 401,
        headers,
      });
    }
    if (failure.status === 403) return empty(403);
    const code = CODES[failure.code] ?? (failure.status === 404 ? "NAME_UNKNOWN" : "UNSUPPORTED");
    const status = failure.status === 422 ? 400 : failure.status;
    return new Response(JSON.stringify({ errors: [{ code, message }] }), {
      status,
      headers: { "content-type": JSON_TYPE, ...VERSION },
    });
  };
}

class ContainerRegistry {
  private readonly images: ContainerImages;

  constructor(private readonly services: Services) {
    this.images = new ContainerImages(services);
  }

  async token({ principal }: Call): Promise<Response> {
    const { config, packageTokens } = this.services;
    if (principal.via === "nothing" && config.require_signin) throw new Unauthorised("packages.needs-credentials");
    const token = await packageTokens.issue(principal);
    return json({ token, access_token: token, expires_in: LIFE_SECONDS, issued_at: new Date().toISOString() });
  }

  /** @throws Unauthorised without a token, or if its account may not be used */
  requireUsable(call: Call): void {
    requireToken(call);
    const { principal } = call;
    if (!this.services.packageTokens.isUsable(principal)) throw registryRefusal(principal, { visibility: "public" });
  }

  catalog(call: Call): Response {
    this.requireUsable(call);
    const { limit, last } = pageOf(call, MAX_PAGE);
    const names = this.services.packages.catalog(call.principal, last, limit);
    const isFull = names.length === limit && limit > 0;
    const next = isFull
      ? `</v2/_catalog?last=${encodeURIComponent(names.at(-1) ?? "")}&n=${limit}>; rel="next"`
      : undefined;
    return json({ repositories: names }, next ? { link: next } : {});
  }

  get(call: Call, asked: Asked): Response | Promise<Response> {
    const { id, image, part, seen } = asked;
    if (part === "blobs/uploads") {
      requireWriter(seen);
      const upload = this.services.packageUploads.find(seen, image, id);
      return empty(204, uploadHeaders(asked, upload));
    }
    if (part === "blobs") {
      const file = this.images.blob(seen, image, id);
      if (!file) throw new NotFound("packages.blob-unknown");
      return this.file(call, file, "application/octet-stream");
    }
    if (part === "manifests") {
      const { file, mediaType } = this.images.manifest(seen, image, id);
      return this.file(call, file, mediaType);
    }
    if (part === "tags" && id === "list") return this.tags(call, asked);
    if (part === "referrers" && looksLikeDigest(id)) return this.referrers(call, asked);
    throw new NotFound("packages.image-unknown");
  }

  async post(call: Call, asked: Asked): Promise<Response> {
    const { id, image, part, seen } = asked;
    if (part !== "blobs/uploads" || id !== "") throw new NotFound("packages.image-unknown");
    const { packagePublisher, packageContents, packageUploads } = this.services;
    packagePublisher.requireRoom(seen, "container", 0, 0);
    const mount = call.query.get("mount") ?? "";
    const from = call.query.get("from") ?? "";
    const mounted = mount === "" || from === "" ? undefined : this.mountable(call, mount, from);
    if (mounted) {
      this.images.addBlob(seen, image, mounted);
      return this.stored(asked, mount);
    }
    const digest = call.query.get("digest");
    if (digest !== null) {
      call.keepOpen();
      using content = await packageContents.receive(bodyStream(call, MAX_BODY_BYTES), {
        principal: seen.principal,
        type: "container",
      });
      if (digest !== `sha256:${content.sha256}`) throw new BadRequest("packages.digest-invalid");
      this.images.addBlob(seen, image, content);
      return this.stored(asked, digest);
    }
    return empty(202, uploadHeaders(asked, packageUploads.start(seen, image)));
  }

  async patch(call: Call, asked: Asked): Promise<Response> {
    const { id, image, part, seen } = asked;
    if (part !== "blobs/uploads") throw new NotFound("packages.image-unknown");
    const { packageUploads } = this.services;
    const upload = packageUploads.find(seen, image, id);
    call.keepOpen();
    const range = rangeOf(call.request.headers.get("content-range"));
    const grown = await packageUploads.append(seen, upload, bodyStream(call, MAX_BODY_BYTES), range);
    return empty(202, uploadHeaders(asked, grown));
  }

  async put(call: Call, asked: Asked): Promise<Response> {
    const { part } = asked;
    if (part === "blobs/uploads") return this.finish(call, asked);
    if (part === "manifests") return this.putManifest(call, asked);
    throw new NotFound("packages.image-unknown");
  }

  delete(_: Call, { id, image, part, seen }: Asked): Response {
    if (part === "blobs/uploads") {
      const { packageUploads } = this.services;
      packageUploads.remove(packageUploads.find(seen, image, id));
      return empty(204);
    }
    if (part === "blobs") {
      if (!looksLikeDigest(id)) throw new NotFound("packages.blob-unknown");
      if (isDigest(id)) this.images.deleteBlob(seen, image, id);
      return empty(202);
    }
    if (part !== "manifests") throw new NotFound("packages.image-unknown");
    this.images.deleteManifest(seen, image, id);
    return empty(202);
  }

  /** The request may carry the last chunk. */
  private async finish(call: Call, asked: Asked): Promise<Response> {
    const { id, image, seen } = asked;
    const { packageUploads } = this.services;
    const upload = packageUploads.find(seen, image, id);
    const digest = call.query.get("digest") ?? "";
    if (!looksLikeDigest(digest)) throw new BadRequest("packages.digest-invalid");
    call.keepOpen();
    const end = upload.bytesReceived;
    const sent = rangeOf(call.request.headers.get("content-range"));
    const hasBody = call.request.body !== null && call.request.headers.get("content-length") !== "0";
    const grown = hasBody
      ? await packageUploads.append(
          seen,
          upload,
          bodyStream(call, MAX_BODY_BYTES),
          sent ?? { start: end, end: undefined },
        )
      : upload;
    using content = await packageUploads.finish(seen, grown);
    if (digest !== `sha256:${content.sha256}`) throw new BadRequest("packages.digest-invalid");
    this.images.addBlob(seen, image, content, () => packageUploads.remove(grown));
    return this.stored(asked, digest);
  }

  private async putManifest(call: Call, asked: Asked): Promise<Response> {
    const { id, image, seen } = asked;
    if (!id.includes(":") && !TAG.test(id)) throw new BadRequest("packages.manifest-tag");
    const bytes = await manifestBody(call);
    using content = await this.services.packageContents.receiveBytes(bytes, {
      principal: seen.principal,
      type: "container",
    });
    const contentType = call.request.headers.get("content-type") ?? "";
    const { subject } = await this.images.putManifest(seen, image, id, { bytes, content, contentType });
    return empty(201, {
      location: `/v2/${seen.owner.login.toLowerCase()}/${image}/manifests/${id}`,
      "docker-content-digest": `sha256:${content.sha256}`,
      ...(subject === undefined ? {} : { "oci-subject": subject }),
    });
  }

  private tags(call: Call, { image, seen }: Asked): Response {
    const { last, limit } = pageOf(call, Number.MAX_SAFE_INTEGER);
    const all = this.images.tags(seen, image).filter((tag) => tag > last);
    const tags = all.slice(0, limit);
    const name = `${seen.owner.login.toLowerCase()}/${image}`;
    const isMore = tags.length > 0 && all.length > tags.length;
    const link = `</v2/${name}/tags/list?last=${encodeURIComponent(tags.at(-1) ?? "")}&n=${limit}>; rel="next"`;
    return json({ name, tags }, isMore ? { link } : {});
  }

  private async referrers(call: Call, { id, image, seen }: Asked): Promise<Response> {
    const wanted = call.query.get("artifactType") ?? "";
    const all = await this.images.referrers(seen, image, id);
    const manifests =
      wanted === "" ? all : all.filter((each) => "artifactType" in each && each.artifactType === wanted);
    const mediaType = "application/vnd.oci.image.index.v1+json";
    return json(
      { schemaVersion: 2, mediaType, manifests },
      { "content-type": mediaType, ...(wanted === "" ? {} : { "oci-filters-applied": "artifactType" }) },
    );
  }

  /** A blob of another image that the caller may read. */
  private mountable(call: Call, digest: string, from: string): PackageFile | undefined {
    const slash = from.indexOf("/");
    const source = slash < 0 ? undefined : this.services.packagesAccess.see(call.principal, from.slice(0, slash));
    return source && this.images.blob(source, from.slice(slash + 1), digest);
  }

  private stored({ image, seen }: Asked, digest: string): Response {
    const location = `/v2/${seen.owner.login.toLowerCase()}/${image}/blobs/${digest}`;
    return empty(201, { location, "docker-content-digest": digest });
  }

  private file(call: Call, file: PackageFile, mediaType: string): Response {
    const opened = this.services.packages.open(file, call.request.method === "GET" && !isContinued(call));
    const digest = `sha256:${file.sha256}`;
    const headers = { ...VERSION, "docker-content-digest": digest, etag: `"${digest}"` };
    return packageFileAnswer(call, file, opened, { mediaType, headers });
  }
}

function requireWriter(seen: SeenPackages): void {
  try {
    requireWrite(seen);
  } catch {
    throw registryRefusal(seen.principal, seen.owner);
  }
}

/** @throws TooLarge with its own message */
async function manifestBody(call: Call): Promise<Uint8Array> {
  try {
    return await readBody(call, MAX_MANIFEST_BYTES);
  } catch (error) {
    throw error instanceof TooLarge ? new TooLarge("packages.manifest-too-large") : error;
  }
}

function uploadHeaders(
  { image, seen }: Asked,
  { bytesReceived, id }: { readonly id: string; readonly bytesReceived: number },
): Record<string, string> {
  return {
    location: `/v2/${seen.owner.login.toLowerCase()}/${image}/blobs/uploads/${id}`,
    "docker-upload-uuid": id,
    ...(bytesReceived > 0 ? { range: `0-${bytesReceived - 1}` } : {}),
  };
}

/** @throws BadRequest */
function rangeOf(header: string | null): ChunkRange | undefined {
  if (header === null) return undefined;
  const match = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/.*)?$/.exec(header.trim());
  if (!match) throw new BadRequest("packages.upload-size");
  return { start: Number(match[1]), end: Number(match[2]) };
}

function pageOf({ query }: Call, max: number): { limit: number; last: string } {
  const given = query.get("n") ?? "";
  const limit = /^\d{1,9}$/.test(given) ? Math.min(Number(given), max) : max;
  return { limit, last: query.get("last") ?? "" };
}
