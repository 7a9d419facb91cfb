import { openTree } from "../../src/git/diff/cursor.ts";
import { quotePath } from "../../src/git/diff/quote.ts";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToTree } from "../../src/git/graph/peel.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import { isFolder, typeOfMode } from "../../src/git/objects/tree.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords, type Words } from "./options.ts";

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
      "--full-tree": ["flag", "full"],
      "--full-name": ["flag", "full"],
      "--format": ["value", "format"],
      "--abbrev": ["attached", "abbrev"],
    });
    const [revision, ...paths] = [...options.rest, ...(options.paths ?? [])];
    if (revision === undefined) throw new GitUsage("");
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      const { store } = repository;
      const tree = peelToTree(store, repository.oidOf(revision));
      if (tree === undefined) throw new Fatal("not a tree object");
      const isNul = options.has("nul");
      const digits = options.value("abbrev");
      const short = digits === undefined ? undefined : new Abbreviator(store, digits === "" ? "auto" : Number(digits));
      const line = lineOf(formatOfWords(options), store, isNul, (oid) => short?.abbreviate(oid) ?? oid);
      const listing = new Listing(store, options, paths, (entry) => {
        terminal.out(line(entry) + (isNul ? "\0" : "\n"));
      });
      listing.folder(tree, "");
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

/** Walks as `git ls-tree` does: into every folder with `-r`, else only into those a path leads through. */
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

  folder(tree: Oid, prefix: string): void {
    const cursor = openTree(this.store, tree);
    while (cursor.next()) {
      const path = prefix + decodeName(cursor.data, cursor.nameStart, cursor.nameEnd);
      const isTree = isFolder(cursor.mode);
      const isWay = isTree && this.paths.some((wanted) => wanted.startsWith(`${path}/`));
      const isWanted = this.paths.length === 0 || this.paths.some((wanted) => covers(wanted, path));
      if (!isWanted && !isWay) continue;
      const entry = { mode: cursor.mode, oid: cursor.oid(), path };
      const goesIn = isTree && (this.recursive || isWay);
      // A submodule is a folder to git here.
      const isShown = isTree ? !goesIn || this.showsWay : !this.treesOnly || typeOfMode(entry.mode) === "commit";
      if (isShown) this.show(entry);
      if (goesIn) this.folder(entry.oid, `${path}/`);
    }
  }
}

/** Whether the path is `wanted`, or inside of it. */
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

/** @throws Fatal a placeholder git does not know here */
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
    if (name === undefined) return part;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new Fatal(`bad ls-tree format: %(${name})`);
    return field;
  });
  return (entry) => parts.map((part) => (typeof part === "string" ? part : part(entry))).join("");
}
