import { noContent } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { isPlaceWord } from "../places.ts";
import { CONTROL, hashTitles, partOf } from "./index.ts";

const PLACE = "/pool/:distribution/:component";
const DIST = "/dists/:distribution";

/** The registry for Debian and derivatives, for apt (contract packages.md 9.16). */
export function debianRoutes(services: Services): Route[] {
  const kit = new RegistryKit("debian", services);
  const debian = new DebianRegistry(kit);
  const reads = (path: string, handle: (call: Call, seen: SeenPackages) => Promise<Response> | Response) =>
    kit.route({ method: "GET", path, level: "read", handle });
  return [
    reads("/repository.key", (_, seen) => kit.publicKey(seen, "debian")),
    reads(`${DIST}/:file`, (call, seen) => debian.generated(call, seen, param(call, "distribution"))),
    reads(`${DIST}/by-hash/:algorithm/:hash`, (call, seen) => debian.byHash(call, seen, param(call, "distribution"))),
    reads(`${DIST}/:component/:folder/:file`, (call, seen) => debian.generated(call, seen, partOfFolder(call))),
    reads(`${DIST}/:component/:folder/by-hash/:algorithm/:hash`, (call, seen) =>
      debian.byHash(call, seen, partOfFolder(call)),
    ),
    kit.route({
      method: "PUT",
      path: `${PLACE}/upload`,
      level: "write",
      handle: (call, seen) => debian.upload(call, seen),
    }),
    reads(`${PLACE}/:file`, (call, seen) => debian.download(call, seen)),
    kit.route({
      method: "DELETE",
      path: `${PLACE}/:name/:version/:architecture`,
      level: "write",
      handle: (call, seen) => debian.delete(call, seen),
    }),
  ];
}

/** Extracts the architecture from `binary-amd64`. @throws NotFound */
function partOfFolder(call: Call): string {
  const architecture = /^binary-(.+)$/.exec(param(call, "folder"))?.[1];
  if (architecture === undefined) throw new NotFound("packages.file-missing");
  return partOf(param(call, "distribution"), param(call, "component"), architecture);
}

class DebianRegistry {
  constructor(private readonly kit: RegistryKit) {}

  async generated(call: Call, seen: SeenPackages, key: string): Promise<Response> {
    return this.kit.file(call, await this.kit.services.packageIndices.file(seen, "debian", key, param(call, "file")));
  }

  async byHash(call: Call, seen: SeenPackages, key: string): Promise<Response> {
    const title = param(call, "algorithm");
    const hash = param(call, "hash");
    if (!Object.hasOwn(hashTitles, title)) throw new NotFound("packages.file-missing");
    // Checked above.
    const algorithm = hashTitles[title as keyof typeof hashTitles];
    const file = await this.kit.services.packageIndices.fileByHash(seen, "debian", key, algorithm, hash.toLowerCase());
    return this.kit.file(call, file, { name: hash });
  }

  async upload(call: Call, seen: SeenPackages): Promise<Response> {
    const [distribution, component] = [param(call, "distribution"), param(call, "component")];
    if (!isPlaceWord(distribution) || !isPlaceWord(component)) throw new BadRequest("packages.debian-place");
    using upload = await this.kit.upload(call);
    const { readDeb } = await import("./parse.ts");
    const { pool } = this.kit.services;
    const { architecture, metadata, name, stanza, version } = await readDeb(pool, Bun.file(upload.content.path));
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      files: [
        {
          name: `${name}_${version}_${architecture}.deb`,
          compositeKey: partOf(distribution, component, architecture),
          isLead: true,
          content: upload.content,
          properties: [
            { name: "debian.distribution", value: distribution },
            { name: "debian.component", value: component },
            { name: "debian.architecture", value: architecture },
            { name: CONTROL, value: stanza },
          ],
        },
      ],
    });
  }

  download(call: Call, seen: SeenPackages): Response {
    const [name = "", version = "", architecture = ""] = param(call, "file")
      .replace(/\.deb$/, "")
      .split("_");
    const { file } = this.find(call, seen, name, version, architecture);
    if (file.name !== param(call, "file")) throw new NotFound("packages.file-missing");
    return this.kit.file(call, file, { mediaType: "application/vnd.debian.binary-package" });
  }

  delete(call: Call, seen: SeenPackages): Response {
    const { file, version } = this.find(
      call,
      seen,
      param(call, "name"),
      param(call, "version"),
      param(call, "architecture"),
    );
    this.kit.services.packages.deleteFile(seen, version, file);
    return noContent();
  }

  private find(call: Call, seen: SeenPackages, name: string, versionName: string, architecture: string) {
    const { packages } = this.kit.services;
    const version = packages.version(seen, "debian", name, versionName);
    const key = partOf(param(call, "distribution"), param(call, "component"), architecture);
    const file = packages.file(version, `${name}_${versionName}_${architecture}.deb`, key);
    return { file, version };
  }
}
