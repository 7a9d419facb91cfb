import { rfc3339 } from "../../../kernel/clock.ts";
import { isObject, type JsonObject, textOf } from "../../../kernel/json.ts";
import type { PackageVersion } from "../../types.ts";
import { metadataOf, textsOf } from "../metadata.ts";
import { xmlText } from "../xml-texts.ts";
import { contentAddress } from "./documents.ts";

/** The documents of NuGet's protocol 2: OData in Atom (contract packages.md 9.8). */

const DATA = "http://schemas.microsoft.com/ado/2007/08/dataservices";
const NAMESPACES = `xmlns="http://www.w3.org/2005/Atom" xmlns:d="${DATA}" xmlns:m="${DATA}/metadata"`;
const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';

/** A version with the other data of its entry. */
export interface AtomVersion {
  readonly version: PackageVersion;
  readonly sizeBytes: number;
  readonly downloads: number;
  /** Sum over all versions of the package. */
  readonly allDownloads: number;
}

/** An OData string literal in a URL. */
const quoted = (text: string) => `'${encodeURIComponent(text).replaceAll("'", "''")}'`;

const element = (name: string, text: string, type = "") =>
  `<d:${name}${type === "" ? "" : ` m:type="Edm.${type}"`}>${xmlText(text)}</d:${name}>`;

export function atomEntry(base: string, entry: AtomVersion, isDocument = true): string {
  const { package: of, version: number } = entry.version;
  const address = xmlText(`${base}/Packages(Id=${quoted(of.name)},Version=${quoted(number)})`);
  const read = metadataOf(entry.version);
  const text = (name: string) => textOf(read[name]);
  const opening = isDocument ? `${HEAD}<entry ${NAMESPACES} xml:base="${xmlText(base)}">` : "<entry>";
  return `${opening}
<id>${address}</id>
<category term="NuGetGallery.OData.V2FeedPackage" scheme="${DATA}/scheme"/>
<link rel="self" href="${address}"/>
<link rel="edit" href="${address}"/>
<title type="text">${xmlText(of.name)}</title>
<updated>${rfc3339(entry.version.createdAt)}</updated>
<author><name>${xmlText(text("authors"))}</name></author>
<summary>${xmlText(text("summary"))}</summary>
<content type="application/zip" src="${xmlText(contentAddress(base, entry.version))}"/>
${properties(entry, read)}
</entry>`;
}

function properties({ allDownloads, downloads, sizeBytes, version }: AtomVersion, read: JsonObject): string {
  const text = (name: string) => textOf(read[name]);
  const flag = (name: string) => String(read[name] === true);
  const created = rfc3339(version.createdAt);
  const elements = [
    element("Authors", text("authors")),
    element("Copyright", text("copyright")),
    element("Created", created, "DateTime"),
    element("Dependencies", dependencies(read)),
    element("Description", text("description")),
    element("DevelopmentDependency", flag("development_dependency"), "Boolean"),
    element("DownloadCount", String(allDownloads), "Int64"),
    element("Id", version.package.name),
    element("IconUrl", text("icon_url")),
    element("Language", text("language")),
    element("LastUpdated", created, "DateTime"),
    element("LicenseUrl", text("license_url")),
    element("MinClientVersion", text("min_client_version")),
    element("NormalizedVersion", version.version),
    element("Owners", text("owners")),
    element("PackageSize", String(sizeBytes), "Int64"),
    element("ProjectUrl", text("project_url")),
    element("Published", created, "DateTime"),
    element("ReleaseNotes", text("release_notes")),
    element("RequireLicenseAcceptance", flag("require_license_acceptance"), "Boolean"),
    element("Tags", text("tags")),
    element("Title", text("title") || version.package.name),
    element("Version", version.version),
    element("VersionDownloadCount", String(downloads), "Int64"),
  ];
  return `<m:properties>\n${elements.join("\n")}\n</m:properties>`;
}

