import { DiffPrinter } from "../../src/git/diff/print/print.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit, peelToTree } from "../../src/git/graph/peel.ts";
import { parseCommitLinks } from "../../src/git/objects/commit.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { requireFile } from "./diff.ts";
import { type DiffWishes, diffOptionTable, readDiffOptions } from "./diff-options.ts";
import { linesOf } from "./input.ts";
import { readWords, type Words } from "./options.ts";
import { openForReading } from "./repository.ts";

export const diffTreeCommand: GitCommand = {
  name: "diff-tree",
  usage: "[--stdin] [-m] [-s] [--no-commit-id] [-r] [-t] [--root] [<options>] <tree-ish> [<tree-ish>] [<path>…]",
  doc: "Shows what differs between two trees, or what a commit changed",
  async run(words, terminal) {
    const given = readWords(words, {
      ...diffOptionTable,
      "--stdin": ["flag", "stdin"],
      "-m": ["flag", "merges"],
      "-r": ["flag", "recursive"],
      "-t": ["flag", "folders"],
      "--root": ["flag", "root"],
      "--no-commit-id": ["flag", "no-commit-id"],
      "--always": ["flag", "always"],
    });
    const repository = openForReading(terminal);
    try {
      const revisions = given.has("stdin") ? [] : revisionsOf(repository, given.rest);
      const typed = given.rest.slice(revisions.length);
      for (const path of typed) requireFile(terminal.folder, path);
      const paths = [...typed, ...(given.paths ?? [])];
      const command = new DiffTree(repository, terminal, given, paths);
      if (given.has("stdin")) for await (const line of linesOf(terminal.stdin())) command.line(line);
      else command.revisions(revisions);
      return command.changed && command.wishes.exitCode ? 1 : 0;
    } finally {
      repository.close();
    }
  },
};

/** Formats that look into files look into folders. */
const RECURSIVE = ["patch", "numstat", "stat", "shortstat", "summary"] as const;

function revisionsOf(repository: RepositoryFolder, words: readonly string[]): readonly Oid[] {
  const [first, second] = words;
  if (first === undefined) throw new GitUsage("");
  const found = [repository.oidOf(first)];
  const other = second === undefined ? undefined : repository.find(second);
  return other === undefined ? found : [...found, other];
}

class DiffTree {
  readonly wishes: DiffWishes;
  changed = false;
  private readonly printer: DiffPrinter;
  private readonly end: string;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly terminal: Terminal,
    private readonly given: Words,
    paths: readonly string[],
  ) {
    const wishes = readDiffOptions(given, { format: "raw", renames: false, abbrev: false }, paths);
    const { formats } = wishes.print;
    const folders = given.has("folders");
    const recursive = folders || given.has("recursive") || RECURSIVE.some((format) => formats.has(format));
    this.wishes = { ...wishes, print: { ...wishes.print, flat: !recursive, folders } };
    this.printer = new DiffPrinter(repository.store, this.wishes.print);
    this.end = wishes.print.nul ? "\0" : "\n";
  }

  revisions([first, second]: readonly Oid[]): void {
    if (first === undefined) return;
    if (second === undefined) this.commit(first);
    else this.trees(this.treeOf(first), this.treeOf(second), undefined);
  }

  /** A line of standard input: a commit, a commit and the parents it shall have, or two trees. */
  line(line: string): void {
    const [first = "", ...others] = line.split(" ");
    const type = this.repository.store.header(first)?.type;
    if (type === "commit") this.commit(first, others.length > 0 ? others : undefined);
    else if (type === "tree" && others.length === 1) {
      this.terminal.out(`${line}\n`);
      this.trees(first, this.treeOf(others[0]!), undefined);
    } else this.terminal.out(`${line}\n`);
  }

  private commit(oid: Oid, parents?: readonly Oid[]): void {
    const { store } = this.repository;
    const commit = peelToCommit(store, oid);
    const object = commit === undefined ? undefined : store.read(commit);
    if (!object) throw new GitUsage("");
    const links = parseCommitLinks(object.data);
    const before = parents ?? links.parents;
    const heading = this.given.has("no-commit-id") ? undefined : `${commit}${this.end}`;
    if (before.length === 0 && this.given.has("root")) this.trees(undefined, links.tree, heading);
    if (before.length > 1 && !this.given.has("merges")) return;
    for (const parent of before) this.trees(this.treeOf(parent), links.tree, heading);
  }

  /** @param heading printed when there is a difference */
  private trees(from: Oid | undefined, to: Oid, heading: string | undefined): void {
    const changes = this.printer.changes(from, to);
    if (changes.length > 0 && heading !== undefined && !this.wishes.quiet) this.terminal.out(heading);
    const out = this.wishes.quiet ? () => {} : (bytes: Uint8Array) => this.terminal.out(bytes);
    if (this.printer.print(changes, out)) this.changed = true;
  }

  private treeOf(oid: Oid): Oid {
    const tree = peelToTree(this.repository.store, oid);
    if (tree === undefined) throw new Fatal(`unable to read tree ${oid}`);
    return tree;
  }
}
