import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { GitError } from "../../src/git/errors.ts";
import { NoRepository, RepositoryFolder } from "../../src/git/folder.ts";
import { parseCommitLinks } from "../../src/git/objects/commit.ts";
import { type ObjectFormat, SHA1 } from "../../src/git/objects/format.ts";
import { hashObject } from "../../src/git/objects/hash.ts";
import { isObjectType, parseTagLink } from "../../src/git/objects/tag.ts";
import { eachTreeEntry } from "../../src/git/objects/tree.ts";
import type { ObjectType } from "../../src/git/objects/types.ts";
import { writeObjects } from "../../src/git/objects/write.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { linesOf, wholeOf } from "./input.ts";
import { readWords } from "./options.ts";

export const hashObjectCommand: GitCommand = {
  name: "hash-object",
  usage: "[-t <type>] [-w] [--literally] [--no-filters] (--stdin | --stdin-paths | <file>…)",
  doc: "Tells the id a content has, and stores it with -w; contents are taken as they are",
  async run(words, terminal) {
    const options = readWords(words, {
      "-t": ["value", "type"],
      "-w": ["flag", "write"],
      "--stdin": ["flag", "stdin"],
      "--stdin-paths": ["flag", "stdin-paths"],
      "--literally": ["flag", "literally"],
      "--no-filters": ["flag", "no-filters"],
    });
    const type = options.value("type") ?? "blob";
    if (!isObjectType(type)) throw new Fatal(`invalid object type "${type}"`);
    const paths = [...options.rest, ...(options.paths ?? [])];
    if (options.has("stdin-paths") && (options.has("stdin") || paths.length > 0))
      throw new GitUsage("Can't use --stdin-paths with --stdin or with files");
    const repository = options.has("write") ? RepositoryFolder.find(terminal.folder) : repositoryIfAny(terminal.folder);
    try {
      const format = repository?.store.format ?? SHA1;
      const take = (data: Uint8Array) => {
        if (!options.has("literally")) checkWhole(type, data, format);
        if (repository && options.has("write"))
          writeObjects(repository.commonDir, [{ type, data }], { isStored: (oid) => repository.store.has(oid) });
        terminal.out(`${hashObject(format, type, data)}\n`);
      };
      if (options.has("stdin")) take(await wholeOf(terminal.stdin()));
      for (const path of paths) take(readFileOf(terminal.folder, path));
      if (options.has("stdin-paths"))
        for await (const path of linesOf(terminal.stdin())) take(readFileOf(terminal.folder, path));
      return 0;
    } finally {
      repository?.close();
    }
  },
};

function repositoryIfAny(folder: string): RepositoryFolder | undefined {
  try {
    return RepositoryFolder.find(folder);
  } catch (error) {
    if (error instanceof NoRepository) return undefined;
    throw error;
  }
}

function readFileOf(folder: string, path: string): Uint8Array {
  try {
    return readFileSync(resolve(folder, path));
  } catch {
    throw new Fatal(`could not open '${path}' for reading: No such file or directory`);
  }
}

/** @throws Fatal when the bytes are no object of the type */
function checkWhole(type: ObjectType, data: Uint8Array, format: ObjectFormat): void {
  try {
    if (type === "tree") eachTreeEntry(data, format, () => true);
    else if (type === "commit") parseCommitLinks(data);
    else if (type === "tag") parseTagLink(data);
  } catch (error) {
    if (error instanceof GitError) throw new Fatal(`corrupt ${type}`);
    throw error;
  }
}
