import type { RepositoryFolder } from "../../src/git/folder.ts";
import { ObjectListing } from "../../src/git/history/object-listing.ts";
import { RevisionWalk } from "../../src/git/history/walk/walk.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { historyOptions, readHistoryOptions } from "./history-options.ts";
import type { Words } from "./options.ts";
import { filterOf, walkPaths } from "./paths.ts";
import { abbreviatesCommits, prettyOf, prettyOptions } from "./pretty-options.ts";
import { openForReading } from "./repository.ts";
import { readRange, splitRevisionWords, type TypedRange } from "./revision-words.ts";

export const revListCommand: GitCommand = {
  name: "rev-list",
  usage: "[<options>] <commit>… [--] [<path>…]",
  doc: "Lists commits, newest first",
  run(words, terminal) {
    const typed = splitRevisionWords(words, {
      ...historyOptions,
      ...prettyOptions,
      "--count": ["flag", "count"],
      "--objects": ["flag", "objects"],
      "--no-object-names": ["flag", "no-object-names"],
      "--object-names": ["flag", "object-names"],
      "--quiet": ["flag", "quiet"],
      "--timestamp": ["flag", "timestamp"],
      "--no-commit-header": ["flag", "no-commit-header"],
      "--commit-header": ["flag", "commit-header"],
    });
    const repository = openForReading(terminal);
    try {
      const range = readRange(repository, terminal.directory, typed);
      if (!range.named) throw new GitUsage("");
      new Listing(repository, range, typed.options, terminal).print();
      return 0;
    } finally {
      repository.close();
    }
  },
};

function shortened(repository: RepositoryFolder, words: Words): (oid: Oid) => string {
  const abbreviator = new Abbreviator(repository.store, Number(words.value("abbrev")) || "auto");
  return (oid) => abbreviator.abbreviate(oid);
}

class Listing {
  private readonly walk: RevisionWalk;
  private readonly order: readonly number[] | undefined;
  private left = 0;
  private right = 0;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly range: TypedRange,
    private readonly words: Words,
    private readonly terminal: Terminal,
  ) {
    const { reverse, ...options } = readHistoryOptions(words);
    const { starts, paths, parsed } = range;
    this.walk = new RevisionWalk(repository.commits, { ...options, starts, ...walkPaths(paths), parsed });
    if (reverse) this.order = [...this.walk].reverse();
  }

  print(): void {
    const { words, terminal, walk } = this;
    const silent = words.has("quiet") || words.has("count");
    const line = silent ? undefined : this.linePrinter();
    const listing = words.has("objects") ? this.objectListing() : undefined;
    for (const position of this.order ?? walk) {
      if (walk.isLeft(position)) this.left++;
      else this.right++;
      line?.(position);
      listing?.addCommit(position);
    }
    listing?.each((oid, name) => {
      this.right++;
      // A name is cut at its first line break.
      if (!silent) terminal.out(words.has("no-object-names") ? `${oid}\n` : `${oid} ${name.split("\n", 1)[0]}\n`);
    });
    if (!words.has("count")) return;
    terminal.out(words.has("left-right") ? `${this.left}\t${this.right}\n` : `${this.left + this.right}\n`);
  }

  private linePrinter(): (position: number) => void {
    const { words, terminal, walk, repository } = this;
    const { commits } = repository;
    const pretty = prettyOf(repository, terminal, words, {
      forList: true,
      mark: (oid) => this.markOf(commits.positionOf(oid)),
    });
    const short = abbreviatesCommits(words) ? (pretty?.context.abbreviate ?? shortened(repository, words)) : undefined;
    const isOneline = pretty?.format.name === "oneline";
    const withHeader = !words.has("no-commit-header") || pretty?.format.name !== "user";
    return (position) => {
      const oid = commits.oidOf(position);
      let line = words.has("timestamp") ? `${commits.timeOf(position)} ` : "";
      if (pretty && !isOneline) line += "commit ";
      line += this.markOf(position, words.has("left-right")) + (short?.(oid) ?? oid);
      if (words.has("parents")) for (const parent of walk.parentsOf(position)) line += ` ${commits.oidOf(parent)}`;
      if (!pretty) terminal.out(`${line}\n`);
      else terminal.out((withHeader ? line + (isOneline ? " " : "\n") : "") + pretty.body(oid));
    };
  }

  private markOf(position: number, sides = true): string {
    const { walk } = this;
    if (walk.isBoundary(position)) return "-";
    if (walk.isUninteresting(position)) return "^";
    if (!sides) return "";
    return walk.isLeft(position) ? "<" : ">";
  }

  private objectListing(): ObjectListing {
    const { repository, range, walk } = this;
    return new ObjectListing(repository.commits, { objects: range.objects, filter: filterOf(range.paths) }, walk);
  }
}
