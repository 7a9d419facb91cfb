import { literalPath, type WantedPath } from "../../src/git/diff/pathspec.ts";
import type { StatusFilter } from "../../src/git/diff/print/options.ts";
import { DiffPrinter } from "../../src/git/diff/print/print.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Follower } from "../../src/git/history/follow.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { Fatal } from "./command.ts";
import { diffOptionTable, readDiffOptions } from "./diff-options.ts";
import type { OptionTable, Words } from "./options.ts";
import { RenameWarning } from "./rename-limit.ts";

export const logDiffOptions: OptionTable = {
  ...diffOptionTable,
  // Here it means `-s`, before any other option.
  "--quiet": ["flag", "quiet-log"],
  "--diff-merges": ["value", "diff-merges"],
  "--no-diff-merges": ["flag", "no-diff-merges"],
  "--full-diff": ["flag", "full-diff"],
};

/** The differences that `git log` prints under its commits. */
export class LogDiffs {
  /** Line end, or NUL with `-z`. */
  readonly end: string;
  readonly warning = new RenameWarning();
  private readonly filter: StatusFilter | undefined;
  private readonly printer: DiffPrinter;
  private readonly ofMerges: boolean;
  private readonly abbreviator: Abbreviator;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly words: Words,
    paths: readonly WantedPath[],
  ) {
    const wishes = this.wishesFor(words.has("full-diff") ? [] : paths);
    this.abbreviator = new Abbreviator(repository.store, wishes.print.abbrev ?? "auto");
    this.printer = new DiffPrinter(repository.store, wishes.print, this.abbreviator);
    this.end = wishes.print.nul ? "\0" : "\n";
    this.filter = wishes.print.filter;
    this.formats = wishes.print.formats;
    this.ofMerges = showsMerges(words);
  }

  readonly formats: ReadonlySet<string>;

  /** Commits without a difference are left out: `--diff-filter`. */
  get selects(): boolean {
    return this.filter !== undefined;
  }

  /** Whether there is anything to print at all. */
  get isOn(): boolean {
    return this.formats.size > 0;
  }

  /** A commit's difference as bytes, of which there may be none; undefined when nothing differs, or it is a merge. */
  print(number: number, follower: Follower | undefined): Uint8Array[] | undefined {
    const { commits } = this.repository;
    const parents = commits.parentsOf(number);
    if (parents.length > 1 && !this.ofMerges) return undefined;
    const from = parents[0] === undefined ? undefined : commits.treeOf(parents[0]);
    const printer = follower ? this.printerFor(follower) : this.printer;
    const renamed = follower?.renamed;
    const changes = renamed ? printer.selected([renamed]) : printer.changes(from, commits.treeOf(number));
    if (changes.length === 0) return undefined;
    const pieces: Uint8Array[] = [];
    if (this.isOn) printer.print(changes, (bytes) => pieces.push(bytes));
    return pieces;
  }

  private printerFor(follower: Follower): DiffPrinter {
    const { print } = this.wishesFor([literalPath(follower.path)]);
    return new DiffPrinter(this.repository.store, print, this.abbreviator);
  }

  private wishesFor(paths: readonly WantedPath[]) {
    const wishes = readDiffOptions(this.words, { renames: true, abbrev: true }, paths);
    return { ...wishes, print: { ...wishes.print, onLimit: this.warning.onLimit } };
  }
}

/** Merges are compared with their first parent, or not at all. */
function showsMerges(words: Words): boolean {
  let shows = words.has("first-parent");
  for (const { name, value } of words.options) {
    if (name === "no-diff-merges") shows = false;
    if (name !== "diff-merges") continue;
    if (!["off", "none", "first-parent", "1"].includes(value)) throw new Fatal(`unsupported --diff-merges: ${value}`);
    shows = value === "first-parent" || value === "1";
  }
  return shows;
}
