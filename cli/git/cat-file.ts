import { GitError } from "../../src/git/errors.ts";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags, peelToTree } from "../../src/git/graph/peel.ts";
import { quotePath } from "../../src/git/objects/quote.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import { isObjectType } from "../../src/git/objects/tag.ts";
import { parseTree, typeOfMode } from "../../src/git/objects/tree.ts";
import type { ObjectHeader, Oid } from "../../src/git/objects/types.ts";
import { RevisionRefused } from "../../src/git/revision-language.ts";
import { batch } from "./cat-file-batch.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { explainPath } from "./explain.ts";
import { readWords, type Words } from "./options.ts";
import { openForReading } from "./repository.ts";

const BATCHES = ["batch", "batch-check", "batch-command"];
const MODES = ["type", "size", "print", "exists"];

export const catFileCommand: GitCommand = {
  name: "cat-file",
  usage:
    "(-t | -s | -p | -e | <type>) <object> | (--batch | --batch-check | --batch-command)[=<format>] [--batch-all-objects] [--buffer] [-z]",
  doc: "Shows an object, its type or its size; with --batch those named on standard input",
  async run(words, terminal) {
    const options = readWords(words, {
      "-t": ["flag", "type"],
      "-s": ["flag", "size"],
      "-p": ["flag", "print"],
      "-e": ["flag", "exists"],
      "--allow-unknown-type": ["flag", "allow-unknown-type"],
      "--batch": ["attached", "batch", "batch as usual"],
      "--batch-check": ["attached", "batch-check", "batch-check as usual"],
      "--batch-command": ["attached", "batch-command", "batch-command as usual"],
      "--batch-all-objects": ["flag", "all"],
      "--unordered": ["flag", "unordered"],
      "--buffer": ["flag", "buffer"],
      "-z": ["flag", "nul"],
    });
    const batches = options.options.filter(({ name }) => BATCHES.includes(name.replace(" as usual", "")));
    const names = [...options.rest, ...(options.paths ?? [])];
    checkModes(options, batches.length, names);
    const repository = options.has("all")
      ? // With all objects, they are shown as stored, without replacements.
        RepositoryFolder.open(terminal.directory)
      : openForReading(terminal);
    try {
      const [asked] = batches;
      if (!asked) return await showOne(options, names, repository, terminal);
      const isUsual = asked.name.endsWith(" as usual");
      await batch(repository, terminal, {
        kind: asked.name.replace(" as usual", ""),
        format: isUsual ? undefined : asked.value,
        all: options.has("all") ? (options.has("unordered") ? "unordered" : "sorted") : undefined,
        buffered: options.has("buffer"),
        nul: options.has("nul"),
      });
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** @throws GitUsage for options that cannot be combined */
function checkModes(options: Words, batches: number, names: readonly string[]): void {
  const modes = MODES.filter((name) => options.has(name)).length;
  if (batches > 1) throw new GitUsage("only one batch option may be specified");
  if (batches === 1) {
    if (modes > 0) throw new GitUsage("it is incompatible with batch mode");
    if (names.length > 0) throw new GitUsage("batch modes take no arguments");
    return;
  }
  for (const [name, word] of Object.entries({ all: "--batch-all-objects", buffer: "--buffer", nul: "-z" }))
    if (options.has(name)) throw new GitUsage(`'${word}' requires a batch mode`);
  if (modes > 1) throw new GitUsage("options that show different things are incompatible");
  const wanted = modes === 1 ? 1 : 2;
  if (names.length > wanted) throw new GitUsage("too many arguments");
  if (names.length < wanted) throw new GitUsage(wanted === 1 ? "<object> required" : "only two arguments allowed");
}

async function showOne(
  options: Words,
  names: readonly string[],
  repository: RepositoryFolder,
  terminal: Terminal,
): Promise<number> {
  const asked = MODES.find((name) => options.has(name));
  const type = asked === undefined ? names[0] : undefined;
  const revision = names.at(-1)!;
  const { store } = repository;
  const oid = nameOrFatal(repository, revision);
  if (type !== undefined && !isObjectType(type)) throw new Fatal(`invalid object type "${type}"`);
  const header = store.header(oid);
  if (asked === "exists") return header ? 0 : 1;
  if (!header && (asked === "type" || asked === "size")) throw new Fatal("git cat-file: could not get object info");
  if (!header && asked === "print") throw new Fatal(`Not a valid object name ${revision}`);
  if (asked === "type") terminal.out(`${header?.type}\n`);
  else if (asked === "size") terminal.out(`${header?.sizeBytes}\n`);
  else if (asked === "print" && header?.type === "tree") terminal.out(treeLines(store, contentOf(store, oid)));
  else {
    const target = asked === "print" ? oid : header && peelToType(store, oid, type);
    const found = target === undefined ? undefined : store.header(target);
    if (target === undefined || !found) throw new Fatal(`git cat-file ${revision}: bad file`);
    await writeContent(store, target, found, terminal);
  }
  return 0;
}

function nameOrFatal(repository: RepositoryFolder, revision: string): Oid {
  try {
    return repository.oidOf(revision);
  } catch (error) {
    if (!(error instanceof GitError) || error instanceof RevisionRefused) throw error;
    explainPath(repository, revision, { warns: false });
    throw new Fatal(`Not a valid object name ${revision}`);
  }
}

/** The object itself if it has the type, otherwise what it peels to: a tag's target, a commit's tree. */
function peelToType(store: ObjectSource, oid: Oid, type: string | undefined): Oid | undefined {
  if (store.header(oid)?.type === type) return oid;
  if (type === "tree") return peelToTree(store, oid);
  const target = peelTags(store, oid);
  return target !== undefined && store.header(target)?.type === type ? target : undefined;
}

/** Larger files that are stored whole are streamed instead of being held in memory. */
const STREAMED_BYTES = 8 * 1024 * 1024;

/** Writes an object's content. @throws Fatal, CorruptObject */
export async function writeContent(
  store: ObjectSource,
  oid: Oid,
  { type, sizeBytes }: ObjectHeader,
  terminal: Terminal,
): Promise<void> {
  const stream = type === "blob" && sizeBytes > STREAMED_BYTES ? store.stream(oid) : undefined;
  if (!stream) return terminal.out(contentOf(store, oid));
  for await (const piece of stream) {
    terminal.out(piece);
    // The buffers may be reused for the next pieces.
    terminal.flush();
  }
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
