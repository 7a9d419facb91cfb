import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { ARCHIVE_FORMATS, type ArchiveFormat, archive } from "../../src/git/archive/archive.ts";
import type { EolSettings } from "../../src/git/archive/convert.ts";
import type { ArchivePath } from "../../src/git/archive/source.ts";
import { readPathspec } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit, peelToTree } from "../../src/git/graph/peel.ts";
import { parseCommitLinks } from "../../src/git/objects/commit.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { zoneMinutes } from "../../src/git/pretty/calendar.ts";
import { systemClock } from "../../src/git/pretty/dates.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { readWords } from "./options.ts";
import { pathFromTop, refuseEmpty } from "./paths.ts";
import { prettyContext } from "./pretty.ts";
import { openForReading } from "./repository.ts";
import { attributeFiles, isYes, settingOf } from "./settings.ts";

export const archiveCommand: GitCommand = {
  name: "archive",
  usage: "[--format=<fmt>] [--prefix=<prefix>/] [-o <file>] [-v] [-<0-9>] [-l | --list] <tree-ish> [<path>...]",
  doc: "Packs a commit's files as tar, tar.gz or zip",
  async run(words, terminal) {
    const { options, rest, paths, value, has } = readWords(words, {
      "--format": ["value", "format"],
      "--prefix": ["value", "prefix"],
      "-o": ["value", "output"],
      "--output": ["value", "output"],
      "-v": ["flag", "verbose"],
      "--verbose": ["flag", "verbose"],
      "-l": ["flag", "list"],
      "--list": ["flag", "list"],
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, level) => [`-${level}`, ["flag", `level ${level}`] as const]),
      ),
    });
    if (has("list")) {
      terminal.out(ARCHIVE_FORMATS.map((format) => `${format}\n`).join(""));
      return 0;
    }
    const output = value("output");
    const format = formatOf(value("format") ?? (output === undefined ? "tar" : formatOfFile(output)));
    const [revision, ...wanted] = rest;
    if (revision === undefined) throw new GitUsage("");
    const level = options.findLast(({ name }) => name.startsWith("level "))?.name.slice("level ".length);
    if (level !== undefined && format === "tar") throw new Fatal(`Argument not supported for format 'tar': -${level}`);
    const repository = openForReading(terminal);
    const settingNamed = (key: string) => settingOf(repository, terminal, key);
    try {
      const { tree, commit, timeSeconds } = source(repository, revision);
      const zone = zoneMinutes(systemClock().zoneAt(timeSeconds));
      const pieces = archive(repository.store, {
        format,
        tree,
        timeSeconds,
        zoneMinutes: zone,
        commit,
        context: prettyContext(repository, terminal),
        ...attributeFiles(repository, terminal),
        lineEnds: lineEndsOf(settingNamed),
        umask: umaskOf(settingNamed("tar.umask")),
        onOddName: (path) => terminal.err(`warning: path is not valid UTF-8: ${path}`),
        paths: typedPaths(repository, terminal, [...wanted, ...(paths ?? [])]),
        ...(value("prefix") === undefined ? {} : { prefix: value("prefix") }),
        ...(level === undefined ? {} : { level: Number(level) }),
        ...(has("verbose") ? { onEntry: (path) => terminal.err(decodeName(Buffer.from(path, "latin1"))) } : {}),
      });
      if (output === undefined) for await (const piece of pieces) terminal.out(piece);
      else await writeTo(resolve(terminal.directory, output), pieces);
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** Paths are relative to the directory being archived. @throws Fatal, BadPathspec */
function typedPaths(repository: RepositoryFolder, { directory }: Terminal, paths: readonly string[]): ArchivePath[] {
  return paths.map((given) => {
    refuseEmpty(given);
    const read = (path: string) => pathFromTop(repository, directory, path, `${given}: '${path}'`);
    return { given, wanted: readPathspec(given, read) };
  });
}

function formatOf(name: string): ArchiveFormat {
  const format = ARCHIVE_FORMATS.find((known) => known === name);
  if (!format) throw new Fatal(`Unknown archive format '${name}'`);
  return format;
}

function lineEndsOf(settingNamed: (key: string) => string | undefined): EolSettings {
  const auto = settingNamed("core.autocrlf");
  const eol = settingNamed("core.eol")?.toLowerCase();
  return {
    autocrlf: auto?.toLowerCase() === "input" ? "input" : isYes(auto),
    eol: eol === "crlf" || eol === "lf" ? eol : undefined,
  };
}

/** `tar.umask`: octal, or `user` for this process's umask. */
function umaskOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "user") return process.umask();
  const umask = Number.parseInt(text, /^0/.test(text) ? 8 : 10);
  return Number.isNaN(umask) ? undefined : umask & 0o777;
}

function formatOfFile(path: string): ArchiveFormat {
  return ARCHIVE_FORMATS.find((format) => path.endsWith(`.${format}`)) ?? "tar";
}

function source(repository: RepositoryFolder, revision: string) {
  const { store } = repository;
  const oid = repository.find(revision);
  if (oid === undefined) throw new Fatal(`not a valid object name: ${revision}`);
  const tree = peelToTree(store, oid);
  if (tree === undefined) throw new Fatal(`not a tree object: ${oid}`);
  const commit = peelToCommit(store, oid);
  if (commit === undefined) return { tree, commit: undefined, timeSeconds: systemClock().now };
  const { data } = store.read(commit)!;
  return { tree, commit: { oid: commit as Oid, data }, timeSeconds: parseCommitLinks(data).committerTime };
}

async function writeTo(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const fd = openSync(path, "w");
  try {
    for await (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at);
  } finally {
    closeSync(fd);
  }
}
