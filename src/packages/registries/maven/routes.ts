import { readBody } from "../../../http/body.ts";
import { plain } from "../../../http/respond.ts";
import type { Call, Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { pathParts } from "../places.ts";

const METADATA = "maven-metadata.xml";
const CHECKSUM = /\.(md5|sha1|sha256|sha512)$/;
const MAX_CHECKSUM_BYTES = 4096;
const MAX_POM_BYTES = 10 << 20;
const MEDIA_TYPES: Readonly<Record<string, string>> = { ".jar": "application/java-archive", ".pom": "text/xml" };

type Algorithm = "md5" | "sha1" | "sha256" | "sha512";

/** The meaning of a Maven path. */
interface Place {
  /** `group.id:artifact` */
  readonly name: string;
  readonly group: string;
  readonly artifact: string;
  /** undefined: the artifact as a whole. */
  readonly version: string | undefined;
  readonly file: string;
  readonly checksum: Algorithm | undefined;
}

/** The registry for Maven and Gradle (contract packages.md 9.7). */
export function mavenRoutes(services: Services): Route[] {
  const kit = new RegistryKit("maven", services);
  const maven = new MavenRegistry(kit);
  return [
    kit.route({ method: "GET", path: "/*", level: "read", handle: (call, seen) => maven.get(call, seen) }),
    kit.route({ method: "PUT", path: "/*", level: "write", handle: (call, seen) => maven.put(call, seen) }),
  ];
}

/** @throws BadRequest */
function placeOf(call: Call): Place {
  const invalid = () => new BadRequest("packages.maven-path");
  const parts = pathParts(call);
  const last = parts.pop() ?? "";
  const checksum = CHECKSUM.exec(last)?.[1] as Algorithm | undefined;
  const file = checksum === undefined ? last : last.slice(0, -checksum.length - 1);
  const isOfAll = file === METADATA && !parts.at(-1)?.endsWith("-SNAPSHOT");
  const version = isOfAll ? undefined : parts.pop();
  const artifact = parts.pop() ?? "";
  const group = parts.join(".");
  const named = [group, artifact, version ?? ""];
  if (group === "" || artifact === "" || file === "" || (!isOfAll && !version)) throw invalid();
  if (named.some((text) => text.length > 255 || /[\\/:"<>|?*\p{Cc}]/u.test(text))) throw invalid();
  if (file.length > 255 || /[\\/\p{Cc}]/u.test(file)) throw invalid();
  return { name: `${group}:${artifact}`, group, artifact, version, file, checksum };
}

class MavenRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  get(call: Call, seen: SeenPackages): Response {
    const place = placeOf(call);
    if (place.version === undefined) return this.list(seen, place);
    const file = this.fileAt(seen, place);
    if (place.checksum !== undefined) return plain(file[place.checksum]);
    const mediaType = MEDIA_TYPES[/\.\w+$/.exec(place.file)?.[0] ?? ""] ?? "application/octet-stream";
    return this.kit.file(call, file, { mediaType });
  }

  async put(call: Call, seen: SeenPackages): Promise<Response> {
    const place = placeOf(call);
    const { checksum, file, name, version } = place;
    if (version === undefined) {
      // The server generates the list of versions itself.
      await readBody(call, MAX_POM_BYTES);
      return plain("");
    }
    if (checksum !== undefined) {
      const sent = new TextDecoder().decode(await readBody(call, MAX_CHECKSUM_BYTES)).trim();
      if (this.fileAt(seen, place)[checksum] !== sent.toLowerCase()) throw new BadRequest("packages.hash-mismatch");
      return plain("");
    }
    using upload = await this.kit.upload(call);
    const isPom = file.toLowerCase().endsWith(".pom");
    return this.kit.publish(seen, {
      version: {
        name,
        version,
        metadata: isPom ? await this.pom(upload.content.path, upload.content.sizeBytes) : undefined,
      },
      refreshesMetadata: isPom,
      files: [{ name: file, isLead: isPom, content: upload.content, overwrites: file === METADATA }],
    });
  }

  private async pom(path: string, sizeBytes: number) {
    if (sizeBytes > MAX_POM_BYTES) throw new BadRequest("packages.maven-pom");
    const { readPom } = await import("./parse.ts");
    return readPom(await Bun.file(path).bytes());
  }

  /** @throws NotFound */
  private fileAt(seen: SeenPackages, { file, name, version = "" }: Place): PackageFile {
    return this.packages.file(this.packages.version(seen, "maven", name, version), file);
  }

  /** The existing versions, in the order they were published. @throws NotFound */
  private list(seen: SeenPackages, { artifact, checksum, group, name }: Place): Response {
    const versions = this.packages.versions(this.packages.find(seen, "maven", name));
    const latest = versions.at(-1);
    if (!latest) throw new NotFound("packages.missing");
    const bytes = new TextEncoder().encode(documentOf(group, artifact, versions, latest));
    if (checksum !== undefined) return plain(new Bun.CryptoHasher(checksum).update(bytes).digest("hex"));
    return new Response(bytes, {
      headers: {
        "content-type": "text/xml; charset=utf-8",
        "content-length": String(bytes.byteLength),
        "last-modified": new Date(latest.createdAt).toUTCString(),
      },
    });
  }
}

function documentOf(
  group: string,
  artifact: string,
  versions: readonly PackageVersion[],
  latest: PackageVersion,
): string {
  const release = versions.findLast(({ version }) => !version.endsWith("-SNAPSHOT"));
  const element = (name: string, text: string) => `<${name}>${Bun.escapeHTML(text)}</${name}>`;
  const all = versions.map(({ version }) => element("version", version)).join("");
  const released = release ? element("release", release.version) : "";
  const versioning = `<versioning>${released}${element("latest", latest.version)}<versions>${all}</versions></versioning>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<metadata>${element("groupId", group)}${element("artifactId", artifact)}${versioning}</metadata>`;
}
