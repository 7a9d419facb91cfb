import { quotePath } from "../../src/git/diff/quote.ts";
import { RepositoryFolder } from "../../src/git/folder.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import { isFolder, MODE_GITLINK, parseTree } from "../../src/git/objects/tree.ts";
import { resolveRevision } from "../../src/git/revisions.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords } from "./options.ts";

export const catFileCommand: GitCommand = {
  name: "cat-file",
  usage: "(-t | -s | -p | -e) <object>",
  doc: "Shows an object, its type or its size",
  run(words, terminal) {
    const { options, rest } = readWords(words, {
      "-t": ["flag", "type"],
      "-s": ["flag", "size"],
      "-p": ["flag", "print"],
      "-e": ["flag", "exists"],
    });
    const [option] = options;
    const [revision] = rest;
    if (!option || options.length > 1 || revision === undefined || rest.length > 1) throw new GitUsage("");
    const repository = RepositoryFolder.find(terminal.folder);
    try {
      const { oid, type } = resolveRevision(repository.store, repository.refs, revision);
      if (option.name === "type") terminal.out(`${type}\n`);
      else if (option.name === "size") terminal.out(`${repository.store.header(oid)?.sizeBytes}\n`);
      else if (option.name === "print") {
        const object = repository.store.read(oid);
        if (!object) throw new Fatal(`Not a valid object name ${revision}`);
        terminal.out(type === "tree" ? treeLines(repository.store, object.data) : object.data);
      }
      return 0;
    } finally {
      repository.close();
    }
  },
};

function treeLines(store: ObjectSource, data: Uint8Array): string {
  return parseTree(data, store.format)
    .map(
      ({ mode, name, oid }) =>
        `${mode.toString(8).padStart(6, "0")} ${typeOfMode(mode)} ${oid}\t${quotePath("", name)}\n`,
    )
    .join("");
}

function typeOfMode(mode: number): string {
  if (isFolder(mode)) return "tree";
  return mode === MODE_GITLINK ? "commit" : "blob";
}
