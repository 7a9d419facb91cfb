import { BadRequest } from "../../../kernel/errors.ts";
import { brokenArchive } from "../archives/broken.ts";
import { urlOf } from "../metadata.ts";
import { Section } from "./header.ts";

/** The facts of a package for its repository, read from the tags of its header (contract packages.md 9.17). */

const Tag = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  summary: 1004,
  description: 1005,
  buildTime: 1006,
  buildHost: 1007,
  size: 1009,
  vendor: 1011,
  license: 1014,
  packager: 1015,
  group: 1016,
  url: 1020,
  architecture: 1022,
  fileModes: 1030,
  fileTimes: 1034,
  fileFlags: 1037,
  sourcePackage: 1044,
  archiveSize: 1046,
  changeTimes: 1080,
  changeAuthors: 1081,
  changeTexts: 1082,
  directoryIndexes: 1116,
  baseNames: 1117,
  directories: 1118,
  oldFileNames: 1027,
  longSize: 5009,
  longArchiveSize: 271,
} as const;
/** Tags of the signature section. */
const SignatureTag = { longArchiveSize: 271, payloadSize: 1007 } as const;

/** The tags with names, conditions and versions of a package's relations to others. */
const relations = {
  provide: [1047, 1112, 1113],
  require: [1049, 1048, 1050],
  conflict: [1054, 1053, 1055],
  obsolete: [1090, 1114, 1115],
  recommend: [5046, 5048, 5047],
  suggest: [5049, 5051, 5050],
  supplement: [5052, 5054, 5053],
  enhance: [5055, 5057, 5056],
} as const;
export type Relation = keyof typeof relations;

const LESS = 2;
const GREATER = 4;
const EQUAL = 8;
const comparisons: Readonly<Record<number, string>> = {
  [LESS]: "LT",
  [GREATER]: "GT",
  [EQUAL]: "EQ",
  [LESS | EQUAL]: "LE",
  [GREATER | EQUAL]: "GE",
};

const IS_DIRECTORY = 0o040000;
const FILE_TYPE = 0o170000;
const EXECUTABLE = 0o111;
const GHOST = 64;

const MAX_FILES = 100_000;
const MAX_PATHS_LENGTH = 16 << 20;
/** Only the newest, as in createrepo; kernels have thousands. */
const MAX_CHANGES = 10;

const NAME = /^[A-Za-z0-9_][\w.+%{}~^-]{0,199}$/;
const VERSION_PART = /^[\w.+%{}~^]{1,100}$/;
const ARCHITECTURE = /^\w{1,50}$/;

export interface RelationEntry {
  readonly name: string;
  readonly flags?: string;
  readonly epoch?: string;
  readonly version?: string;
  readonly release?: string;
}

/** The part that a version's page also shows. */
export interface RpmDescription {
  readonly license: string;
  readonly project_url: string;
  readonly summary: string;
  readonly description: string;
}

/** Facts per file of a version: packages for several architectures and groups differ. */
export type RpmFileFacts = RpmDescription & {
  readonly architecture: string;
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
  readonly vendor: string;
  readonly group: string;
  readonly packager: string;
  readonly source_rpm: string;
  readonly build_host: string;
  readonly build_time: number;
  readonly file_time: number;
  readonly installed_size: number;
  readonly archive_size: number;
  readonly files: readonly { readonly path: string; readonly type?: string; readonly is_executable?: boolean }[];
  readonly changelogs: readonly { readonly author: string; readonly date: number; readonly text: string }[];
} & { readonly [R in Relation]?: readonly RelationEntry[] };

export interface RpmFacts {
  readonly name: string;
  /** With its release, and its epoch unless that is 0. */
  readonly version: string;
  readonly metadata: RpmDescription;
  readonly file: RpmFileFacts;
}

