import { peelToTree } from "../../src/git/graph/peel.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import { quotePath } from "../../src/git/objects/quote.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import { isTreeMode, typeOfMode } from "../../src/git/objects/tree.ts";
import { openTree } from "../../src/git/objects/tree-cursor.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords, type Words } from "./options.ts";
import { pathFromTop, refuseEmpty } from "./paths.ts";
import { objectNamed, openForReading } from "./repository.ts";

const FORMATS = {
  usual: "%(objectmode) %(objecttype) %(objectname)%x09%(path)",
  long: "%(objectmode) %(objecttype) %(objectname) %(objectsize:padded)%x09%(path)",
  names: "%(path)",
  objects: "%(objectname)",
};

export const lsTreeCommand: GitCommand = {
  name: "ls-tree",
  usage:
    "[-d] [-r] [-t] [-l] [-z] [--name-only] [--object-only] [--full-tree] [--format=<format>] <tree-ish> [<path>…]",
  doc: "Lists what is in a tree",
  run(words, terminal) {
    const options = readWords(words, {
      "-d": ["flag", "trees-only"],
      "-r": ["flag", "recursive"],
      "-t": ["flag", "trees"],
      "-l": ["flag", "long"],
      "--long": ["flag", "long"],
      "-z": ["flag", "nul"],
      "--name-only": ["flag", "names"],
      "--name-status": ["flag", "names"],
      "--object-only": ["flag", "objects"],
      "--full-tree": ["flag", "full-tree"],
      "--full-name": ["flag", "full-name"],
      "--format": ["value", "format"],
      "--abbrev": ["attached", "abbrev"],
      "--no-abbrev": ["flag", "no-abbrev"],
    });
    const [revision, ...paths] = [...options.rest, ...(options.paths ?? [])];
    if (revision === undefined) throw new GitUsage("");
    checkFormats(options);
    const repository = openForReading(terminal);
    try {
      const { store } = repository;
      const tree = peelToTree(store, objectNamed(repository, revision));
      if (tree === undefined) throw new Fatal("not a tree object");
      const isNul = options.has("nul");
      const short = abbreviatorOf(options, store);
      const line = lineOf(formatOfWords(options), store, isNul, (oid) => short?.abbreviate(oid) ?? oid);
      const wanted = paths.map((path) => {
        refuseEmpty(path);
        return pathFromTop(repository, terminal.directory, path, `${path}: '${path}'`);
      });
      const listing = new Listing(store, options, wanted.includes("") ? [] : wanted, (entry) => {
        terminal.out(line(entry) + (isNul ? "\0" : "\n"));
      });
      listing.directory(tree, "");
      return 0;
    } finally {
      repository.close();
    }
  },
};

interface Entry {
  readonly mode: number;
  readonly oid: Oid;
  readonly path: string;
}

/** Walks like `git ls-tree`: into every directory with `-r`, otherwise only those on the way to a path. */
class Listing {
  private readonly recursive: boolean;
  private readonly treesOnly: boolean;
  private readonly showsWay: boolean;

  constructor(
    private readonly store: ObjectSource,
    options: Words,
    private readonly paths: readonly string[],
    private readonly show: (entry: Entry) => void,
  ) {
    this.recursive = options.has("recursive");
    this.treesOnly = options.has("trees-only");
    this.showsWay = options.has("trees") || (this.recursive && this.treesOnly);
  }

  directory(tree: Oid, prefix: string): void {
    const cursor = openTree(this.store, tree);
    while (cursor.next()) {
      const path = prefix + decodeName(cursor.data, cursor.nameStart, cursor.nameEnd);
      const isTree = isTreeMode(cursor.mode);
      const isWay = isTree && this.paths.some((wanted) => wanted.startsWith(`${path}/`));
      const isSubmodule = typeOfMode(cursor.mode) === "commit";
      const isWanted =
        this.paths.length === 0 ||
        this.paths.some((wanted) => covers(wanted, path) || (isSubmodule && wanted === `${path}/`));
      if (!isWanted && !isWay) continue;
      const entry = { mode: cursor.mode, oid: cursor.oid(), path };
      const goesIn = isTree && (this.recursive || isWay);
      // git treats a submodule as a directory here.
      const isShown = isTree ? !goesIn || this.showsWay : !this.treesOnly || isSubmodule;
      if (isShown) this.show(entry);
      if (goesIn) this.directory(entry.oid, `${path}/`);
    }
  }
}

