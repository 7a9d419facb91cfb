import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { PackageFile, PackageVersion, Property } from "../../types.ts";
import { metadataOf, textsOf } from "../metadata.ts";
import { marshal, RubyObject, RubySymbol, UserDefined, UserMarshal } from "./marshal.ts";

/** A gem for one platform, with its parsed metadata. */
export interface StoredGem {
  readonly version: PackageVersion;
  readonly file: PackageFile;
  readonly read: JsonObject;
}

interface Requirement {
  readonly restriction: string;
  readonly version: string;
}

/** Metadata per file: the gems of one version may have different requirements per platform. */
export const GEM_METADATA = "rubygems.metadata";

/** Gems published before files had their own metadata only have that of their version. */
export function storedGem(version: PackageVersion, file: PackageFile, properties: readonly Property[]): StoredGem {
  const own = properties.find(({ name }) => name === GEM_METADATA)?.value;
  return { version, file, read: own === undefined ? metadataOf(version) : objectOf(JSON.parse(own)) };
}

export const platformOf = ({ read }: StoredGem): string => textOf(read["platform"]) || "ruby";

/** `1.0`, or `1.0-java`. */
export const numberOf = (version: string, platform: string): string =>
  platform === "" || platform === "ruby" ? version : `${version}-${platform}`;

const numbered = (gem: StoredGem) => numberOf(gem.version.version, platformOf(gem));

/** The file name of a gem, in lower case. */
export const fileNameOf = (name: string, version: string, platform: string): string =>
  `${name}-${numberOf(version, platform)}.gem`.toLowerCase();

const requirementsOf = (value: unknown): Requirement[] =>
  (Array.isArray(value) ? value : []).map((each) => ({
    restriction: textOf(objectOf(each)["restriction"]),
    version: textOf(objectOf(each)["version"]),
  }));

const joined = (requirements: readonly Requirement[]) =>
  requirements.length === 0 ? ">= 0" : requirements.map((each) => `${each.restriction} ${each.version}`).join("&");

function dependenciesOf({ read }: StoredGem, kind: "runtime" | "development") {
  const given = read[`${kind}_dependencies`];
  return (Array.isArray(given) ? given : []).map((each) => ({
    name: textOf(objectOf(each)["name"]),
    requirements: requirementsOf(objectOf(each)["version"]),
  }));
}

/** The compact index of one gem: a line per version. */
export function infoOf(gems: readonly StoredGem[]): string {
  const lines = gems.map((gem) => {
    const dependencies = dependenciesOf(gem, "runtime").map((each) => `${each.name}:${joined(each.requirements)}`);
    const demands = [
      `checksum:${gem.file.sha256}`,
      ...demandOf("ruby", gem.read["required_ruby_version"]),
      ...demandOf("rubygems", gem.read["required_rubygems_version"]),
    ];
    return `${numbered(gem)} ${dependencies.join(",")}|${demands.join(",")}\n`;
  });
  return `---\n${lines.join("")}`;
}

function demandOf(of: string, value: unknown): string[] {
  const text = joined(requirementsOf(value));
  return text === ">= 0" ? [] : [`${of}:${text}`];
}

/** A gem's line in the list of all gems. */
export function versionsLine(name: string, gems: readonly StoredGem[]): string {
  const sum = new Bun.CryptoHasher("md5").update(infoOf(gems)).digest("hex");
  return `${name} ${gems.map(numbered).join(",")} ${sum}\n`;
}

const gemVersion = (version: string) => new UserMarshal("Gem::Version", [version]);

/** The list of gems for older clients: name, version and platform of each. */
export const specsOf = (gems: readonly StoredGem[]): Uint8Array =>
  marshal(gems.map((gem) => [gem.version.package.name, gemVersion(gem.version.version), platformOf(gem)]));

const requirement = (requirements: readonly Requirement[]) =>
  new UserMarshal("Gem::Requirement", [
    requirements.length === 0
      ? [[">=", gemVersion("0")]]
      : requirements.map(({ restriction, version }) => [restriction, gemVersion(version)]),
  ]);

/** The specification of one gem for older clients. */
export function specificationOf(gem: StoredGem): Uint8Array {
  const { read, version } = gem;
  const platform = platformOf(gem);
  const dependencies = (["runtime", "development"] as const).flatMap((kind) =>
    dependenciesOf(gem, kind).map(
      ({ name, requirements }) =>
        new RubyObject("Gem::Dependency", {
          "@name": name,
          "@requirement": requirement(requirements),
          "@type": new RubySymbol(kind),
          "@prerelease": false,
        }),
    ),
  );
  const fields = [
    "3.2.3",
    4,
    version.package.name,
    gemVersion(version.version),
    null,
    textOf(read["summary"]),
    requirement(requirementsOf(read["required_ruby_version"])),
    requirement(requirementsOf(read["required_rubygems_version"])),
    platform,
    dependencies,
    "",
    "",
    textsOf(read["authors"]),
    textOf(read["description"]),
    textOf(read["project_url"]),
    true,
    platform,
    textsOf(read["licenses"]),
    new Map(),
  ];
  return marshal(new UserDefined("Gem::Specification", marshal(fields)));
}
