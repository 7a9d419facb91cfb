import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { writeBundle } from "../../src/git/bundle/create.ts";
import { BundleFile } from "../../src/git/bundle/file.ts";
import { BadBundle, type BundleHeader } from "../../src/git/bundle/header.ts";
import { BadPack } from "../../src/git/errors.ts";
import { NoRepository, RepositoryFolder } from "../../src/git/folder.ts";
import { SHA1 } from "../../src/git/objects/format.ts";
import { encodeName } from "../../src/git/objects/names.ts";
import { bundleContents } from "./bundle-contents.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { linesOf } from "./input.ts";
import { readWords } from "./options.ts";

type Verb = (words: readonly string[], terminal: Terminal) => Promise<number> | number;

export const bundleCommand: GitCommand = {
  name: "bundle",
  usage:
    "(create [--version=<n>] <file> <rev-list args>… | verify <file> | list-heads <file> [<ref>…] | unbundle <file> [<ref>…])",
  doc: "Moves objects and refs by a file",
  run(words, terminal) {
    const [name, ...rest] = words;
    if (name === undefined) throw new GitUsage("need a subcommand");
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (!verb) throw new GitUsage(`unknown subcommand: \`${name}'`);
    return verb(rest, terminal);
  },
};

const verbs: Readonly<Record<string, Verb>> = {
  create,
  verify,
  "list-heads": listHeads,
  unbundle,
};

async function create(words: readonly string[], terminal: Terminal): Promise<number> {
  // Options before the file belong to bundle; what follows it is for the revision walk.
  const fileAt = words.findIndex((word) => !word.startsWith("-") || word === "-");
  const options = readWords(words.slice(0, Math.max(0, fileAt)), {
    "-q": ["flag", "quiet"],
    "--quiet": ["flag", "quiet"],
    "--progress": ["flag", "progress"],
    "--all-progress": ["flag", "progress"],
    "--all-progress-implied": ["flag", "progress"],
    "--version": ["value", "version"],
  });
  const file = words[fileAt];
  if (file === undefined) throw new GitUsage("");
  const repository = RepositoryFolder.open(terminal.directory);
  try {
    const { store, commits } = repository;
    const minVersion = store.format === SHA1 ? 2 : 3;
    const version = Number(options.value("version") ?? minVersion);
    if (Number.isNaN(version)) throw new GitUsage("option `version' expects a numerical value");
    if (version !== 2 && version !== 3) throw new Fatal(`unsupported bundle version ${version}`);
    if (version < minVersion)
      throw new Fatal(`cannot write bundle version ${version} with algorithm ${store.format.name}`);
    const contents = bundleContents(repository, await withTyped(words.slice(fileAt + 1), terminal), terminal);
    const header: BundleHeader = { version, format: store.format, filter: undefined, ...contents };
    if (header.refs.length === 0) throw new Fatal("Refusing to create empty bundle.");
    if (file === "-") await writeBundle(store, commits, header, async (bytes) => terminal.out(bytes));
    else await toFile(resolve(terminal.directory, file), (emit) => writeBundle(store, commits, header, emit));
    return 0;
  } finally {
    repository.close();
  }
}

/** Adds revisions from standard input, if `--stdin` is given. */
async function withTyped(words: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  const at = words.indexOf("--stdin");
  if (at < 0) return words;
  const lines: string[] = [];
  for await (const line of linesOf(terminal.stdin())) if (line !== "") lines.push(line);
  return words.toSpliced(at, 1, ...lines);
}

