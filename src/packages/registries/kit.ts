import { bodyStream } from "../../http/body.ts";
import { disposition, namesTag, wantedRange } from "../../http/file-answer.ts";
import { readMultipart } from "../../http/multipart.ts";
import { plain } from "../../http/respond.ts";
import { type Call, type Method, param, type Refuse, type Route } from "../../http/route.ts";
import { BadRequest, type Failure, NotFound } from "../../kernel/errors.ts";
import { segment } from "../../kernel/url-path.ts";
import type { Services } from "../../services.ts";
import { registryAccess } from "../access.ts";
import type { KeyPurpose } from "../owner-keys.ts";
import type { NewVersion, Publication } from "../publishing.ts";
import { seenPackages } from "../subject.ts";
import type { PackageFile, PackageType, ReceivedContent, SeenPackages } from "../types.ts";

/** The building blocks of registries: routes below an owner, bodies stored to disk, file responses, protocol errors. */

/** A route below `/api/packages/{owner}/{type}`. */
export interface RegistryRoute {
  readonly method: Method;
  readonly path: string;
  readonly level: "read" | "write";
  handle(call: Call, seen: SeenPackages): Response | Promise<Response>;
}

/** How a protocol formats errors other than those of access. */
export type RefusalBody = (message: string, status: number, failure: Failure) => Response;

export const plainRefusal: RefusalBody = (message, status) => plain(`${message}\n`, status);

/** Formats an error as JSON. */
export const jsonRefusal =
  (shape: (message: string, status: number) => object, mediaType = "application/json"): RefusalBody =>
  (message, status) =>
    new Response(JSON.stringify(shape(message, status)), { status, headers: { "content-type": mediaType } });

const statusTexts: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  413: "Content Too Large",
};

/** The reason phrase of a status, which some protocols send with the message. */
export const statusText = (status: number): string => statusTexts[status] ?? String(status);

/** Bounds the search in `fileNamed`: any dash may be the one after the package's name. */
const MAX_FILE_NAME = 500;

/** The message that registry clients expect (contract packages.md 2.3). */
const BAD_CREDENTIALS = "Failed to authenticate user";
const CHALLENGE = { "www-authenticate": 'Basic realm="Gitea Package API"' };

/** All registries report access errors in plain text (contract packages.md 2.3 and 4). */
const ofAccess = new Set(["packages.needs-access", "packages.public-only", "packages.owner-missing"]);

export function refusalOf(body: RefusalBody): Refuse {
  return (failure, message) => {
    if (failure.status === 401) {
      const said = failure.code === "access.bad-credentials" ? BAD_CREDENTIALS : message;
      return plain(`${said}\n`, 401, CHALLENGE);
    }
    if (ofAccess.has(failure.code)) return plain(`${message}\n`, failure.status);
    // These clients expect 400 for invalid input.
    return body(message, failure.status === 422 ? 400 : failure.status, failure);
  };
}

/** Builds the routes of a registry of one type. */
export class RegistryKit {
  constructor(
    readonly type: PackageType,
    readonly services: Services,
    private readonly refusal: RefusalBody = plainRefusal,
  ) {}

  get base(): string {
    return `/api/packages/:owner/${this.type}`;
  }

  route({ handle, level, method, path }: RegistryRoute): Route {
    return {
      method,
      path: `${this.base}${path}`,
      surface: "registry",
      access: registryAccess(level),
      refuse: refusalOf(this.refusal),
      handle: (call) => handle(call, seenPackages(call)),
    };
  }

  /** A route that only returns addresses of others: clients request it without credentials, also for hidden owners. */
  openRoute(path: string, answer: (address: string) => Promise<Response>): Route {
    const { identity } = this.services;
    return {
      method: "GET",
      path: `${this.base}${path}`,
      surface: "open",
      access: { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true },
      refuse: refusalOf(this.refusal),
      handle: (call) => {
        const owner = identity.byLogin(param(call, "owner"));
        if (!owner) throw new NotFound("packages.owner-missing");
        return answer(this.urlOf({ owner }));
      },
    };
  }

  /** The URL of an owner's registry, without a trailing slash. */
  urlOf({ owner }: Pick<SeenPackages, "owner">): string {
    return `${this.services.links.rootUrl}api/packages/${segment(owner.login)}/${this.type}`;
  }

  /** Receives an upload: the file of a form, or else the body itself. @throws BadRequest if the form has no file */
  async upload(call: Call, { field }: { readonly field?: string } = {}): Promise<Upload> {
    return receiveUpload(this.services, call, seenPackages(call), this.type, field);
  }

  /** Publishes, and responds with an empty 201. */
  publish(
    seen: SeenPackages,
    publication: Omit<Publication, "version"> & { version: Omit<NewVersion, "type"> },
  ): Response {
    this.services.packagePublisher.publish(seen, {
      ...publication,
      version: { ...publication.version, type: this.type },
    });
    return new Response(null, { status: 201 });
  }

