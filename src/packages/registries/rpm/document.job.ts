import type { JobContext } from "../../../workers/job.ts";
import { unpackedFacts } from "../../indices/facts.ts";
import { linesIn } from "../../indices/lines.ts";
import { gzipped } from "../archives/pack.ts";
import { xmlText } from "../xml-texts.ts";
import { attributes, element } from "./elements.ts";
import type { Relation, RelationEntry, RpmFileFacts } from "./facts.ts";
import { type DocumentKind, frameOf } from "./repomd.ts";
import { errataElements } from "./updateinfo.ts";

/** Builds the documents of a repository from packages given as lines (contract packages.md 9.17). */

/** An input line; for errata it is the metadata of a version. */
interface RpmLine {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Packed. */
  readonly facts: string;
}

type IndexedRpm = Omit<RpmLine, "facts"> & { readonly facts: RpmFileFacts };

export interface DocumentInput {
  readonly kind: DocumentKind;
  readonly group: string;
  /** The number of packages. */
  readonly count: number;
}

/** Emits the gzipped document. @returns its size and hash before compression */
export async function run(
  { count, group, kind }: DocumentInput,
  { emit, input }: JobContext,
): Promise<{ readonly openSha256: string; readonly openBytes: number }> {
  const [before, after] = frameOf(kind, count);
  const hash = new Bun.CryptoHasher("sha256");
  let openBytes = 0;
  async function* pieces() {
    yield before;
    if (kind === "updateinfo") yield await errataElements(group, linesIn(input));
    else for await (const line of linesIn(input)) yield elements[kind](indexedRpm(line as RpmLine));
    yield after;
  }
  async function* bytes() {
    for await (const piece of pieces()) {
      const encoded = new TextEncoder().encode(piece);
      hash.update(encoded);
      openBytes += encoded.byteLength;
      yield encoded;
    }
  }
  for await (const chunk of gzipped(bytes())) await emit(new Uint8Array(chunk));
  return { openSha256: hash.digest("hex"), openBytes };
}

const indexedRpm = (line: RpmLine): IndexedRpm => ({ ...line, facts: unpackedFacts(line.facts) as RpmFileFacts });

const versionOf = ({ epoch, release, version }: RpmFileFacts) =>
  `<version${attributes({ epoch, ver: version, rel: release })}/>`;

/**
 * Path relative to the repository. Plus and tilde stay unescaped: many names, and files that clients save, have them.
 */
function locationOf({ facts, name }: IndexedRpm): string {
  const { architecture, epoch, release } = facts;
  const version = `${epoch === "0" ? "" : `${epoch}-`}${facts.version}-${release}`;
  return ["package", name, version, architecture, `${name}-${version}.${architecture}.rpm`]
    .map((part) => encodeURIComponent(part).replaceAll("%2B", "+"))
    .join("/");
}

function primaryOf(each: IndexedRpm): string {
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

/** Files that others may require: executables, and paths createrepo lists here, since clients look nowhere else. */
const isPrimary = ({ is_executable = false, path }: File) =>
  is_executable || path.includes("bin/") || path.startsWith("/etc/") || path === "/usr/lib/sendmail";

const fileOf = ({ path, type }: File) => `<file${attributes({ type })}>${xmlText(path)}</file>\n`;

const opened = ({ facts, name, sha256 }: IndexedRpm) =>
  `<package${attributes({ pkgid: sha256, name, arch: facts.architecture })}>${versionOf(facts)}\n`;

const filelistOf = (each: IndexedRpm) => `${opened(each)}${each.facts.files.map(fileOf).join("")}</package>\n`;

const otherOf = (each: IndexedRpm) =>
  `${opened(each)}${each.facts.changelogs
    .map(({ author, date, text }) => `<changelog${attributes({ author, date })}>${xmlText(text)}</changelog>\n`)
    .join("")}</package>\n`;

const elements: Readonly<Record<Exclude<DocumentKind, "updateinfo">, (each: IndexedRpm) => string>> = {
  primary: primaryOf,
  filelists: filelistOf,
  other: otherOf,
};
