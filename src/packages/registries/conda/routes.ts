import { jsonSlices } from "../../../http/respond.ts";
import type { Call, Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { ListedFile } from "../../keyed-files.ts";
import type { SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit, statusText } from "../kit.ts";
import { pathParts } from "../places.ts";
import type { CondaEnding } from "./parse.ts";

/** File property holding the index entry as JSON, without hashes and size. */
const ENTRY = "conda.metadata";

const INDEX = /^(?:current_)?repodata\.json(\.bz2)?$/;
const PACKAGE = /(\.conda|\.tar\.bz2)$/;
const MAX_CHANNEL = 255;

/** The Conda registry, with channels below its address (contract packages.md 9.15). */
export function condaRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "conda",
    services,
    jsonRefusal((message, status) => ({ reason: statusText(status), message })),
  );
  const conda = new CondaRegistry(kit);
  return [
    kit.route({ method: "GET", path: "/*", level: "read", handle: (call, seen) => conda.get(call, seen) }),
    kit.route({ method: "PUT", path: "/*", level: "write", handle: (call, seen) => conda.put(call, seen) }),
  ];
}

/** The prefix of package names in a channel. */
const prefixOf = (channel: string) => (channel === "" ? "" : `${channel}/`);

class CondaRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  async get(call: Call, seen: SeenPackages): Promise<Response> {
    const parts = pathParts(call);
    const [file = "", subdir = ""] = [parts.pop(), parts.pop()];
    const prefix = prefixOf(parts.join("/"));
    if (subdir === "") throw new NotFound("packages.file-missing");
    const [isIndex, packed] = INDEX.exec(file) ?? [];
    if (isIndex === undefined)
      return this.kit.file(
        call,
        this.kit.fileNamed(seen, file, ({ compositeKey }) => compositeKey === subdir, prefix),
      );
    const files: ListedFile[] = this.kit.services.packageKeys.filesInFolder(seen, "conda", {
      compositeKey: subdir,
      prefix,
    });
    const mediaType = packed === undefined ? "application/json" : "application/x-bzip2";
    const etag = `"${tagOf(files)}"`;
    const headers = { "content-type": mediaType, etag, "cache-control": "private, max-age=0, must-revalidate" };
    const { request } = call;
    if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
    // Clients use this to find out which index formats exist.
    if (request.method === "HEAD") return new Response(null, { headers });
    const pieces = this.indexOf(subdir, files);
    if (packed === undefined) return jsonSlices(pieces, headers);
    const bytes = await this.kit.services.pool.run("packages.packBzip2", { text: [...pieces].join("") });
    return new Response(new Uint8Array(bytes), { headers });
  }

  async put(call: Call, seen: SeenPackages): Promise<Response> {
    const parts = pathParts(call);
    const ending = PACKAGE.exec(parts.pop() ?? "")?.[0] as CondaEnding | undefined;
    if (ending === undefined) throw new BadRequest("packages.conda-file");
    const channel = parts.join("/");
    if (!isChannel(channel)) throw new BadRequest("packages.invalid-name");
    using upload = await this.kit.upload(call);
    const { readCondaPackage } = await import("./parse.ts");
    const { build, entry, metadata, name, subdir, version } = await readCondaPackage(
      this.kit.services.pool,
      Bun.file(upload.content.path),
      ending,
    );
    return this.kit.publish(seen, {
      version: { name: `${prefixOf(channel)}${name}`, version, metadata },
      files: [
        {
          name: `${name}-${version}-${build}${ending}`,
          compositeKey: subdir,
          isLead: true,
          content: upload.content,
          properties: [{ name: ENTRY, value: JSON.stringify(entry) }],
        },
      ],
    });
  }

  /** The index of a platform, as JSON in pieces. */
  private *indexOf(subdir: string, files: readonly ListedFile[]): Generator<string> {
    const [older, newer] = [files.filter(({ name }) => !isNew(name)), files.filter(({ name }) => isNew(name))];
    yield `{"info":${JSON.stringify({ subdir })},"packages":`;
    yield* this.entriesOf(older);
    yield ',"packages.conda":';
    yield* this.entriesOf(newer);
    yield ',"removed":[]}';
  }

  private *entriesOf(files: readonly ListedFile[]): Generator<string> {
    let separator = "{";
    for (let at = 0; at < files.length; at += SLICE) {
      const slice = files.slice(at, at + SLICE);
      const properties = this.packages.propertiesOf(
        "file",
        slice.map(({ id }) => id),
      );
      const entries = slice.flatMap(({ id, md5, name, sha256, sizeBytes: size }) => {
        const entry = properties.get(id)?.find((property) => property.name === ENTRY)?.value;
        // A file deleted meanwhile has none.
        if (entry === undefined) return [];
        return `${JSON.stringify(name)}:${entry.slice(0, -1)},${JSON.stringify({ md5, sha256, size }).slice(1)}`;
      });
      if (entries.length === 0) continue;
      yield `${separator}${entries.join(",")}`;
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  }
}

/** An index depends only on which files it lists: files do not change. */
const tagOf = (files: readonly ListedFile[]) =>
  new Bun.CryptoHasher("sha256").update(files.map(({ id }) => id).join()).digest("hex");

const isNew = (file: string) => file.endsWith(".conda");

/** Entries read at once. */
const SLICE = 250;

function isChannel(channel: string): boolean {
  const isName = (part: string) => part !== "." && part !== ".." && !/[\\\p{Cc}]/u.test(part);
  return channel.length <= MAX_CHANNEL && channel.split("/").every(isName);
}
