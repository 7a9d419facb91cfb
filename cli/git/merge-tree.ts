import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags } from "../../src/git/graph/peel.ts";
import { fileAttributes } from "../../src/git/merge/attributes.ts";
import { type MergeCommitsOptions, mergeCommits } from "../../src/git/merge/merge-commits.ts";
import type { MergeResult } from "../../src/git/merge/result.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import { quotePath } from "../../src/git/objects/quote.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Overlay } from "../../src/git/odb/overlay.ts";
import { writeObjects } from "../../src/git/odb/write.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { linesOf, upToNul } from "./input.ts";
import { readWords, type Words } from "./options.ts";
import { openForReading } from "./repository.ts";
import { attributeFiles, booleanOf, isYes, numberOf, settingOf, yesOrNo } from "./settings.ts";

export const mergeTreeCommand: GitCommand = {
  name: "merge-tree",
  usage:
    "[--write-tree] [-z] [--name-only] [--[no-]messages] [--allow-unrelated-histories] (<branch1> <branch2> | --stdin)",
  doc: "Merges two branches into a tree, without touching either",
  async run(words, terminal) {
    const options = readWords(words, {
      "--write-tree": ["flag", "write-tree"],
      "-z": ["flag", "nul"],
      "--name-only": ["flag", "name-only"],
      "--messages": ["flag", "messages"],
      "--no-messages": ["flag", "no-messages"],
      "--allow-unrelated-histories": ["flag", "unrelated"],
      "--stdin": ["flag", "stdin"],
    });
    const branches = [...options.rest, ...(options.paths ?? [])];
    const many = options.has("stdin");
    if (branches.length !== (many ? 0 : 2)) throw new GitUsage("");
    const repository = openForReading(terminal);
    const printing = printingOf(repository, terminal, options);
    const merge = (ours: string, theirs: string): MergeResult | undefined => {
      const left = mergeable(repository, terminal, ours);
      const right = left === undefined ? undefined : mergeable(repository, terminal, theirs);
      if (left === undefined || right === undefined) return undefined;
      const merging = mergingOf(repository, terminal, options);
      const overlay = new Overlay(repository.store);
      const labels = { labels: { ours, theirs } };
      const result = mergeCommits(repository.commits, overlay, left, right, { ...merging, ...labels });
      writeMade(repository, overlay);
      return result;
    };
    try {
      if (!many) {
        const result = merge(branches[0]!, branches[1]!);
        if (!result) return 1;
        printMerge(result, terminal, printing);
        return result.clean ? 0 : 1;
      }
      for await (const line of linesOf(terminal.stdin())) {
        // As in git, a trailing space belongs to the second name.
        const [, ours, theirs] = /^([^ ]+) ([^ ]+ ?)$/.exec(upToNul(line)) ?? [];
        if (ours === undefined || theirs === undefined) throw new Fatal(`malformed input line: '${upToNul(line)}'.`);
        const result = merge(ours, theirs);
        if (!result) return 1;
        terminal.out(`${result.clean ? 1 : 0}\0`);
        printMerge(result, terminal, { ...printing, isNul: true });
        terminal.out("\0");
      }
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** The commit a name resolves to; undefined, with an error printed, when there is none. */
function mergeable(repository: RepositoryFolder, terminal: Terminal, name: string): Oid | undefined {
  const oid = repository.find(name);
  const target = oid === undefined ? undefined : peelTags(repository.store, oid);
  const type = target === undefined ? undefined : repository.store.header(target)?.type;
  if (type === "commit") return target;
  if (type !== undefined)
    terminal.err(`error: ${name}: expected commit type, but the object dereferences to ${type} type`);
  terminal.err(`merge-tree: ${name} - not something we can merge`);
  return undefined;
}

/** Settings from configuration and attributes; like git at that version, `merge.renames` is read but ignored. */
function mergingOf(
  repository: RepositoryFolder,
  terminal: Terminal,
  options: Words,
): Omit<MergeCommitsOptions, "labels"> {
  numberOf(repository, terminal, "merge.verbosity");
  const diffLimit = numberOf(repository, terminal, "diff.renamelimit");
  const limit = numberOf(repository, terminal, "merge.renamelimit") ?? diffLimit;
  for (const key of ["diff.renames", "merge.renames"]) {
    const value = settingOf(repository, terminal, key);
    if (value !== undefined && !/^cop(?:y|ies)$/i.test(value)) booleanOf(key, value);
  }
  const style = settingOf(repository, terminal, "merge.conflictstyle") ?? "merge";
  if (style !== "merge" && style !== "diff3" && style !== "zdiff3")
    throw new Fatal(`unknown style '${style}' given for 'merge.conflictstyle'`);
  // Anything other than yes or no means "conflict", whatever it says.
  const moves = settingOf(repository, terminal, "merge.directoryrenames") ?? "conflict";
  const files = attributeFiles(repository, terminal);
  return {
    style,
    directoryRenames: isYes(moves) === undefined ? "conflict" : isYes(moves) ? "apply" : "off",
    renameLimit: limit === undefined || limit <= 0 ? undefined : limit,
    allowUnrelated: options.has("unrelated"),
    attributesOf: fileAttributes(files, settingOf(repository, terminal, "merge.default")),
  };
}

/** A read-only repository still gets a result: ids do not depend on what is stored. */
function writeMade(repository: RepositoryFolder, overlay: Overlay): void {
  try {
    writeObjects(repository.gitDir, overlay.made(), { isStored: (oid) => repository.store.has(oid) });
  } catch (error) {
    const readOnly = error instanceof Error && "code" in error && REFUSALS.has(String(error.code));
    if (!readOnly) throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);

interface Printing {
  readonly isNul: boolean;
  readonly namesOnly: boolean;
  /** Undefined: only when there are conflicts. */
  readonly messages: boolean | undefined;
  /** Whether non-ASCII names are quoted. */
  readonly ascii: boolean;
}

function printingOf(repository: RepositoryFolder, terminal: Terminal, options: Words): Printing {
  const said = lastOf(options, ["messages", "no-messages"]);
  return {
    isNul: options.has("nul"),
    namesOnly: options.has("name-only"),
    messages: said === undefined ? undefined : said === "messages",
    ascii: yesOrNo(repository, terminal, "core.quotepath") ?? true,
  };
}

/** Prints a merge like `merge-tree`: the tree, the conflicted stages, messages. */
function printMerge(result: MergeResult, terminal: Terminal, printing: Printing): void {
  const { isNul: nul, namesOnly, ascii } = printing;
  const end = nul ? "\0" : "\n";
  terminal.out(`${result.tree}${end}`);
  const shown = (path: string) => {
    return nul ? path : decodeName(Buffer.from(quotePath("", path, ascii), "latin1"));
  };
  for (const { path, base, ours, theirs } of result.conflicts) {
    if (namesOnly) {
      if (base || ours || theirs) terminal.out(`${shown(path)}${end}`);
      continue;
    }
    [base, ours, theirs].forEach((entry, at) => {
      if (!entry) return;
      terminal.out(`${entry.mode.toString(8).padStart(6, "0")} ${entry.oid} ${at + 1}\t${shown(path)}${end}`);
    });
  }
  if (!(printing.messages ?? !result.clean)) return;
  terminal.out(end);
  for (const { type, paths, text } of result.messages) {
    if (nul) terminal.out(`${paths.length}\0${paths.join("\0")}\0${type}\0`);
    terminal.out(`${text}\n${nul ? "\0" : ""}`);
  }
  if (result.submodules.length > 0) terminal.out(submoduleAdvice(result.submodules));
  if (result.neededRenameLimit > 0) terminal.err(renameAdvice(result.neededRenameLimit));
}

function renameAdvice(needed: number): string {
  return `warning: exhaustive rename detection was skipped due to too many files.
warning: you may want to set your merge.renamelimit variable to at least ${needed} and retry the command.`;
}

/** git's final advice, in every format. */
export function submoduleAdvice(submodules: readonly string[]): string {
  return `Recursive merging with submodules currently only supports trivial cases.
Please manually handle the merging of each conflicted submodule.
This can be accomplished with the following steps:
 - come back to superproject and run:

      git add ${submodules.join(" ")}

   to record the above merge or update
 - resolve any other conflicts in the superproject
 - commit the resulting index in the superproject
`;
}

function lastOf(options: Words, names: readonly string[]): string | undefined {
  return options.options.findLast(({ name }) => names.includes(name))?.name;
}