/** Whether the path is `wanted`, or below it. */
function covers(wanted: string, path: string): boolean {
  if (wanted.endsWith("/")) return path.startsWith(wanted);
  return path === wanted || path.startsWith(`${wanted}/`);
}

function formatOfWords(options: Words): string {
  const given = options.value("format");
  if (given !== undefined) return given;
  if (options.has("long")) return FORMATS.long;
  if (options.has("names")) return FORMATS.names;
  return options.has("objects") ? FORMATS.objects : FORMATS.usual;
}

/** @throws GitUsage for two options that define the line format */
function checkFormats(options: Words): void {
  const asked = [...new Set(options.options.map(({ name }) => name))].filter((name) => name in FORMAT_OPTIONS);
  if (options.has("format") && asked.length > 0)
    throw new GitUsage("--format can't be combined with other format-altering options");
  if (asked.length > 1)
    throw new GitUsage(`option \`${FORMAT_OPTIONS[asked[1]!]}' is incompatible with --${FORMAT_OPTIONS[asked[0]!]}`);
}

const FORMAT_OPTIONS: Readonly<Record<string, string>> = {
  long: "long",
  names: "name-only",
  objects: "object-only",
};

/** The last of `--abbrev` and `--no-abbrev` wins. @throws GitUsage */
function abbreviatorOf(options: Words, store: ObjectSource): Abbreviator | undefined {
  const last = options.options.findLast(({ name }) => name === "abbrev" || name === "no-abbrev");
  if (!last || last.name === "no-abbrev" || last.value === "0") return undefined;
  if (!/^\d*$/.test(last.value)) throw new GitUsage("option `abbrev' expects a numerical value");
  return new Abbreviator(store, last.value === "" ? "auto" : Number(last.value));
}

/** @throws Fatal for a placeholder git does not support here */
function lineOf(
  format: string,
  store: ObjectSource,
  isNul: boolean,
  idOf: (oid: Oid) => string,
): (entry: Entry) => string {
  const size = ({ mode, oid }: Entry) =>
    typeOfMode(mode) === "blob" ? String(store.header(oid)?.sizeBytes ?? "BAD") : "-";
  const fields: Record<string, (entry: Entry) => string> = {
    objectmode: ({ mode }) => mode.toString(8).padStart(6, "0"),
    objecttype: ({ mode }) => typeOfMode(mode),
    objectname: ({ oid }) => idOf(oid),
    objectsize: size,
    "objectsize:padded": (entry) => size(entry).padStart(7),
    path: ({ path }) => (isNul ? path : quotePath("", path)),
  };
  const parts = format.split(/(%\([^)]*\)|%x[0-9a-fA-F]{2}|%n|%%)/).map((part): string | ((entry: Entry) => string) => {
    if (part === "%%") return "%";
    if (part === "%n") return "\n";
    if (/^%x[0-9a-fA-F]{2}$/.test(part)) return String.fromCharCode(Number.parseInt(part.slice(2), 16));
    const name = /^%\((.*)\)$/.exec(part)?.[1];
    if (name === undefined) {
      const broken = /%(.*)/s.exec(part)?.[1];
      if (broken === undefined) return part;
      throw new Fatal(
        `bad ls-tree format: element '${broken}' does not ${broken.startsWith("(") ? "end in ')'" : "start with '('"}`,
      );
    }
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new Fatal(`bad ls-tree format: %(${name})`);
    return field;
  });
  return (entry) => parts.map((part) => (typeof part === "string" ? part : part(entry))).join("");
}