/** @throws BadRequest if a field is invalid */
export function factsOf({ header: headerBytes, signatures: signatureBytes }: RpmSections): RpmFacts {
  const header = new Section(headerBytes);
  const signatures = new Section(signatureBytes);
  const name = header.text(Tag.name);
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  const [version, release] = [header.text(Tag.version), header.text(Tag.release)];
  if (!VERSION_PART.test(version) || !VERSION_PART.test(release)) throw new BadRequest("packages.invalid-version");
  const epoch = String(header.number(Tag.epoch) ?? 0);
  const architecture = header.text(Tag.architecture);
  if (!ARCHITECTURE.test(architecture)) throw new BadRequest("packages.invalid-architecture");
  const buildTime = header.number(Tag.buildTime) ?? 0;
  const metadata = {
    license: header.text(Tag.license),
    project_url: urlOf(header.text(Tag.url)),
    summary: header.text(Tag.summary),
    description: header.text(Tag.description),
  };
  return {
    name,
    version: `${epoch === "0" ? "" : `${epoch}-`}${version}-${release}`,
    metadata,
    file: {
      ...metadata,
      architecture,
      epoch,
      version,
      release,
      vendor: header.text(Tag.vendor),
      group: header.text(Tag.group),
      packager: header.text(Tag.packager),
      source_rpm: header.text(Tag.sourcePackage),
      build_host: header.text(Tag.buildHost),
      build_time: buildTime,
      file_time: header.number(Tag.fileTimes) ?? buildTime,
      installed_size: header.number(Tag.longSize, Tag.size) ?? 0,
      archive_size:
        header.number(Tag.longArchiveSize, Tag.archiveSize) ??
        signatures.number(SignatureTag.longArchiveSize, SignatureTag.payloadSize) ??
        0,
      ...relationsOf(header),
      files: filesOf(header),
      changelogs: changesOf(header),
    },
  };
}

export interface RpmSections {
  readonly signatures: Uint8Array;
  readonly header: Uint8Array;
}

function relationsOf(header: Section): { [R in Relation]?: RelationEntry[] } {
  const found: { [R in Relation]?: RelationEntry[] } = {};
  for (const [relation, tags] of Object.entries(relations) as [Relation, readonly [number, number, number]][]) {
    const entries = entriesOf(header, tags);
    if (entries.length > 0) found[relation] = entries;
  }
  return found;
}

function entriesOf(header: Section, [names, flags, versions]: readonly [number, number, number]): RelationEntry[] {
  const [allFlags, allVersions] = [header.numbers(flags), header.texts(versions)];
  const entries = header.texts(names).map((name, at) => {
    const comparison = comparisons[(allFlags[at] ?? 0) & (LESS | GREATER | EQUAL)];
    const version = allVersions[at] ?? "";
    if (comparison === undefined || version === "") return { name };
    const [, epoch = "0", of = "", release = ""] = /^(?:(\d+):)?(.*?)(?:-([^-]*))?$/s.exec(version) ?? [];
    return { name, flags: comparison, epoch, version: of, ...(release === "" ? {} : { release }) };
  });
  // Requirements on RPM itself are irrelevant here, and entries often repeat for several files.
  const said = new Map(
    entries.filter(({ name }) => !name.startsWith("rpmlib(")).map((entry) => [JSON.stringify(entry), entry]),
  );
  return [...said.values()];
}

function filesOf(header: Section): RpmFileFacts["files"] {
  if (header.count(Tag.baseNames) > MAX_FILES || header.count(Tag.oldFileNames) > MAX_FILES) throw brokenArchive();
  const [modes, flags] = [header.numbers(Tag.fileModes), header.numbers(Tag.fileFlags)];
  const paths = pathsOf(header);
  if (paths.reduce((length, path) => length + path.length, 0) > MAX_PATHS_LENGTH) throw brokenArchive();
  return paths.map((path, at) => {
    const mode = modes[at] ?? 0;
    const isDirectory = (mode & FILE_TYPE) === IS_DIRECTORY;
    const type = isDirectory ? "dir" : ((flags[at] ?? 0) & GHOST) !== 0 ? "ghost" : undefined;
    const isExecutable = !isDirectory && (mode & EXECUTABLE) !== 0;
    return { path, ...(type === undefined ? {} : { type }), ...(isExecutable ? { is_executable: true } : {}) };
  });
}

/** File paths: base names with shared directories, or full paths in old packages. */
function pathsOf(header: Section): string[] {
  const [directories, indexes] = [header.texts(Tag.directories), header.numbers(Tag.directoryIndexes)];
  const names = header.texts(Tag.baseNames);
  if (names.length === 0) return header.texts(Tag.oldFileNames);
  return names.map((name, at) => {
    const directory = directories[indexes[at] ?? 0];
    if (directory === undefined) throw brokenArchive();
    return `${directory}${name}`;
  });
}

function changesOf(header: Section): RpmFileFacts["changelogs"] {
  const [times, texts] = [header.numbers(Tag.changeTimes), header.texts(Tag.changeTexts)];
  return header
    .texts(Tag.changeAuthors)
    .slice(0, MAX_CHANGES)
    .map((author, at) => ({ author, date: times[at] ?? 0, text: texts[at] ?? "" }));
}