/** Dependencies in the form `id:range:framework`. */
function dependencies(read: JsonObject): string {
  const groups = Array.isArray(read["dependency_groups"]) ? read["dependency_groups"].filter(isObject) : [];
  return groups
    .flatMap((group) => {
      const each = Array.isArray(group["dependencies"]) ? group["dependencies"].filter(isObject) : [];
      return each.map(({ id, range }) => [id, range, group["targetFramework"]].flatMap(textsOf).join(":"));
    })
    .join("|");
}

export interface AtomFeed {
  readonly base: string;
  readonly self: string;
  /** URL of the next page; undefined on the last. */
  readonly next: string | undefined;
  readonly total: number;
  readonly entries: readonly AtomVersion[];
}

export function atomFeed({ base, entries, next, self, total }: AtomFeed): string {
  const following = next === undefined ? "" : `\n<link rel="next" href="${xmlText(next)}"/>`;
  const newest = Math.max(0, ...entries.map(({ version }) => version.createdAt));
  return `${HEAD}<feed ${NAMESPACES} xml:base="${xmlText(base)}">
<id>http://schemas.datacontract.org/2004/07/</id>
<title/>
<updated>${rfc3339(newest)}</updated>
<link rel="self" href="${xmlText(self)}"/>${following}
<m:count>${total}</m:count>
${entries.map((entry) => atomEntry(base, entry, false)).join("\n")}
</feed>`;
}

export const serviceDocument = (
  base: string,
) => `${HEAD}<service base="${xmlText(base)}" xml:base="${xmlText(base)}" xmlns="http://www.w3.org/2007/app" xmlns:atom="http://www.w3.org/2005/Atom">
<workspace>
<atom:title type="text">Default</atom:title>
<collection href="Packages"><atom:title type="text">Packages</atom:title></collection>
</workspace>
</service>`;

const typed: readonly (readonly [name: string, type: string])[] = [
  ...["Authors", "Copyright", "Dependencies", "Description", "IconUrl", "Language", "LicenseUrl"].map(
    (name) => [name, "String"] as const,
  ),
  ...["MinClientVersion", "NormalizedVersion", "Owners", "ProjectUrl", "ReleaseNotes", "Tags", "Title"].map(
    (name) => [name, "String"] as const,
  ),
  ...["Created", "LastUpdated", "Published"].map((name) => [name, "DateTime"] as const),
  ...["DevelopmentDependency", "RequireLicenseAcceptance"].map((name) => [name, "Boolean"] as const),
  ...["DownloadCount", "PackageSize", "VersionDownloadCount"].map((name) => [name, "Int64"] as const),
];

const functions = [
  ["Search", "searchTerm"],
  ["FindPackagesById", "id"],
] as const;

/** Describes the fields of entries and the available operations. */
export const metadataDocument = `${HEAD}<edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" Version="1.0">
<edmx:DataServices xmlns:m="${DATA}/metadata" m:DataServiceVersion="2.0" m:MaxDataServiceVersion="2.0">
<Schema xmlns="http://schemas.microsoft.com/ado/2006/04/edm" Namespace="NuGetGallery.OData">
<EntityType Name="V2FeedPackage" m:HasStream="true">
<Key><PropertyRef Name="Id"/><PropertyRef Name="Version"/></Key>
<Property Name="Id" Type="Edm.String" Nullable="false"/>
<Property Name="Version" Type="Edm.String" Nullable="false"/>
${typed.map(([name, type]) => `<Property Name="${name}" Type="Edm.${type}"${type === "String" ? "" : ' Nullable="false"'}/>`).join("\n")}
</EntityType>
</Schema>
<Schema xmlns="http://schemas.microsoft.com/ado/2006/04/edm" Namespace="NuGetGallery">
<EntityContainer Name="V2FeedContext" m:IsDefaultEntityContainer="true">
<EntitySet Name="Packages" EntityType="NuGetGallery.OData.V2FeedPackage"/>
${functions
  .map(
    ([name, parameter]) =>
      `<FunctionImport Name="${name}" ReturnType="Collection(NuGetGallery.OData.V2FeedPackage)" EntitySet="Packages"><Parameter Name="${parameter}" Type="Edm.String" FixedLength="false" Unicode="false"/></FunctionImport>`,
  )
  .join("\n")}
</EntityContainer>
</Schema>
</edmx:DataServices>
</edmx:Edmx>`;
