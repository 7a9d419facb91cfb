import type { WantedPath } from "../../src/git/diff/pathspec.ts";
import { DiffPrinter } from "../../src/git/diff/print/print.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags, peelToCommit, peelToTree } from "../../src/git/graph/peel.ts";
import { parseCommitLinks } from "../../src/git/objects/commit.ts";
import { isOid, type Oid } from "../../src/git/objects/types.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { comparedByAttributes } from "./diff-attributes.ts";
import { type DiffRequest, diffOptionTable, readDiffOptions } from "./diff-options.ts";
import { diffSettings } from "./diff-settings.ts";
import { fromMergeBase, inOrder } from "./diff-sides.ts";
import { linesOf } from "./input.ts";
import { readWords, type Words } from "./options.ts";
import { type Pretty, prettyOf } from "./pretty-options.ts";
import { RenameWarning } from "./rename-limit.ts";
import { openForReading } from "./repository.ts";
import { type NamedObject, readRange } from "./revision-words.ts";

export const diffTreeCommand: GitCommand = {
  name: "diff-tree",
  usage:
    "[--stdin] [-m] [-s] [-v] [--pretty] [--no-commit-id] [-r] [-t] [--root] [<options>] <tree-ish> [<tree-ish>] [<path>…]",
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
      "-v": ["flag", "usual pretty"],
      "--pretty": ["attached", "pretty", "usual pretty"],
      "--format": ["value", "format"],
      "--date": ["value", "date"],
      "--oneline": ["flag", "oneline"],
      "--abbrev-commit": ["flag", "abbrev-commit"],
      "--merge-base": ["flag", "merge-base"],
    });
    const repository = openForReading(terminal);
    try {
      const typed = { options: given, revisions: given.rest, namesFrom: 0, paths: given.paths };
      const range = readRange(repository, terminal.directory, typed);
      const command = new DiffTree(repository, terminal, given, range.paths);
      if (given.has("stdin")) for await (const line of linesOf(terminal.stdin())) command.line(line);
      else command.ends(given.has("merge-base") ? fromMergeBase(repository, range.ends) : inOrder(range.ends));
      command.warning.tell(terminal);
      return command.changed && command.request.exitCode ? 1 : 0;
    } finally {
      repository.close();
    }
  },
};

/** Formats that need file contents imply recursion. */
const RECURSIVE = ["patch", "numstat", "stat", "shortstat", "summary"] as const;

