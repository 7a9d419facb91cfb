import { rfc3339 } from "../../../kernel/clock.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { PackageFile, PackageVersion, Property } from "../../types.ts";
import { compact, metadataOf, textsOf } from "../metadata.ts";
import { bySemver, isPrerelease } from "../semver.ts";

/** Property of a version for each of its tags. */
export const TAG = "npm.tag";

/** A version with its tarball and tags. */
export interface NpmVersion {
  readonly version: PackageVersion;
  readonly file: PackageFile;
  readonly tags: readonly string[];
}

/** Tags of versions, by name; if the version with `latest` was deleted, the highest remaining one replaces it. */
export function distTags(versions: readonly Pick<NpmVersion, "tags" | "version">[]): Record<string, string> {
  const tags: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { tags: own, version } of versions) for (const tag of own) tags[tag] = version.version;
  const ordered = bySemver(versions.map(({ version }) => version));
  const highest = ordered.findLast(({ version }) => !isPrerelease(version)) ?? ordered.at(-1);
  if (highest && tags["latest"] === undefined) tags["latest"] = highest.version;
  return tags;
}

export const tagsOf = (properties: readonly Property[] = []): string[] =>
  properties.filter(({ name }) => name === TAG).map(({ value }) => value);

/** The document of a package (contract packages.md 9.2). @param base the registry's URL */
export function packumentOf(base: string, name: string, given: readonly NpmVersion[]): JsonObject {
  const byVersion = new Map(given.map((each) => [each.version.version, each]));
  const ordered = bySemver(given.map(({ version }) => version)).flatMap(({ version }) => byVersion.get(version) ?? []);
  const versions = Object.fromEntries(ordered.map((each) => [each.version.version, versionDocument(base, name, each)]));
  const highest = ordered.at(-1);
  const shown = highest ? metadataOf(highest.version) : {};
  const times = given.map(({ version }) => version.createdAt);
  return {
    _id: name,
    _rev: `${given.length}-${Math.max(0, ...given.map(({ version }) => version.id))}`,
    name,
    description: textOf(shown["description"]),
    "dist-tags": distTags(given),
    versions,
    time: {
      created: rfc3339(Math.min(...times)),
      modified: rfc3339(Math.max(...times)),
      ...Object.fromEntries(ordered.map(({ version }) => [version.version, rfc3339(version.createdAt)])),
    },
    ...compact({ readme: textOf(shown["readme"]), homepage: textOf(shown["project_url"]) }),
    author: { name: textOf(shown["author"]) },
    repository: repositoryOf(shown),
    ...compact({ license: textOf(shown["license"]) }),
  };
}

function versionDocument(base: string, name: string, { file, version }: NpmVersion): JsonObject {
  const read = metadataOf(version);
  const member = (key: string) => read[key] ?? {};
  return {
    _id: `${name}@${version.version}`,
    name,
    version: version.version,
    description: textOf(read["description"]),
    author: { name: textOf(read["author"]) },
    ...compact({ homepage: textOf(read["project_url"]), license: textOf(read["license"]) }),
    repository: repositoryOf(read),
    ...compact({
      dependencies: member("dependencies"),
      bundleDependencies: textsOf(read["bundleDependencies"]),
      devDependencies: member("development_dependencies"),
      peerDependencies: member("peer_dependencies"),
      peerDependenciesMeta: member("peer_dependencies_meta"),
      optionalDependencies: member("optional_dependencies"),
      bin: member("bin"),
      os: textsOf(read["os"]),
      cpu: textsOf(read["cpu"]),
      engines: member("engines"),
      readme: textOf(read["readme"]),
      deprecated: textOf(read["deprecated"]),
    }),
    ...(read["has_install_script"] === true ? { hasInstallScript: true } : {}),
    dist: {
      integrity: `sha512-${Buffer.from(file.sha512, "hex").toString("base64")}`,
      shasum: file.sha1,
      tarball: `${base}/${encodeURIComponent(name)}/-/${version.version}/${file.name}`,
    },
  };
}

function repositoryOf(read: JsonObject): JsonObject {
  const { directory, type, url } = objectOf(read["repository"]);
  return { type: textOf(type), url: textOf(url), ...compact({ directory: textOf(directory) }) };
}

/** The search result for a package. */
export function searchEntry(base: string, version: PackageVersion): JsonObject {
  const read = metadataOf(version);
  const author = { name: textOf(read["author"]) };
  return {
    package: {
      scope: textOf(read["scope"]) || "unscoped",
      name: textOf(read["name"]) || version.package.name,
      version: version.version,
      date: rfc3339(version.createdAt),
      description: textOf(read["description"]),
      author,
      publisher: author,
      maintainers: [],
      keywords: textsOf(read["keywords"]),
      links: {
        npm: `${base}/${encodeURIComponent(version.package.name)}`,
        ...compact({ homepage: textOf(read["project_url"]) }),
      },
    },
  };
}
