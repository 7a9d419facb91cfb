import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UnsoundObject } from "../../src/git/errors.ts";
import { NoRepository, RepositoryFolder } from "../../src/git/folder.ts";
import { type ObjectFormat, SHA1, SHA256 } from "../../src/git/objects/format.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import {
  type IndexedPack,
  type IndexPackOptions,
  indexPackCopy,
  indexPackFile,
  indexPackStream,
} from "../../src/git/receive/index-pack.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { readWords, type Words } from "./options.ts";

/** git's messages have at most this many bytes, and no control characters except tabs and line feeds. */
const MAX_LINE_BYTES = 4095;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

export const indexPackCommand: GitCommand = {
  name: "index-pack",
  usage:
    "[-v] [-o <index-file>] [--strict] [--fsck-objects] (<pack-file> | --stdin [--fix-thin] [--keep[=<msg>]] [<pack-file>])",
  doc: "Checks a pack and writes its index",
  async run(words, terminal) {
    const options = readWords(words, {
      "-v": ["flag", "verbose"],
      "-o": ["value", "index"],
      "--stdin": ["flag", "stdin"],
      "--fix-thin": ["flag", "fix-thin"],
      "--keep": ["attached", "keep"],
      "--strict": ["flag", "strict"],
      "--fsck-objects": ["flag", "fsck"],
      "--object-format": ["value", "format"],
      "--threads": ["value", "threads"],
      "--no-rev-index": ["flag", "no-rev-index"],
    });
    const [packFile] = options.rest;
    if (options.rest.length > 1 || (packFile === undefined && !options.has("stdin"))) throw new GitUsage("");
    if (options.has("fix-thin") && !options.has("stdin")) throw new Fatal("the option '--fix-thin' requires '--stdin'");
    if (options.has("stdin") && options.has("format"))
      throw new Fatal("options '--object-format' and '--stdin' cannot be used together");
    const repository = repositoryIfAny(terminal.directory);
    try {
      if (!repository && options.has("stdin")) throw new Fatal("--stdin requires a git repository");
      const pack = await indexed(options, packFile, repository, terminal);
      const keepsPack = options.has("stdin") && packFile === undefined;
      const word = keepsPack ? (options.has("keep") ? "keep\t" : "pack\t") : "";
      terminal.out(`${word}${pack.packId}\n`);
      for (const oid of pack.missingModules) terminal.out(`${oid}\n`);
      return 0;
    } catch (error) {
      // The problem has already been printed.
      if (!(error instanceof UnsoundObject)) throw error;
      throw new Fatal(error.checkedLast ? "fsck error in pack objects" : "fsck error in packed object");
    } finally {
      repository?.close();
    }
  },
};

async function indexed(
  options: Words,
  packFile: string | undefined,
  repository: RepositoryFolder | undefined,
  terminal: Terminal,
): Promise<IndexedPack> {
  const common: IndexPackOptions = {
    format: formatNamed(options.value("format")) ?? repository?.store.format ?? SHA1,
    ...(repository ? { store: repository.store } : {}),
    fsck: options.has("strict") || options.has("fsck"),
    links: options.has("strict"),
    onProblems: (oid, problems) => {
      for (const { id, severity, message } of problems) {
        const line = `${severity}: object ${oid}: ${id}: ${message.split("\0")[0]}`;
        terminal.err(decodeName(Buffer.from(line.replace(CONTROL, "?").slice(0, MAX_LINE_BYTES), "latin1")));
      }
    },
    ...(options.has("verbose") ? { onProgress: (text: string) => progress(text, terminal) } : {}),
  };
  const completeThin = options.has("fix-thin");
  const keep = options.has("keep") ? { keep: options.value("keep") ?? "" } : {};
  if (packFile === undefined && repository)
    return indexPackStream(repository.gitDir, terminal.stdin(), { ...common, ...keep, completeThin });
  const path = resolve(terminal.directory, packFile ?? "");
  const index = options.value("index");
  if (index === undefined && !path.endsWith(".pack"))
    throw new Fatal(`packfile name '${packFile}' does not end with '.pack'`);
  const indexPath = index === undefined ? path.replace(/pack$/, "idx") : resolve(terminal.directory, index);
  if (options.has("stdin")) return indexPackCopy(path, indexPath, terminal.stdin(), { ...common, completeThin });
  if (!existsSync(path)) throw new Fatal(`cannot open packfile '${packFile}': No such file or directory`);
  return indexPackFile(path, indexPath, common);
}

/** Only prints finished counts: a moving counter is useless in a log. */
function progress(text: string, terminal: Terminal): void {
  if (text.endsWith("\n")) terminal.err(text.trimEnd());
}

function formatNamed(name: string | undefined): ObjectFormat | undefined {
  if (name === undefined) return undefined;
  for (const format of [SHA1, SHA256]) if (format.name === name) return format;
  throw new Fatal(`unknown hash algorithm '${name}'`);
}

function repositoryIfAny(directory: string): RepositoryFolder | undefined {
  try {
    return RepositoryFolder.open(directory);
  } catch (error) {
    if (error instanceof NoRepository) return undefined;
    throw error;
  }
}
