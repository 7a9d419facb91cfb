import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DiffPrinter } from "../../src/git/diff/print/print.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit, peelToTree } from "../../src/git/graph/peel.ts";
import { mergeBases } from "../../src/git/history/ancestry.ts";
import { isFolder, MODE_FILE } from "../../src/git/objects/tree.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { entryAt } from "../../src/git/trees.ts";
import { Fatal, type GitCommand } from "./command.ts";
import { diffOptionTable, readDiffOptions } from "./diff-options.ts";
import { readWords } from "./options.ts";
import { openForReading } from "./repository.ts";

export const diffCommand: GitCommand = {
  name: "diff",
  usage: "[<options>] (<commit> <commit> | <commit>..<commit> | <commit>...<commit> | <blob> <blob>) [--] [<path>…]",
  doc: "Shows what differs between two commits, trees or files",
  run(words, terminal) {
    const given = readWords(words, { ...diffOptionTable, "--merge-base": ["flag", "merge-base"] });
    const repository = openForReading(terminal);
    try {
      const { sides, paths } = sidesOf(repository, given.rest);
      for (const path of paths) requireFile(terminal.folder, path);
      const limits = [...paths, ...(given.paths ?? [])];
      const wishes = readDiffOptions(given, { format: "patch", renames: true, abbrev: true }, limits);
      const printer = new DiffPrinter(repository.store, wishes.print);
      const out = wishes.quiet ? () => {} : (bytes: Uint8Array) => terminal.out(bytes);
      const [first, second] = sides;
      const oldFile = fileOf(repository, first);
      const newFile = fileOf(repository, second);
      let changed: boolean;
      if (oldFile && newFile) {
        const same = oldFile.oid === newFile.oid && oldFile.mode === newFile.mode;
        const [from, to] = wishes.print.reverse ? [newFile, oldFile] : [oldFile, newFile];
        const change = {
          status: "modified",
          oldPath: from.path,
          newPath: to.path,
          oldMode: from.mode,
          newMode: to.mode,
          oldOid: from.oid,
          newOid: to.oid,
        } as const;
        changed = printer.print(same ? [] : [change], out);
      } else {
        const base = given.has("merge-base") ? baseOf(repository, first.oid, second.oid) : first.oid;
        changed = printer.printTrees(
          treeOf(repository, base, first.name),
          treeOf(repository, second.oid, second.name),
          out,
        );
      }
      return changed && wishes.exitCode ? 1 : 0;
    } finally {
      repository.close();
    }
  },
};

interface Side {
  /** As typed. */
  readonly name: string;
  readonly oid: Oid;
}

/** The two things to compare, and the paths that follow them. */
function sidesOf(
  repository: RepositoryFolder,
  words: readonly string[],
): { sides: readonly [Side, Side]; paths: readonly string[] } {
  const [first, second, ...rest] = words;
  if (first === undefined) throw new Fatal("this operation must be run in a work tree");
  const range = /^(.*?)(\.\.\.?)(.*)$/.exec(first);
  if (range && !first.includes(":") && repository.find(first) === undefined) {
    const [left, right] = [range[1] || "HEAD", range[3] || "HEAD"];
    const sides = [sideOf(repository, left), sideOf(repository, right)] as const;
    const paths = words.slice(1);
    if (range[2] === "..") return { sides, paths };
    return { sides: [{ name: left, oid: baseOf(repository, sides[0].oid, sides[1].oid) }, sides[1]], paths };
  }
  if (second === undefined) throw new Fatal("this operation must be run in a work tree");
  return { sides: [sideOf(repository, first), sideOf(repository, second)], paths: rest };
}

function sideOf(repository: RepositoryFolder, name: string): Side {
  const oid = repository.find(name);
  if (oid === undefined || !repository.has(oid)) throw ambiguous(name);
  return { name, oid };
}

/** What git says of a word that is no revision. */
export function ambiguous(word: string): Fatal {
  return new Fatal(
    `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
      "Use '--' to separate paths from revisions, like this:\n" +
      "'git <command> [<revision>...] -- [<file>...]'",
  );
}

/** A path that no `--` comes before must be there, so that it is not a misspelt revision. Patterns are not looked for. */
export function requireFile(folder: string, path: string): void {
  if (!/[*?[\\]/.test(path) && !existsSync(resolve(folder, path))) throw ambiguous(path);
}

/** Best common ancestor. @throws Fatal when there is none */
function baseOf(repository: RepositoryFolder, left: Oid, right: Oid): Oid {
  const [a, b] = [peelToCommit(repository.store, left), peelToCommit(repository.store, right)];
  const base = a === undefined || b === undefined ? undefined : mergeBases(repository.commits, a, b)[0];
  if (base === undefined) throw new Fatal(`${left}...${right}: no merge base`);
  return base;
}

function treeOf({ store }: RepositoryFolder, oid: Oid, name: string): Oid {
  const tree = peelToTree(store, oid);
  if (tree === undefined) throw new Fatal(`unable to read tree ${name}`);
  return tree;
}

/** The file a word names, with its path and mode where it was named by them. */
function fileOf(
  repository: RepositoryFolder,
  { name, oid }: Side,
): { path: string; mode: number; oid: Oid } | undefined {
  const { store } = repository;
  if (store.header(oid)?.type !== "blob") return undefined;
  const colon = name.indexOf(":");
  if (colon <= 0) return { path: name, mode: MODE_FILE, oid };
  const path = name.slice(colon + 1);
  const tree = peelToTree(store, repository.oidOf(name.slice(0, colon)));
  const mode = tree === undefined ? MODE_FILE : (entryAt(store, tree, path)?.mode ?? MODE_FILE);
  return { path, mode: isFolder(mode) ? MODE_FILE : mode, oid };
}
