import { BadRequest } from "../../../kernel/errors.ts";
import { MAX_UNPACKED_BYTES } from "../archives/broken.ts";
import { tarEntries } from "../archives/tar.ts";
import { type Packing, packingOf, unpacked } from "../archives/unpack.ts";
import { urlOf } from "../metadata.ts";

/** The facts of a package for pacman's database, read from its archive (contract packages.md 9.20). */

const NAME = /^[a-zA-Z0-9@._+-]{1,200}$/;
const VERSION = /^(\d:)?[\w.+~]+(-[-\w.+~]+)?$/;
const MAX_VERSION = 100;
const ARCHITECTURE = /^\w[\w.-]{0,49}$/;
const INFO = ".PKGINFO";
const MAX_INFO_BYTES = 4 << 20;
const MAX_FILES = 100_000;
const MAX_NAMES_LENGTH = 16 << 20;

/** File name extensions of the archives that makepkg writes. */
const endings: Partial<Record<Packing, string>> = { zstd: "zst", xz: "xz", gzip: "gz" };

/** Facts per file of a version: packages for several architectures differ. */
export interface ArchFileFacts {
  readonly architecture: string;
  readonly base: string;
  readonly packager: string;
  readonly build_date: number;
  readonly installed_size: number;
  readonly groups: readonly string[];
  readonly provides: readonly string[];
  readonly replaces: readonly string[];
  readonly conflicts: readonly string[];
  readonly depends: readonly string[];
  readonly opt_depends: readonly string[];
  readonly make_depends: readonly string[];
  readonly check_depends: readonly string[];
  readonly backup: readonly string[];
  readonly xdata: readonly string[];
  readonly files: readonly string[];
}

export interface ArchFacts {
  readonly name: string;
  readonly version: string;
  /** `zst`, `xz` or `gz`. */
  readonly ending: string;
  readonly metadata: {
    readonly description: string;
    readonly project_url: string;
    readonly licenses: readonly string[];
  };
  readonly file: ArchFileFacts;
}

/** Runs in a worker: it unpacks the whole archive. @throws BadRequest if it is no package, or a field is invalid */
export async function factsOf(file: Blob): Promise<ArchFacts> {
  const packing = await packingOf(file);
  const ending = endings[packing];
  if (ending === undefined) throw new BadRequest("packages.arch-container");
  let info: Uint8Array | undefined;
  const files: string[] = [];
  let namesLength = 0;
  for await (const entry of tarEntries(unpacked(file, packing, MAX_UNPACKED_BYTES, "here"))) {
    if (!entry.isFile) continue;
    if (entry.name === INFO) info ??= await entry.read(MAX_INFO_BYTES);
    if (entry.name.slice(entry.name.lastIndexOf("/") + 1).startsWith(".")) continue;
    namesLength += entry.name.length;
    if (files.length === MAX_FILES || namesLength > MAX_NAMES_LENGTH)
      throw new BadRequest("packages.arch-too-many-files");
    files.push(oneLine(entry.name));
  }
  if (!info) throw new BadRequest("packages.arch-missing");
  return { ...infoOf(new TextDecoder().decode(info), files), ending };
}

/** The database is line-based. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();

/** Parses `key = value` lines; a key may repeat. */
function infoOf(text: string, files: readonly string[]): Omit<ArchFacts, "ending"> {
  const values = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [, key = "", value = ""] = /^\s*([a-z]+)\s*=(.*)$/s.exec(line) ?? [];
    const said = oneLine(value);
    if (key === "" || said === "") continue;
    const before = values.get(key);
    if (before) before.push(said);
    else values.set(key, [said]);
  }
  const all = (key: string) => values.get(key) ?? [];
  const one = (key: string) => all(key).at(-1) ?? "";
  const number = (key: string) => (/^\d{1,15}$/.test(one(key)) ? Number(one(key)) : 0);
  const [name, version, architecture] = [one("pkgname"), one("pkgver"), one("arch")];
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  if (!VERSION.test(version) || version.length > MAX_VERSION) throw new BadRequest("packages.invalid-version");
  if (!ARCHITECTURE.test(architecture)) throw new BadRequest("packages.invalid-architecture");
  return {
    name,
    version,
    metadata: { description: one("pkgdesc"), project_url: urlOf(one("url")), licenses: all("license") },
    file: {
      architecture,
      base: one("pkgbase"),
      packager: one("packager"),
      build_date: number("builddate"),
      installed_size: number("size"),
      groups: all("group"),
      provides: all("provides"),
      replaces: all("replaces"),
      conflicts: all("conflict"),
      depends: all("depend"),
      opt_depends: all("optdepend"),
      make_depends: all("makedepend"),
      check_depends: all("checkdepend"),
      backup: all("backup"),
      xdata: all("xdata"),
      files,
    },
  };
}