/** Writes to a temporary name, so that an incomplete file is never seen under the final one. */
async function toFile(
  path: string,
  write: (emit: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const lock = `${path}.lock`;
  const fd = openSync(lock, "wx", 0o644);
  let isWhole = false;
  try {
    await write(async (bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    });
    isWhole = true;
  } finally {
    closeSync(fd);
    if (isWhole) renameSync(lock, path);
    else rmSync(lock, { force: true });
  }
}

function verify(words: readonly string[], terminal: Terminal): number {
  const options = readWords(words, { "-q": ["flag", "quiet"], "--quiet": ["flag", "quiet"] });
  const file = fileOf(options.rest);
  return withBundle(file, terminal, (bundle) => {
    const repository = repositoryIfAny(terminal.directory);
    if (!repository) {
      terminal.err("error: need a repository to verify a bundle");
      return 1;
    }
    try {
      if (!hasPrerequisites(bundle, repository, options.has("quiet") ? undefined : terminal)) return 1;
      if (!options.has("quiet")) describe(bundle.header, terminal);
      terminal.err(`${file} is okay`);
      return 0;
    } finally {
      repository.close();
    }
  });
}

function describe({ refs, prerequisites, format, filter }: BundleHeader, terminal: Terminal): void {
  const list = (what: string, lines: readonly string[]) => {
    terminal.out(
      lines.length === 1 ? `The bundle ${what} this ref:\n` : `The bundle ${what} these ${lines.length} refs:\n`,
    );
    for (const line of lines) terminal.out(Buffer.from(`${line}\n`, "latin1"));
  };
  list(
    "contains",
    refs.map(({ oid, name }) => `${oid} ${name}`),
  );
  if (prerequisites.length === 0) terminal.out("The bundle records a complete history.\n");
  else
    list(
      "requires",
      prerequisites.map(({ oid }) => `${oid} `),
    );
  terminal.out(`The bundle uses this hash algorithm: ${format.name}\n`);
  if (filter !== undefined) terminal.out(`The bundle uses this filter: ${filter}\n`);
}

function listHeads(words: readonly string[], terminal: Terminal): number {
  const [file, ...names] = readWords(words, {}).rest;
  return withBundle(fileOf(file === undefined ? [] : [file]), terminal, ({ header }) => {
    printRefs(header, names, terminal);
    return 0;
  });
}

async function unbundle(words: readonly string[], terminal: Terminal): Promise<number> {
  const [file, ...names] = readWords(words, { "--progress": ["flag", "progress"] }).rest;
  return withBundle(fileOf(file === undefined ? [] : [file]), terminal, async (bundle) => {
    const repository = repositoryIfAny(terminal.directory);
    if (!repository) throw new Fatal("Need a repository to unbundle.");
    try {
      if (!hasPrerequisites(bundle, repository, terminal)) return 1;
      await bundle.unpack(repository.gitDir, repository.store);
      printRefs(bundle.header, names, terminal);
      return 0;
    } catch (error) {
      if (!(error instanceof BadPack)) throw error;
      terminal.err(`fatal: ${error.message}`);
      terminal.err("error: index-pack died");
      return 1;
    } finally {
      repository.close();
    }
  });
}

function printRefs({ refs }: BundleHeader, names: readonly string[], terminal: Terminal): void {
  const asked = new Set(names.map((name) => Buffer.from(encodeName(name)).toString("latin1")));
  for (const { oid, name } of refs)
    if (asked.size === 0 || asked.has(name)) terminal.out(Buffer.from(`${oid} ${name}\n`, "latin1"));
}

function hasPrerequisites(bundle: BundleFile, { store }: RepositoryFolder, terminal: Terminal | undefined): boolean {
  const missing = bundle.missingFrom(store);
  if (missing.length === 0) return true;
  terminal?.err("error: Repository lacks these prerequisite commits:");
  for (const oid of missing) terminal?.err(`error: ${oid} `);
  return false;
}

function withBundle<T extends number | Promise<number>>(
  file: string,
  terminal: Terminal,
  use: (bundle: BundleFile) => T,
): T | number {
  let bundle: BundleFile;
  try {
    bundle = BundleFile.open(resolve(terminal.directory, file));
  } catch (error) {
    if (error instanceof BadBundle) terminal.err(`error: ${error.message.replace("%", file)}`);
    else if (error instanceof Error && "code" in error && error.code === "EISDIR")
      terminal.err(`error: '${file}' does not look like a v2 or v3 bundle file`);
    else if (error instanceof Error && "code" in error) terminal.err(`error: could not open '${file}'`);
    else throw error;
    return 1;
  }
  const result = use(bundle);
  if (typeof result === "number") bundle.close();
  else result.finally(() => bundle.close()).catch(() => {});
  return result;
}

/** git ignores further words. */
function fileOf(rest: readonly string[]): string {
  const [file] = rest;
  if (file === undefined) throw new GitUsage("");
  return file;
}

function repositoryIfAny(directory: string): RepositoryFolder | undefined {
  try {
    return RepositoryFolder.open(directory);
  } catch (error) {
    if (error instanceof NoRepository) return undefined;
    throw error;
  }
}
