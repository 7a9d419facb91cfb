import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Config } from "../../src/git/config/config.ts";
import { quotePath } from "../../src/git/diff/quote.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import { treeAttributes } from "../../src/git/merge/attributes.ts";
import { type MergeCommitsOptions, mergeCommits } from "../../src/git/merge/merge-commits.ts";
import type { MergeResult } from "../../src/git/merge/result.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import { Overlay } from "../../src/git/objects/overlay.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { writeObjects } from "../../src/git/objects/write.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { linesOf } from "./input.ts";
import { readWords, type Words } from "./options.ts";
import { openForReading } from "./repository.ts";

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
    try {
      if (!many) {
        const foreign = branches.find((name) => mergeable(repository, name) === undefined);
        if (foreign !== undefined) {
          terminal.err(`merge-tree: ${foreign} - not something we can merge`);
          return 1;
        }
        const result = mergeBranches(repository, branches[0]!, branches[1]!, options);
        printMerge(result, options, terminal, options.has("nul"));
        return result.clean ? 0 : 1;
      }
      for await (const line of linesOf(terminal.stdin())) {
        const [ours = "", theirs = "", more] = line.split(" ");
        if (theirs === "" || more !== undefined) throw new Fatal(`malformed input line: '${line}'.`);
        const result = mergeBranches(repository, ours, theirs, options);
        terminal.out(`${result.clean ? 1 : 0}\0`);
        printMerge(result, options, terminal, true);
        terminal.out("\0");
      }
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** The commit a name leads to. */
function mergeable(repository: RepositoryFolder, name: string): Oid | undefined {
  const oid = repository.find(name);
  return oid === undefined ? undefined : peelToCommit(repository.store, oid);
}

function mergeBranches(repository: RepositoryFolder, ours: string, theirs: string, options: Words): MergeResult {
  const { store, commits } = repository;
  const commitOf = (name: string): Oid => {
    const commit = mergeable(repository, name);
    if (commit === undefined) throw new Fatal(`merge-tree: ${name} - not something we can merge`);
    return commit;
  };
  const overlay = new Overlay(store);
  const infoPath = join(repository.commonDir, "info", "attributes");
  // Like git, which does not read attributes from trees here: only what the repository itself was told.
  const aside = new Overlay(store);
  const attributesOf = existsSync(infoPath)
    ? treeAttributes(aside, aside.put("tree", new Uint8Array(0)), readFileSync(infoPath))
    : undefined;
  const result = mergeCommits(commits, overlay, commitOf(ours), commitOf(theirs), {
    labels: { ours, theirs },
    ...settingsOf(repository),
    allowUnrelated: options.has("unrelated"),
    attributesOf,
  });
  write(repository, overlay);
  return result;
}

/** What the repository's own configuration says; like git's of the time, `merge.renames` is not heeded. */
function settingsOf(repository: RepositoryFolder): Pick<MergeCommitsOptions, "style" | "folderRenames"> {
  const path = join(repository.commonDir, "config");
  if (!existsSync(path)) return {};
  const config = Config.parse(readFileSync(path));
  const style = config.get("merge.conflictstyle");
  const folders = config.get("merge.directoryrenames");
  const moves = folders === "conflict" ? undefined : config.boolean("merge.directoryrenames");
  return {
    style: style === "diff3" || style === "zdiff3" ? style : "merge",
    folderRenames: moves === undefined ? "conflict" : moves ? "apply" : "off",
  };
}

/** A repository that cannot be written to still gets its answer: ids do not depend on what is stored. */
function write(repository: RepositoryFolder, overlay: Overlay): void {
  try {
    writeObjects(repository.commonDir, overlay.made(), { isStored: (oid) => repository.store.has(oid) });
  } catch (error) {
    const readOnly = error instanceof Error && "code" in error && REFUSALS.has(String(error.code));
    if (!readOnly) throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);

/** Prints a merge as `merge-tree` does: the tree, stages of conflicts, messages. */
export function printMerge(result: MergeResult, options: Words, terminal: Terminal, nul: boolean): void {
  const end = nul ? "\0" : "\n";
  terminal.out(`${result.tree}${end}`);
  const wantsMessages = lastOf(options, ["messages", "no-messages"]) ?? (result.clean ? "no-messages" : "messages");
  const shown = (path: string) => (nul ? path : decodeName(Buffer.from(quotePath("", path), "latin1")));
  for (const { path, base, ours, theirs } of result.conflicts) {
    if (options.has("name-only")) {
      if (base || ours || theirs) terminal.out(`${shown(path)}${end}`);
      continue;
    }
    [base, ours, theirs].forEach((entry, at) => {
      if (!entry) return;
      terminal.out(`${entry.mode.toString(8).padStart(6, "0")} ${entry.oid} ${at + 1}\t${shown(path)}${end}`);
    });
  }
  if (wantsMessages === "no-messages") return;
  terminal.out(end);
  for (const { type, paths, text } of result.messages) {
    if (nul) terminal.out(`${paths.length}\0${paths.join("\0")}\0${type}\0`);
    terminal.out(`${text}\n${nul ? "\0" : ""}`);
  }
  if (result.submodules.length > 0) terminal.out(submoduleAdvice(result.submodules));
}

/** What git says at the end, whatever the format. */
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
