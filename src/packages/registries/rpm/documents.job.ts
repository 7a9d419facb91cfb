import { xmlText } from "../xml-texts.ts";
import { attributes, element } from "./elements.ts";
import type { Relation, RelationEntry, RpmFileFacts } from "./facts.ts";

/** The elements of packages in the documents of a repository (contract packages.md 9.17). */

/** A package as the database has it. */
export interface IndexedRpm {
  readonly name: string;
  /** The file's, as JSON. */
  readonly metadata: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export type PackageDocument = "primary" | "filelists" | "other";

/** The elements of some packages in one of the documents. */
export function run({
  document,
  packages,
}: {
  readonly document: PackageDocument;
  readonly packages: readonly IndexedRpm[];
}): string {
  return packages
    .map((each) => ({ ...each, facts: JSON.parse(each.metadata) as RpmFileFacts }))
    .map(elements[document])
    .join("");
}

type ReadRpm = IndexedRpm & { readonly facts: RpmFileFacts };

const versionOf = ({ epoch, release, version }: RpmFileFacts) =>
  `<version${attributes({ epoch, ver: version, rel: release })}/>`;

/** Below the repository's own address. A plus and a tilde stay: they stand in many names, and in the names of files that clients keep. */
function locationOf({ facts, name }: ReadRpm): string {
  const { architecture, epoch, release } = facts;
  const version = `${epoch === "0" ? "" : `${epoch}-`}${facts.version}-${release}`;
  return ["package", name, version, architecture, `${name}-${version}.${architecture}.rpm`]
    .map((part) => encodeURIComponent(part).replaceAll("%2B", "+"))
    .join("/");
}

function primaryOf(each: ReadRpm): string {
  const { facts, name, sha256, sizeBytes } = each;
  const sizes = attributes({ package: sizeBytes, installed: facts.installed_size, archive: facts.archive_size });
  return `<package type="rpm">
${element("name", name)}${element("arch", facts.architecture)}${versionOf(facts)}
<checksum type="sha256" pkgid="YES">${sha256}</checksum>
${element("summary", facts.summary)}${element("description", facts.description)}${element("packager", facts.packager)}${element("url", facts.project_url)}
<time${attributes({ file: facts.file_time, build: facts.build_time })}/><size${sizes}/><location${attributes({ href: locationOf(each) })}/>
<format>${element("rpm:license", facts.license)}${element("rpm:vendor", facts.vendor)}${element("rpm:group", facts.group)}${element("rpm:buildhost", facts.build_host)}${element("rpm:sourcerpm", facts.source_rpm)}
${Object.entries(relationElements)
  .map(([relation, name]) => entriesOf(name, facts[relation as Relation]))
  .join("")}${facts.files.filter(isPrimary).map(fileOf).join("")}</format>
</package>
`;
}

const relationElements: Readonly<Record<Relation, string>> = {
  provide: "rpm:provides",
  require: "rpm:requires",
  conflict: "rpm:conflicts",
  obsolete: "rpm:obsoletes",
  recommend: "rpm:recommends",
  suggest: "rpm:suggests",
  supplement: "rpm:supplements",
  enhance: "rpm:enhances",
};

function entriesOf(name: string, entries: readonly RelationEntry[] = []): string {
  if (entries.length === 0) return "";
  const each = entries.map(
    ({ epoch, flags, name: of, release, version }) =>
      `<rpm:entry${attributes({ name: of, flags, epoch, ver: version, rel: release })}/>`,
  );
  return `<${name}>${each.join("")}</${name}>\n`;
}

type File = RpmFileFacts["files"][number];

/** What others may require: programs, and what createrepo writes here, since clients look for such paths nowhere else. */
const isPrimary = ({ is_executable = false, path }: File) =>
  is_executable || path.includes("bin/") || path.startsWith("/etc/") || path === "/usr/lib/sendmail";

const fileOf = ({ path, type }: File) => `<file${attributes({ type })}>${xmlText(path)}</file>\n`;

const opened = ({ facts, name, sha256 }: ReadRpm) =>
  `<package${attributes({ pkgid: sha256, name, arch: facts.architecture })}>${versionOf(facts)}\n`;

const filelistOf = (each: ReadRpm) => `${opened(each)}${each.facts.files.map(fileOf).join("")}</package>\n`;

const otherOf = (each: ReadRpm) =>
  `${opened(each)}${each.facts.changelogs
    .map(({ author, date, text }) => `<changelog${attributes({ author, date })}>${xmlText(text)}</changelog>\n`)
    .join("")}</package>\n`;

const elements: Readonly<Record<PackageDocument, (each: ReadRpm) => string>> = {
  primary: primaryOf,
  filelists: filelistOf,
  other: otherOf,
};
