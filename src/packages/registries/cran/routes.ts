import { plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import { textOf } from "../../../kernel/json.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, Property, SeenPackages } from "../../types.ts";
import { RegistryKit } from "../kit.ts";
import { metadataOf, textsOf } from "../metadata.ts";
import { compareNumbers } from "../semver.ts";

/** Package names contain no underscore. */
const FILE = /^([^_/]+)_([^_/]+)\.(?:tar\.gz|tgz|zip)$/i;
/** macOS platforms contain a slash: `macosx/big-sur-arm64`. */
const PLATFORM = /^\w[\w.+-]*(?:\/\w[\w.+-]*){0,3}$/;
const R_VERSION = /^\w[\w.+-]*$/;
const MAX_PLACE = 100;
/** The path after the platform, for a version of R. */
const BINARY = /^(.+)\/contrib\/([^/]+)\/([^/]+)$/;

/** The R package registry, with the layout of CRAN (contract packages.md 9.21). */
export function cranRoutes(services: Services): Route[] {
  const kit = new RegistryKit("cran", services);
  const cran = new CranRegistry(kit);
  const contrib = "/src/contrib";
  return [
    kit.route({
      method: "PUT",
      path: "/src",
      level: "write",
      handle: (call, seen) => cran.publish(call, seen, SOURCE),
    }),
    kit.route({
      method: "PUT",
      path: "/bin",
      level: "write",
      handle: (call, seen) => cran.publish(call, seen, placeOf(call)),
    }),
    kit.route({
      method: "GET",
      path: `${contrib}/:file`,
      level: "read",
      handle: (call, seen) => cran.get(call, seen, SOURCE, param(call, "file")),
    }),
    kit.route({
      method: "GET",
      path: `${contrib}/Archive/:name/:file`,
      level: "read",
      handle: (call, seen) => cran.file(call, seen, SOURCE, param(call, "file"), param(call, "name")),
    }),
    kit.route({
      method: "GET",
      path: "/bin/*",
      level: "read",
      handle: (call, seen) => {
        const [, platform = "", version = "", file = ""] = BINARY.exec(call.params["*"] ?? "") ?? [];
        return cran.get(call, seen, { compositeKey: `${platform}|${version}`, properties: [] }, file);
      },
    }),
  ];
}

/** What a file is for: source, or a platform and a version of R. */
interface Place {
  readonly compositeKey: string;
  readonly properties: readonly Property[];
}

const SOURCE: Place = { compositeKey: "", properties: [{ name: "cran.type", value: "source" }] };

/** @throws BadRequest */
function placeOf({ query }: Call): Place {
  const [platform, version] = [query.get("platform") ?? "", query.get("rversion") ?? ""];
  const isOne = PLATFORM.test(platform) && R_VERSION.test(version) && platform.length + version.length <= MAX_PLACE;
  if (!isOne) throw new BadRequest("packages.cran-place");
  return {
    compositeKey: `${platform}|${version}`,
    properties: [
      { name: "cran.type", value: "binary" },
      { name: "cran.platform", value: platform },
      // The spelling that registries of this kind use.
      { name: "cran.rvserion", value: version },
    ],
  };
}

class CranRegistry {
  constructor(private readonly kit: RegistryKit) {}

  private get packages() {
    return this.kit.services.packages;
  }

  async publish(call: Call, seen: SeenPackages, { compositeKey, properties }: Place): Promise<Response> {
    using upload = await this.kit.upload(call);
    const { readCranPackage } = await import("./parse.ts");
    const { metadata, name, packing, version } = await readCranPackage(Bun.file(upload.content.path));
    // The extension that clients on macOS request for binaries.
    const gzipped = compositeKey.startsWith("macosx") ? "tgz" : "tar.gz";
    const file = `${name}_${version}.${packing === "zip" ? "zip" : gzipped}`;
    return this.kit.publish(seen, {
      version: { name, version, metadata },
      files: [{ name: file, compositeKey, isLead: true, content: upload.content, properties }],
    });
  }

  /** The index, or a file. */
  get(call: Call, seen: SeenPackages, place: Place, file: string): Response {
    if (file === "PACKAGES") return plain(this.index(seen, place));
    if (file !== "PACKAGES.gz") return this.file(call, seen, place, file);
    return new Response(Bun.gzipSync(this.index(seen, place)), { headers: { "content-type": "application/x-gzip" } });
  }

  /** @param name of the package, if the path contains it @throws NotFound, Unauthorised */
  file(call: Call, seen: SeenPackages, { compositeKey }: Place, file: string, name?: string): Response {
    const missing = () => new NotFound("packages.file-missing");
    const [, of = "", version = ""] = FILE.exec(file) ?? [];
    if (of === "" || (name !== undefined && name.toLowerCase() !== of.toLowerCase())) throw missing();
    const found = this.packages.version(seen, "cran", of, version);
    return this.kit.file(call, this.packages.file(found, file.toLowerCase(), compositeKey));
  }

  /** The newest version of each package with a file for that place, by name. @throws NotFound if there are none */
  private index(seen: SeenPackages, { compositeKey }: Place): string {
    const found = this.packages.ofType(seen, "cran");
    const versions = this.packages.versionsOfEach(found);
    const files: Map<number, PackageFile[]> = this.packages.filesOfEach([...versions.values()].flat());
    const stanzas = found.flatMap(({ id }) => {
      const there = (versions.get(id) ?? []).flatMap((version) => {
        const file = files.get(version.id)?.find((each) => each.compositeKey === compositeKey);
        return file ? [{ version, file }] : [];
      });
      const newest = there.toSorted((a, b) => compareVersions(a.version.version, b.version.version)).at(-1);
      return newest ? [stanzaOf(newest.version, newest.file)] : [];
    });
    if (stanzas.length === 0) throw new NotFound("packages.missing");
    return stanzas.join("\n");
  }
}

function stanzaOf(version: PackageVersion, { md5 }: PackageFile): string {
  const read = metadataOf(version);
  const list = (name: string) => textsOf(read[name]).join(", ");
  const fields = [
    ["Package", version.package.name],
    ["Version", version.version],
    ["License", textOf(read["license"])],
    ["Depends", list("depends")],
    ["Imports", list("imports")],
    ["LinkingTo", list("linking_to")],
    ["Suggests", list("suggests")],
    ["NeedsCompilation", read["needs_compilation"] === true ? "yes" : "no"],
    ["MD5sum", md5],
  ];
  return fields.flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}\n`])).join("");
}

/** Compares as R does: if one version is a prefix of the other, the shorter comes first. */
const compareVersions = (a: string, b: string) => compareNumbers(numbersOf(a), numbersOf(b), -1);

const numbersOf = (version: string) => version.split(/[.-]/).map(Number);