  /**
   * Finds a file whose name begins with its package's name and a dash, for clients that request only the file name.
   * @param isWanted filters the files with that name
   * @param prefix precedes this part of the package's name
   * @throws NotFound, Unauthorised
   */
  fileNamed(
    seen: SeenPackages,
    name: string,
    isWanted: (file: PackageFile) => boolean = () => true,
    prefix = "",
  ): PackageFile {
    const { packages } = this.services;
    if (name.length > MAX_FILE_NAME) throw new NotFound("packages.file-missing");
    for (let dash = name.lastIndexOf("-"); dash > 0; dash = name.lastIndexOf("-", dash - 1)) {
      const found = packages.look(seen, this.type, prefix + name.slice(0, dash));
      const file = found && packages.filesNamed(found, name).find(isWanted);
      if (file) return file;
    }
    throw new NotFound("packages.file-missing");
  }

  /** The public key for verifying the registry's signatures, created on first use. */
  async publicKey({ owner }: SeenPackages, purpose: Exclude<KeyPurpose, "alpine">): Promise<Response> {
    const key = await this.services.packageOwnerKeys.publicKey(owner, purpose);
    return new Response(key, { headers: { "content-type": "application/pgp-keys" } });
  }

  /** A response with the file. */
  file(call: Call, file: PackageFile, answer: Partial<FileAnswer> = {}): Response {
    const opened = this.services.packages.open(file, call.request.method === "GET" && !isContinued(call));
    return packageFileAnswer(call, file, opened, answer);
  }
}

/** Whether a request continues an earlier download, which was counted already. */
export function isContinued({ request }: Call): boolean {
  const range = request.headers.get("range");
  return range !== null && !/^bytes=0?-/.test(range);
}

export interface FileAnswer {
  readonly mediaType: string;
  /** The name to save it as; by default the file's own. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A response with a package file: supports ranges and conditional requests, and lets no browser execute it
 * (contract packages.md 4).
 * @throws BadRequest for several ranges; Failure 416
 */
export function packageFileAnswer(
  call: Call,
  file: Pick<PackageFile, "createdAt" | "name" | "sha256" | "sizeBytes">,
  opened: globalThis.Blob,
  { headers: more, mediaType = "application/octet-stream", name = file.name }: Partial<FileAnswer> = {},
): Response {
  const lastModified = new Date(Math.floor(file.createdAt / 1000) * 1000);
  const headers = new Headers({
    "content-type": mediaType,
    "content-disposition": disposition(name, "attachment"),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "last-modified": lastModified.toUTCString(),
    etag: `"${file.sha256}"`,
    "cache-control": "private, max-age=0, must-revalidate",
    "access-control-expose-headers": "Content-Disposition",
    "accept-ranges": "bytes",
    ...more,
  });
  const { request } = call;
  const given = request.headers.get("if-none-match");
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  const isKnown = given === null ? since >= lastModified.getTime() : given.includes(file.sha256);
  if (isKnown) return new Response(null, { status: 304, headers });
  const range = wantedRange(call, file.sizeBytes, headers);
  if (!range) {
    if (request.method === "HEAD") headers.set("content-length", String(file.sizeBytes));
    return new Response(opened, { headers });
  }
  headers.set("content-range", `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  return new Response(opened.slice(range.start, range.end + 1, mediaType), { status: 206, headers });
}

/**
 * A text list that clients cache: they revalidate it by its tag, or request only what was appended since.
 * @param tag without its quotes
 */
export function listAnswer(
  call: Call,
  text: string,
  tag: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const bytes = Buffer.from(text);
  const etag = `"${tag}"`;
  const headers = new Headers({
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "private, max-age=0, must-revalidate",
    etag,
    "accept-ranges": "bytes",
    ...more,
  });
  if (namesTag(call.request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const range = wantedRange(call, bytes.byteLength, headers);
  if (!range) return new Response(bytes, { headers });
  headers.set("content-range", `bytes ${range.start}-${range.end}/${bytes.byteLength}`);
  return new Response(bytes.subarray(range.start, range.end + 1), { status: 206, headers });
}

/** A received file, and the other fields of its form. */
export interface Upload extends Disposable {
  readonly content: ReceivedContent;
  /** The sender's name for the file; undefined if the file was the body itself. */
  readonly fileName: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const MAX_FIELD_BYTES = 4 << 20;
/** No file is longer; the limit of the type is enforced while receiving. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER / 4;

async function receiveUpload(
  { packageContents }: Services,
  call: Call,
  { principal }: SeenPackages,
  type: PackageType,
  field: string | undefined,
): Promise<Upload> {
  call.keepOpen();
  const { request } = call;
  const contentType = request.headers.get("content-type") ?? "";
  const from = { principal, type };
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) throw new BadRequest("packages.no-file", { field });
  if (!/^multipart\/form-data/i.test(contentType)) {
    const content = await packageContents.receive(bodyStream(call, MAX_BODY_BYTES), from);
    return { content, fileName: undefined, fields: [], [Symbol.dispose]: () => content[Symbol.dispose]() };
  }
  const limits = {
    maxFiles: 16,
    maxFileBytes: MAX_BODY_BYTES / 32,
    maxFieldBytes: MAX_FIELD_BYTES,
    fileFields: field === undefined ? [] : [field],
  };
  const form = await readMultipart(bodyStream(call, MAX_BODY_BYTES), contentType, limits, ({ bytes }) =>
    packageContents.receive(bytes, from),
  );
  const found = form.files.find((each) => field === undefined || each.field === field);
  if (!found) {
    form[Symbol.dispose]();
    throw new BadRequest("packages.no-file", { field });
  }
  return {
    content: found.file,
    fileName: found.name,
    fields: form.fields,
    [Symbol.dispose]: () => form[Symbol.dispose](),
  };
}
