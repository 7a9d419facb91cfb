import type { ArchFacts, ArchFileFacts } from "./facts.ts";
import { compareVersions } from "./vercmp.ts";

/** A package as the database of the site has it. */
export interface IndexedPackage {
  readonly name: string;
  readonly version: string;
  /** The version's own, as JSON. */
  readonly metadata: string;
  /** The file's, as JSON. */
  readonly fileMetadata: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha256: string;
  /** In base64. */
  readonly signature: string;
}

/** The database that pacman reads: the newest of each package, gzipped (contract packages.md 9.20). */
export async function run({ packages }: { readonly packages: readonly IndexedPackage[] }): Promise<Uint8Array> {
  const newest = new Map<string, IndexedPackage>();
  for (const each of packages) {
    const known = newest.get(each.name);
    if (!known || compareVersions(each.version, known.version) > 0) newest.set(each.name, each);
  }
  const entries = [...newest.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((each) => {
      const facts = JSON.parse(each.fileMetadata) as ArchFileFacts;
      const folder = `${each.name}-${each.version}`;
      return [
        [`${folder}/files`, blocks([["FILES", facts.files]])],
        [`${folder}/desc`, description(each, facts)],
      ];
    });
  return new Bun.Archive(Object.fromEntries(entries), { compress: "gzip" }).bytes();
}

function description(each: IndexedPackage, facts: ArchFileFacts): string {
  const of = JSON.parse(each.metadata) as ArchFacts["metadata"];
  return blocks([
    ["FILENAME", [each.fileName]],
    ["MD5SUM", [each.md5]],
    ["SHA256SUM", [each.sha256]],
    ["PGPSIG", [each.signature]],
    ["CSIZE", [String(each.sizeBytes)]],
    ["ISIZE", [String(facts.installed_size)]],
    ["NAME", [each.name]],
    ["BASE", [facts.base]],
    ["ARCH", [facts.architecture]],
    ["VERSION", [each.version]],
    ["DESC", [of.description]],
    ["URL", [of.project_url]],
    ["LICENSE", of.licenses],
    ["GROUPS", facts.groups],
    ["BUILDDATE", [String(facts.build_date)]],
    ["PACKAGER", [facts.packager]],
    ["PROVIDES", facts.provides],
    ["REPLACES", facts.replaces],
    ["CONFLICTS", facts.conflicts],
    ["DEPENDS", facts.depends],
    ["OPTDEPENDS", facts.opt_depends],
    ["MAKEDEPENDS", facts.make_depends],
    ["CHECKDEPENDS", facts.check_depends],
  ]);
}

/** What has no value is left out. */
const blocks = (all: readonly (readonly [key: string, values: readonly string[]])[]) =>
  all
    .map(([key, values]) => [key, values.filter((value) => value !== "")] as const)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => `%${key}%\n${values.join("\n")}\n\n`)
    .join("");
