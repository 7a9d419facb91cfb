import type { JobContext } from "../../../workers/job.ts";
import { unpackedFacts } from "../../indices/facts.ts";
import { linesIn } from "../../indices/lines.ts";
import type { DatabasePackage } from "./database.ts";
import type { ArchFileFacts } from "./facts.ts";
import { compareVersions } from "./vercmp.ts";

/** Builds the gzipped database that pacman reads from packages given as lines: the newest version of each name. */
export async function run(_: object, { emit, input }: JobContext): Promise<void> {
  const newest = new Map<string, DatabasePackage>();
  for await (const line of linesIn(input)) {
    const each = line as DatabasePackage;
    const known = newest.get(each.name);
    if (!known || compareVersions(each.version, known.version) > 0) newest.set(each.name, each);
  }
  const entries = [...newest.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((each) => {
      const facts = unpackedFacts(each.facts) as ArchFileFacts;
      const folder = `${each.name}-${each.version}`;
      return [
        [`${folder}/files`, blocks([["FILES", facts.files]])],
        [`${folder}/desc`, description(each, facts)],
      ];
    });
  await emit(await new Bun.Archive(Object.fromEntries(entries), { compress: "gzip" }).bytes());
}

function description({ metadata: of, ...each }: DatabasePackage, facts: ArchFileFacts): string {
  return blocks([
    ["FILENAME", [each.fileName]],
    ["MD5SUM", [each.md5]],
    ["SHA256SUM", [each.sha256]],
    ["PGPSIG", [each.signature ?? ""]],
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

/** Leaves out empty values. */
const blocks = (all: readonly (readonly [key: string, values: readonly string[]])[]) =>
  all
    .map(([key, values]) => [key, values.filter((value) => value !== "")] as const)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => `%${key}%\n${values.join("\n")}\n\n`)
    .join("");