class DiffTree {
  readonly request: DiffRequest;
  changed = false;
  readonly warning = new RenameWarning();
  private readonly printer: DiffPrinter;
  private readonly end: string;
  private readonly pretty: Pretty | undefined;
  private toldOne = false;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly terminal: Terminal,
    private readonly given: Words,
    paths: readonly WantedPath[],
  ) {
    const request = readDiffOptions(
      given,
      { format: "raw", renames: false, abbrev: false, settings: diffSettings(repository, terminal, true) },
      paths,
    );
    const { formats } = request.print;
    const directories = given.has("folders");
    const recursive = directories || given.has("recursive") || RECURSIVE.some((format) => formats.has(format));
    const byAttributes = comparedByAttributes(repository, terminal);
    this.request = { ...request, print: { ...request.print, flat: !recursive, directories, ...byAttributes } };
    this.printer = new DiffPrinter(repository.store, { ...this.request.print, onLimit: this.warning.onLimit });
    this.end = request.print.nul ? "\0" : "\n";
    this.pretty = prettyOf(repository, terminal, given, { forList: true, wholeIds: !given.has("abbrev") });
  }

  ends([first, second, ...others]: readonly NamedObject[]): void {
    if (first === undefined) throw new GitUsage("");
    if (second === undefined) this.commit(first.oid);
    else if (others.length === 0) this.trees(this.treeOf(first.oid), this.treeOf(second.oid));
  }

  /**
   * Handles a line of standard input: a commit, a commit and its parents to use, or two trees. Anything else is echoed.
   */
  line(line: string): void {
    const digits = this.repository.store.format.oidDigits;
    const [, first = "", rest = ""] = new RegExp(`^([0-9a-fA-F]{${digits}})(.*)$`, "s").exec(line) ?? [];
    if (first === "") {
      this.terminal.out(`${line}\n`);
      return;
    }
    const oid = first.toLowerCase();
    const type = this.repository.store.header(oid)?.type;
    if (type === "commit") {
      const parents = new RegExp(`^(?:\\s[0-9a-fA-F]{${digits}})+`).exec(rest)?.[0].trim().toLowerCase().split(/\s/);
      this.commit(oid, parents);
    } else if (type === "tree") this.pair(oid, rest);
    else if (type !== undefined) this.terminal.err(`error: Object ${oid} is a ${type}, not a commit or tree`);
  }

  private pair(first: Oid, rest: string): void {
    const second = rest.startsWith(" ") ? rest.slice(1).toLowerCase() : "";
    if (second.length !== this.repository.store.format.oidDigits || !isOid(second)) {
      this.terminal.err("error: Need exactly two trees, separated by a space");
      return;
    }
    const type = this.repository.store.header(second)?.type;
    if (type !== "tree") {
      this.terminal.err(`error: ${type === undefined ? `Could not read ${second}` : `Object ${second} not a tree`}`);
      return;
    }
    this.terminal.out(`${first} ${second}\n`);
    this.trees(first, second);
  }

  private commit(oid: Oid, parents?: readonly Oid[]): void {
    const { store } = this.repository;
    const commit = peelToCommit(store, oid);
    const object = commit === undefined ? undefined : store.read(commit);
    if (!object) {
      // Not even git does more here.
      const target = peelTags(store, oid) ?? oid;
      this.terminal.err(`error: object ${target} is a ${store.header(target)?.type}, not a commit`);
      return;
    }
    const links = parseCommitLinks(object.data);
    const before = parents ?? links.parents;
    const isCompared = before.length === 1 || this.given.has(before.length === 0 ? "root" : "merges");
    const sides = !isCompared ? [] : before.length === 0 ? [undefined] : before;
    let told = false;
    for (const parent of sides) {
      const tree = parent === undefined ? undefined : this.treeOf(parent);
      const heading = (hasMore: boolean) => this.headingOf(commit!, before.length > 1 ? parent : undefined, hasMore);
      if (this.trees(tree, links.tree, heading)) told = true;
    }
    if (!told && this.given.has("always")) this.terminal.out(this.headingOf(commit!, undefined, false));
  }

  /** The text before a commit's difference. @param hasMore whether anything follows */
  private headingOf(commit: Oid, from: Oid | undefined, hasMore: boolean): string {
    const { pretty, end } = this;
    if (this.given.has("no-commit-id")) return "";
    if (!pretty) return `${commit}${end}`;
    const { format } = pretty;
    const between = this.toldOne && !format.terminated ? end : "";
    this.toldOne = true;
    const text = between + pretty.print(commit, from === undefined ? {} : { from });
    const ended = format.terminated && !format.isEmpty ? `${text}${end}` : text;
    if (!hasMore || format.name === "oneline" || format.isEmpty) return ended;
    const { formats } = this.request.print;
    return `${ended}${formats.has("patch") && formats.has("stat") ? "---\n" : "\n"}`;
  }

  /**
   * @param heading printed when there is a difference
   * @returns whether there was one
   */
  private trees(from: Oid | undefined, to: Oid, heading?: (hasMore: boolean) => string): boolean {
    const changes = this.printer.changes(from, to);
    if (changes.length > 0 && heading) this.terminal.out(heading(this.request.print.formats.size > 0));
    const out = this.request.quiet ? () => {} : (bytes: Uint8Array) => this.terminal.out(bytes);
    if (this.printer.print(changes, out)) this.changed = true;
    return changes.length > 0;
  }

  private treeOf(oid: Oid): Oid {
    const tree = peelToTree(this.repository.store, oid);
    if (tree === undefined) throw new Fatal(`unable to read tree ${oid}`);
    return tree;
  }
}
