import { rfc3339 } from "../../../kernel/clock.ts";
import { textOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { PackageVersion } from "../../types.ts";
import { metadataOf } from "../metadata.ts";
import { isPrerelease } from "../semver.ts";

/** The documents of NuGet's protocol 3 (contract packages.md 9.8). */

export const registrationAddress = (base: string, id: string) => `${base}/registration/${segment(id)}/index.json`;
export const leafAddress = (base: string, { package: { name }, version }: PackageVersion) =>
  `${base}/registration/${segment(name)}/${segment(version)}.json`;
export const contentAddress = (base: string, { package: { name }, version }: PackageVersion) =>
  `${base}/package/${segment(name)}/${segment(version)}/${segment(`${name}.${version}.nupkg`)}`;

export function serviceIndex(base: string) {
  const resources: readonly (readonly [path: string, types: readonly string[]])[] = [
    ["/query", ["SearchQueryService", "SearchQueryService/3.0.0-beta", "SearchQueryService/3.0.0-rc"]],
    ["/registration", ["RegistrationsBaseUrl", "RegistrationsBaseUrl/3.0.0-beta", "RegistrationsBaseUrl/3.0.0-rc"]],
    ["/package", ["PackageBaseAddress/3.0.0"]],
    ["", ["PackagePublish/2.0.0"]],
    ["/symbolpackage", ["SymbolPackagePublish/4.9.0"]],
  ];
  return {
    version: "3.0.0",
    resources: resources.flatMap(([path, types]) => types.map((type) => ({ "@id": `${base}${path}`, "@type": type }))),
  };
}

/** The metadata of a version, in the form shared by search and catalog. */
function described(version: PackageVersion) {
  const read = metadataOf(version);
  const text = (name: string) => textOf(read[name]);
  return {
    authors: text("authors"),
    copyright: text("copyright"),
    dependencyGroups: read["dependency_groups"] ?? [],
    description: text("description"),
    iconUrl: text("icon_url"),
    id: version.package.name,
    isPrerelease: isPrerelease(version.version),
    language: text("language"),
    licenseUrl: text("license_url"),
    projectUrl: text("project_url"),
    requireLicenseAcceptance: read["require_license_acceptance"] === true,
    summary: text("summary"),
    tags: text("tags"),
    title: text("title"),
    version: version.version,
  };
}

function catalogEntry(base: string, version: PackageVersion) {
  const { title: _, ...entry } = described(version);
  return {
    "@id": leafAddress(base, version),
    ...entry,
    packageContent: contentAddress(base, version),
    releaseNotes: textOf(metadataOf(version)["release_notes"]),
    published: rfc3339(version.createdAt),
  };
}

/** @param versions ascending, at least one */
export function registration(base: string, id: string, versions: readonly PackageVersion[]) {
  const address = registrationAddress(base, id);
  return {
    "@id": address,
    "@type": ["catalog:CatalogRoot", "PackageRegistration", "catalog:Permalink"],
    count: 1,
    items: [
      {
        "@id": address,
        lower: versions[0]?.version,
        upper: versions.at(-1)?.version,
        count: versions.length,
        items: versions.map((version) => ({
          "@id": leafAddress(base, version),
          packageContent: contentAddress(base, version),
          catalogEntry: catalogEntry(base, version),
        })),
      },
    ],
  };
}

export function leaf(base: string, version: PackageVersion) {
  return {
    "@id": leafAddress(base, version),
    "@type": ["Package", "http://schema.nuget.org/catalog#Permalink"],
    packageContent: contentAddress(base, version),
    registration: registrationAddress(base, version.package.name),
    catalogEntry: catalogEntry(base, version),
  };
}

/** A search result. @param versions ascending, at least one */
export function searchResult(
  base: string,
  versions: readonly PackageVersion[],
  downloads: (version: PackageVersion) => number,
) {
  const newest = versions.at(-1);
  if (!newest) throw new Error("what was found has versions");
  return {
    ...described(newest),
    totalDownloads: versions.reduce((sum, version) => sum + downloads(version), 0),
    versions: versions.map((version) => ({
      "@id": leafAddress(base, version),
      version: version.version,
      downloads: downloads(version),
    })),
    registration: registrationAddress(base, newest.package.name),
  };
}
