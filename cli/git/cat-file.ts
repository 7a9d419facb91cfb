import { quotePath } from "../../src/git/diff/quote.ts";
import { GitError } from "../../src/git/errors.ts";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags, peelToTree } from "../../src/git/graph/peel.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import { parseTree, typeOfMode } from "../../src/git/objects/tree.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { AmbiguousRevision } from "../../src/git/revisions.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { linesOf } from "./input.ts";
import { readWords, type Words } from "./options.ts";

const DEFAULT_FORMAT = "%(objectname) %(objecttype) %(objectsize)";

export const catFileCommand: GitCommand = {
  name: "cat-file",
  usage: "(-t | -s | -p | -e | <type>) <object> | (--batch | --batch-check)[=<format>] [--batch-all-objects] [-z]",
  doc: "Shows an object, its type or its size; with --batch those named on standard input",
  async run(words, terminal) {
    const options = readWords(words, {
      "-t": ["flag", "type"],
      "-s": ["flag", "size"],
      "-p": ["flag", "print"],
      "-e": ["flag", "exists"],
      "--batch": ["attached", "batch"],
      "--batch-check": ["attached", "batch-check"],
      "--batch-all-objects": ["flag", "all"],
      "--unordered": ["flag", "unordered"],
      "--buffer": ["flag", "buffer"],
      "-z": ["flag", "nul"],
    });
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      if (options.has("batch") || options.has("batch-check")) return await batch(options, repository, terminal);
      return showOne(options, repository, terminal);
    } finally {
      repository.close();
    }
  },
};

function showOne(options: Words, repository: RepositoryFolder, terminal: Terminal): number {
  const asked = options.options[0]?.name;
  const [type, revision] = asked === undefined ? options.rest : [undefined, options.rest[0]];
  if (revision === undefined || options.options.length > 1) throw new GitUsage("");
  const { store } = repository;
  const oid = nameOrFatal(repository, revision);
  const header = store.header(oid);
  if (asked === "exists") return header ? 0 : 1;
  if (!header)
    throw new Fatal(
      asked === "type" || asked === "size"
        ? "git cat-file: could not get object info"
        : `Not a valid object name ${revision}`,
    );
  if (asked === "type") terminal.out(`${header.type}\n`);
  else if (asked === "size") terminal.out(`${header.sizeBytes}\n`);
  else if (asked === "print")
    terminal.out(header.type === "tree" ? treeLines(store, contentOf(store, oid)) : contentOf(store, oid));
  else {
    const target = leadTo(store, oid, type);
    if (target === undefined) throw new Fatal(`git cat-file ${revision}: bad file`);
    terminal.out(contentOf(store, target));
  }
  return 0;
}

function nameOrFatal(repository: RepositoryFolder, revision: string): Oid {
  try {
    return repository.oidOf(revision);
  } catch (error) {
    if (error instanceof GitError) throw new Fatal(`Not a valid object name ${revision}`);
    throw error;
  }
}

/** The object itself when it is of the type, else what it leads to: a tag's target, a commit's tree. */
function leadTo(store: ObjectSource, oid: Oid, type: string | undefined): Oid | undefined {
  if (store.header(oid)?.type === type) return oid;
  if (type === "tree") return peelToTree(store, oid);
  const target = peelTags(store, oid);
  return target !== undefined && store.header(target)?.type === type ? target : undefined;
}

function contentOf(store: ObjectSource, oid: Oid): Uint8Array {
  const object = store.read(oid);
  if (!object) throw new Fatal(`unable to read ${oid}`);
  return object.data;
}

function treeLines(store: ObjectSource, data: Uint8Array): string {
  return parseTree(data, store.format)
    .map(
      ({ mode, name, oid }) =>
        `${mode.toString(8).padStart(6, "0")} ${typeOfMode(mode)} ${oid}\t${quotePath("", name)}\n`,
    )
    .join("");
}

async function batch(options: Words, repository: RepositoryFolder, terminal: Terminal): Promise<number> {
  const withContent = options.has("batch");
  const format = options.value(withContent ? "batch" : "batch-check") || DEFAULT_FORMAT;
  const splitsRest = format.includes("%(rest)");
  const show = (oid: Oid, rest: string) => {
    const header = repository.store.header(oid);
    if (!header) return terminal.out(`${oid} missing\n`);
    terminal.out(`${fill(format, oid, header.type, header.sizeBytes, rest)}\n`);
    if (withContent) {
      terminal.out(contentOf(repository.store, oid));
      terminal.out("\n");
    }
  };
  if (options.has("all")) {
    const oids = new Set(repository.store.allOids());
    for (const oid of options.has("unordered") ? oids : [...oids].sort()) show(oid, "");
    return 0;
  }
  for await (const line of linesOf(terminal.stdin(), options.has("nul") ? 0 : 0x0a)) {
    const blank = splitsRest ? /[ \t]/.exec(line)?.index : undefined;
    const name = blank === undefined ? line : line.slice(0, blank);
    const rest = blank === undefined ? "" : line.slice(blank).replace(/^[ \t]+/, "");
    let oid: Oid | undefined;
    try {
      oid = repository.oidOf(name);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      terminal.out(`${name} ${error instanceof AmbiguousRevision ? "ambiguous" : "missing"}\n`);
      continue;
    }
    if (repository.has(oid)) show(oid, rest);
    else terminal.out(`${name} missing\n`);
  }
  return 0;
}

/** @throws Fatal a placeholder git does not know here */
function fill(format: string, oid: Oid, type: string, sizeBytes: number, rest: string): string {
  return format.replace(/%\(([^)]*)\)|%%/g, (all, name: string | undefined) => {
    if (all === "%%") return "%";
    if (name === "objectname") return oid;
    if (name === "objecttype") return type;
    if (name === "objectsize") return String(sizeBytes);
    if (name === "rest") return rest;
    throw new Fatal(`unknown format element: ${name}`);
  });
}
