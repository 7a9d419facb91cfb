import { relative } from "node:path";
import { RepositoryFolder } from "../../src/git/folder.ts";
import { checkRepository } from "../../src/git/fsck/check.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { GitCommand, Terminal } from "./command.ts";
import { type OptionTable, readWords } from "./options.ts";

const flags = [
  "strict",
  "full",
  "connectivity-only",
  "dangling",
  "unreachable",
  "root",
  "tags",
  "reflogs",
  "progress",
  "cache",
];

const table: OptionTable = Object.fromEntries(
  flags.flatMap((name) => [
    [`--${name}`, ["flag", name]],
    [`--no-${name}`, ["flag", `no-${name}`]],
  ]),
);

export const fsckCommand: GitCommand = {
  name: "fsck",
  usage:
    "[--strict] [--[no-]full] [--connectivity-only] [--[no-]dangling] [--unreachable] [--root] [--tags] [--no-reflogs] [<object>…]",
  doc: "Examines every object and what refs lead to",
  async run(words, terminal) {
    const options = readWords(words, table);
    // Of an option and its opposite, the last one wins.
    const isOn = (name: string, byDefault: boolean) => {
      const last = options.options.filter((option) => option.name === name || option.name === `no-${name}`).at(-1);
      return last ? last.name === name : byDefault;
    };
    const repository = RepositoryFolder.open(terminal.directory);
    try {
      return await checkRepository(
        repository,
        { words: options.rest, nameOf: (path) => shown(terminal, path) },
        {
          strict: isOn("strict", false),
          full: isOn("full", true),
          connectivityOnly: isOn("connectivity-only", false),
          dangling: isOn("dangling", true),
          unreachable: isOn("unreachable", false),
          root: isOn("root", false),
          tags: isOn("tags", false),
          reflogs: isOn("reflogs", true),
        },
        {
          line: (text) => terminal.out(Buffer.from(`${text}\n`, "latin1")),
          told: (text) => terminal.err(decodeName(Buffer.from(text, "latin1"))),
          error: (text) => terminal.err(`error: ${text}`),
          notice: (text) => terminal.err(`notice: ${text}`),
        },
      );
    } finally {
      repository.close();
    }
  },
};

/** A path relative to where the command was run. */
function shown(terminal: Terminal, path: string): string {
  const from = relative(terminal.directory, path);
  return from.startsWith("..") ? path : from.startsWith(".git/") ? from : `./${from}`;
}
