import { readFields, SMALL_BODY_BYTES } from "../../../http/body.ts";
import { plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { Failure, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { listAnswer, RegistryKit } from "../kit.ts";
import { compareNumbers, isPrerelease } from "../semver.ts";
import type { StoredGem } from "./documents.ts";

const QUICK = "/quick/Marshal.4.8/:file";
const SPEC_ENDING = ".gemspec.rz";

/** The RubyGems registry, with the compact index and the older ones (contract packages.md 9.13). */
export function rubygemsRoutes(services: Services): Route[] {
  const kit = new RegistryKit("rubygems", services);
  const gems = new GemRegistry(kit);
  const specs = (path: string, choose: (ofOne: readonly StoredGem[]) => readonly StoredGem[]) =>
    kit.route({ method: "GET", path, level: "read", handle: (_, seen) => gems.specs(seen, choose) });
  return [
    // Clients use the compact index if this responds.
    kit.route({ method: "GET", path: "", level: "read", handle: () => plain("") }),
    specs("/specs.4.8.gz", releasesOf),
    specs("/latest_specs.4.8.gz", (ofOne) => highestOf(releasesOf(ofOne))),
    specs("/prerelease_specs.4.8.gz", (ofOne) => ofOne.filter(({ version }) => isPrereleaseGem(version))),
    kit.route({
      method: "GET",
      path: QUICK,
      level: "read",
      handle: (call, seen) => gems.specification(call, seen),
    }),
    kit.route({
      method: "GET",
      path: "/gems/:file",
      level: "read",
      handle: (call, seen) => kit.file(call, kit.fileNamed(seen, param(call, "file"))),
    }),
    kit.route({ method: "GET", path: "/info/:name", level: "read", handle: (call, seen) => gems.info(call, seen) }),
    kit.route({ method: "GET", path: "/versions", level: "read", handle: (call, seen) => gems.versions(call, seen) }),
    kit.route({
      method: "POST",
      path: "/api/v1/gems",
      level: "write",
      handle: (call, seen) => gems.push(call, seen),
    }),
    kit.route({
      method: "DELETE",
      path: "/api/v1/gems/yank",
      level: "write",
      handle: (call, seen) => gems.yank(call, seen),
    }),
  ];
}

/** A letter or dash in a version makes it a prerelease. */
const isPrereleaseGem = ({ version }: PackageVersion) => isPrerelease(version) || /[a-z]/i.test(version);

const releasesOf = (gems: readonly StoredGem[]) => gems.filter(({ version }) => !isPrereleaseGem(version));

/** The highest version of one package, for each platform. */
function highestOf(gems: readonly StoredGem[]): StoredGem[] {
  let highest: StoredGem[] = [];
  for (const gem of gems) {
    const [so] = highest;
    const difference = so ? compareGems(gem.version.version, so.version.version) : 1;
    if (difference > 0) highest = [gem];
    else if (difference === 0) highest.push(gem);
  }
  return highest;
}

const compareGems = (a: string, b: string) => compareNumbers(a.split(/[.-]/).map(Number), b.split(/[.-]/).map(Number));

/**
 * A part of the compact index. Bundler caches it and requests what was appended since; it treats the ETag as the MD5 of
 * the whole, and newer versions check the combined result against the digest.
 */
function compactIndex(call: Call, text: string): Response {
  const digest = (algorithm: "md5" | "sha256") => new Bun.CryptoHasher(algorithm).update(text);
  const sha256 = digest("sha256").digest("base64");
  return listAnswer(call, text, digest("md5").digest("hex"), { "repr-digest": `sha-256=:${sha256}:` });
}

class GemRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  async specs(seen: SeenPackages, choose: (ofOne: readonly StoredGem[]) => readonly StoredGem[]): Promise<Response> {
    const { specsOf } = await import("./documents.ts");
    const chosen = (await this.all(seen)).flatMap(({ gems }) => choose(gems));
    return new Response(Bun.gzipSync(Buffer.from(specsOf(chosen))), {
      headers: { "content-type": "application/octet-stream" },
    });
  }

  async specification(call: Call, seen: SeenPackages): Promise<Response> {
    const name = param(call, "file");
    if (!name.endsWith(SPEC_ENDING)) throw new Failure(501, "packages.gem-not-offered");
    const file = this.kit.fileNamed(seen, `${name.slice(0, -SPEC_ENDING.length)}.gem`);
    const version = this.packages.byId(file.versionId);
    if (!version) throw new NotFound("packages.missing");
    const { specificationOf, storedGem } = await import("./documents.ts");
    const { deflateSync } = await import("node:zlib");
    const properties = this.packages.propertiesOf("file", [file.id]).get(file.id) ?? [];
    return new Response(new Uint8Array(deflateSync(specificationOf(storedGem(version, file, properties)))), {
      headers: { "content-type": "application/octet-stream" },
    });
  }

  async info(call: Call, seen: SeenPackages): Promise<Response> {
    const { infoOf } = await import("./documents.ts");
    const found = this.packages.find(seen, "rubygems", param(call, "name"));
    return compactIndex(call, infoOf(await this.gemsOf(this.packages.versions(found))));
  }

  async versions(call: Call, seen: SeenPackages): Promise<Response> {
    const { versionsLine } = await import("./documents.ts");
    const lines = (await this.all(seen)).map(({ gems, name }) => versionsLine(name, gems));
    return compactIndex(call, `---\n${lines.join("")}`);
  }

  async push(call: Call, seen: SeenPackages): Promise<Response> {
    using upload = await this.kit.upload(call);
    const { readGem } = await import("./parse.ts");
    const { fileNameOf, GEM_METADATA } = await import("./documents.ts");
    const { metadata, name, platform, version } = await readGem(this.kit.services.pool, Bun.file(upload.content.path));
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      files: [
        {
          name: fileNameOf(name, version, platform),
          isLead: true,
          content: upload.content,
          properties: [{ name: GEM_METADATA, value: JSON.stringify(metadata) }],
        },
      ],
    });
  }

  async yank(call: Call, seen: SeenPackages): Promise<Response> {
    const { fields } = await readFields(call, SMALL_BODY_BYTES).catch(() => ({
      fields: {} as Record<string, unknown>,
    }));
    const given = (name: string) => {
      const value = fields[name] ?? call.query.get(name);
      return typeof value === "string" ? value : "";
    };
    const version = this.packages.version(seen, "rubygems", given("gem_name"), given("version"));
    const { fileNameOf } = await import("./documents.ts");
    const wanted = fileNameOf(version.package.name, version.version, given("platform"));
    const file = this.packages.filesOf(version).find(({ name }) => name === wanted);
    if (file) this.packages.deleteFile(seen, version, file);
    else if (given("platform") !== "") throw new NotFound("packages.file-missing");
    // Without a platform, a version that exists only for platforms is deleted with all of them.
    else this.packages.deleteVersion(seen, version);
    return plain("");
  }

  private async all(seen: SeenPackages): Promise<{ name: string; gems: StoredGem[] }[]> {
    const found = this.packages.ofType(seen, "rubygems");
    const versions = this.packages.versionsOfEach(found);
    const gems = await this.gemsOf([...versions.values()].flat());
    const byPackage = Map.groupBy(gems, ({ version }) => version.package.id);
    return found.map(({ id, name }) => ({ name, gems: byPackage.get(id) ?? [] }));
  }

  private async gemsOf(versions: readonly PackageVersion[]): Promise<StoredGem[]> {
    const { storedGem } = await import("./documents.ts");
    const files: Map<number, PackageFile[]> = this.packages.filesOfEach(versions);
    const ids = [...files.values()].flat().map(({ id }) => id);
    const properties = this.packages.propertiesOf("file", ids);
    return versions.flatMap((version) =>
      (files.get(version.id) ?? []).map((file) => storedGem(version, file, properties.get(file.id) ?? [])),
    );
  }
}
