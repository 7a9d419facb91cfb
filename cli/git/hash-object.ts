import { readFileSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CHECK_IN_ATTRIBUTES, checkIn } from "../../src/git/attributes/check-in.ts";
import { workTreeAttributes } from "../../src/git/attributes/tree.ts";
import { NoRepository, RepositoryFolder } from "../../src/git/folder.ts";
import { SHA1 } from "../../src/git/objects/format.ts";
import { hashBytes } from "../../src/git/objects/hash.ts";
import { isObjectType } from "../../src/git/objects/tag.ts";
import { writeObjects } from "../../src/git/objects/write.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { linesOf, upToNul, wholeOf } from "./input.ts";
import { checkReadable } from "./object-checks.ts";
import { readWords } from "./options.ts";
import { unquoteStart } from "./quoted.ts";
import { attributeFiles, booleanOf, settingOf } from "./settings.ts";

export const hashObjectCommand: GitCommand = {
  name: "hash-object",
  usage: "[-t <type>] [-w] [--literally] [--path=<file> | --no-filters] (--stdin | --stdin-paths | <file>…)",
  doc: "Tells the id a content has, and stores it with -w; filters that are programs are not run",
  async run(words, terminal) {
    const options = readWords(words, {
      "-t": ["value", "type"],
      "-w": ["flag", "write"],
      "--stdin": ["flag", "stdin"],
      "--stdin-paths": ["flag", "stdin-paths"],
      "--literally": ["flag", "literally"],
      "--no-filters": ["flag", "no-filters"],
      "--path": ["value", "path"],
    });
    const type = options.value("type") ?? "blob";
    const isLiteral = options.has("literally");
    const known = isObjectType(type) ? type : undefined;
    if (!known && !isLiteral) throw new Fatal(`invalid object type "${type}"`);
    if (!known && options.has("write")) throw new Fatal(`objects of the type "${type}" are not stored`);
    const paths = [...options.rest, ...(options.paths ?? [])];
    if (options.all("stdin").length > 1) throw new GitUsage("Multiple --stdin arguments are not supported");
    if (options.has("stdin-paths")) {
      if (options.has("stdin")) throw new GitUsage("Can't use --stdin-paths with --stdin");
      if (paths.length > 0) throw new GitUsage("Can't specify files with --stdin-paths");
      if (options.has("path")) throw new GitUsage("Can't use --stdin-paths with --path");
    }
    if (options.has("path") && options.has("no-filters")) throw new GitUsage("Can't use --path with --no-filters");
    const repository = options.has("write") ? RepositoryFolder.find(terminal.folder) : repositoryIfAny(terminal.folder);
    try {
      const format = repository?.store.format ?? SHA1;
      const filters = repository && type === "blob" && !isLiteral && !options.has("no-filters");
      const filter = filters ? checkInOf(repository, terminal) : (data: Uint8Array) => data;
      const take = (given: Uint8Array, path = options.value("path")) => {
        const data = path === undefined ? given : filter(given, options.value("path") ?? path);
        if (known && !isLiteral) checkReadable(known, data, format, terminal);
        if (repository && known && options.has("write"))
          writeObjects(repository.commonDir, [{ type: known, data }], { isStored: (oid) => repository.store.has(oid) });
        terminal.out(`${hashBytes(format, type, data)}\n`);
      };
      if (options.has("stdin")) take(await wholeOf(terminal.stdin()));
      for (const path of paths) take(readFileOf(terminal.folder, path), path);
      if (options.has("stdin-paths"))
        for await (const line of linesOf(terminal.stdin()))
          take(readFileOf(terminal.folder, pathOf(line)), pathOf(line));
      return 0;
    } finally {
      repository?.close();
    }
  },
};

/** How a file of the working tree goes into the repository: by the attributes of its path. */
function checkInOf(repository: RepositoryFolder, terminal: Terminal): (data: Uint8Array, path: string) => Uint8Array {
  const top = repository.workTree;
  const attributes = workTreeAttributes(top, { ...attributeFiles(repository, terminal), only: CHECK_IN_ATTRIBUTES });
  const auto = settingOf(repository, terminal, "core.autocrlf");
  const guesses = auto !== undefined && (auto.toLowerCase() === "input" || booleanOf("core.autocrlf", auto));
  const root = top === undefined ? "/" : realpathSync(top);
  const from = top === undefined ? "/" : realpathSync(terminal.folder);
  return (data, path) => {
    // Rules of the top that go by names alone hold for files outside, too.
    const inside = relative(root, resolve(from, path)).replace(/^(?:\.\.\/)+/, "");
    return checkIn(data, attributes.of(inside), guesses);
  };
}

function repositoryIfAny(folder: string): RepositoryFolder | undefined {
  try {
    return RepositoryFolder.find(folder);
  } catch (error) {
    if (error instanceof NoRepository) return undefined;
    throw error;
  }
}

/** A path as a line has it, in quotes where it is unusual. */
function pathOf(typed: string): string {
  const line = upToNul(typed.replace(/\r$/, ""));
  if (!line.startsWith('"')) return line;
  const found = unquoteStart(line);
  if (!found) throw new Fatal("line is badly quoted");
  return found.text;
}

function readFileOf(folder: string, path: string): Uint8Array {
  try {
    return readFileSync(resolve(folder, path));
  } catch (error) {
    if (path !== "" && error instanceof Error && "code" in error && error.code === "EISDIR")
      throw new Fatal(`Unable to hash ${path}`);
    throw new Fatal(`could not open '${path}' for reading: No such file or directory`);
  }
}
