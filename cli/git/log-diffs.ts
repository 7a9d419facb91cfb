import { literalPath, type WantedPath } from "../../src/git/diff/pathspec.ts";
import type { CompareOptions, StatusFilter } from "../../src/git/diff/print/options.ts";
import { DiffPrinter } from "../../src/git/diff/print/print.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Follower } from "../../src/git/history/follow.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { Fatal, type Terminal } from "./command.ts";
import { comparedByAttributes } from "./diff-attributes.ts";
import { diffOptionTable, readDiffOptions } from "./diff-options.ts";
import { type DiffSettings, diffSettings } from "./diff-settings.ts";
import type { OptionTable, Words } from "./options.ts";
import { RenameWarning } from "./rename-limit.ts";

export const logDiffOptions: OptionTable = {
  ...diffOptionTable,
  // Here it means `-s`, before any other option.
  "--quiet": ["flag", "quiet-log"],
  "--diff-merges": ["value", "diff-merges"],
  "--no-diff-merges": ["flag", "no-diff-merges"],
  "--full-diff": ["flag", "full-diff"],
  "-m": ["flag", "merges-apart"],
  "-t": ["flag", "folders"],
  // A root commit is always shown as an addition of everything, and there are no notes.
  "--root": ["flag", "root"],
  "--no-notes": ["flag", "no-notes"],
};

export interface Difference {
  /** The printed output; empty when nothing is printed. */
  readonly pieces: readonly Uint8Array[];
  /** Result for `--exit-code`. */
  readonly changed: boolean;
  /** The parent, if there may be several. */
  readonly from: Oid | undefined;
}

/** The diffs that `git log` prints under its commits. */
export class LogDiffs {
  /** Newline, or NUL with `-z`. */
  readonly end: string;
  readonly warning = new RenameWarning();
  private readonly settings: Partial<DiffSettings>;
  private readonly byAttributes: Pick<CompareOptions, "isBinaryPath" | "functionsOf">;
  private readonly filter: StatusFilter | undefined;
  private readonly printer: DiffPrinter;
  private readonly ofMerges: "none" | "first parent" | "each parent";
  private readonly abbreviator: Abbreviator;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly words: Words,
    paths: readonly WantedPath[],
    terminal: Terminal,
  ) {
    this.byAttributes = comparedByAttributes(repository, terminal);
    this.settings = diffSettings(repository, terminal);
    const request = this.requestFor(words.has("full-diff") ? [] : paths);
    this.abbreviator = new Abbreviator(repository.store, request.print.abbrev ?? "auto");
    this.printer = new DiffPrinter(repository.store, request.print, this.abbreviator);
    this.end = request.print.nul ? "\0" : "\n";
    this.filter = request.print.filter;
    this.formats = request.print.formats;
    this.ofMerges = shownOfMerges(words);
  }

  readonly formats: ReadonlySet<string>;

  /** Commits without a difference are left out: `--diff-filter`. */
  get selects(): boolean {
    return this.filter !== undefined;
  }

  /** Whether `--exit-code` asks if there are differences. */
  get isAsked(): boolean {
    return this.words.has("exit-code");
  }

  /** Whether there is anything to print at all. */
  get isOn(): boolean {
    return this.formats.size > 0;
  }

  /** What a commit changed, if anything; for a merge nothing, or the diff against its first or each of its parents. */
  of(position: number, follower: Follower | undefined): Difference[] {
    const { commits } = this.repository;
    const parents = commits.parentsOf(position);
    const isMerge = parents.length > 1;
    if (isMerge && this.ofMerges === "none") return [];
    const printer = follower ? this.printerFor(follower) : this.printer;
    const renamed = follower?.renamed;
    const found: Difference[] = [];
    for (const parent of isMerge && this.ofMerges === "each parent" ? parents : [parents[0]]) {
      const from = parent === undefined ? undefined : commits.treeOf(parent);
      const changes = renamed ? printer.selected([renamed]) : printer.changes(from, commits.treeOf(position));
      if (changes.length === 0) continue;
      const pieces: Uint8Array[] = [];
      const changed = !this.isOn || printer.print(changes, (bytes) => pieces.push(bytes));
      const named = isMerge && this.ofMerges === "each parent" && parent !== undefined;
      found.push({ pieces, changed, from: named ? commits.oidOf(parent) : undefined });
    }
    return found;
  }

  private printerFor(follower: Follower): DiffPrinter {
    const { print } = this.requestFor([literalPath(follower.path)]);
    return new DiffPrinter(this.repository.store, print, this.abbreviator);
  }

  private requestFor(paths: readonly WantedPath[]) {
    const { words, settings } = this;
    const request = readDiffOptions(words, { renames: true, abbrev: true, settings }, paths);
    const directories = this.words.has("folders");
    return {
      ...request,
      print: { ...request.print, directories, ...this.byAttributes, onLimit: this.warning.onLimit },
    };
  }
}

const MERGES: Readonly<Record<string, LogDiffs["ofMerges"]>> = {
  off: "none",
  none: "none",
  "first-parent": "first parent",
  "1": "first parent",
  on: "each parent",
  m: "each parent",
  separate: "each parent",
};

/** How merges are shown; combined diffs are not supported. @throws Fatal */
function shownOfMerges(words: Words): LogDiffs["ofMerges"] {
  let shown: LogDiffs["ofMerges"] | undefined;
  for (const { name, value } of words.options) {
    if (name === "no-diff-merges") shown = "none";
    else if (name === "merges-apart") shown = words.has("first-parent") ? "first parent" : "each parent";
    else if (name === "diff-merges") {
      shown = Object.hasOwn(MERGES, value) ? MERGES[value] : undefined;
      if (!shown) throw new Fatal(`unsupported --diff-merges: ${value}`);
    }
  }
  return shown ?? (words.has("first-parent") ? "first parent" : "none");
}
