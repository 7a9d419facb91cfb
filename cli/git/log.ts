import type { WantedPath } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { Follower } from "../../src/git/history/follow.ts";
import { RevisionWalk } from "../../src/git/history/walk/walk.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import { readHead } from "../../src/git/refs/files.ts";
import { Fatal, type GitCommand, type Terminal } from "./command.ts";
import { historyOptions, readHistoryOptions } from "./history-options.ts";
import { type Difference, LogDiffs, logDiffOptions } from "./log-diffs.ts";
import type { Words } from "./options.ts";
import { walkPaths } from "./paths.ts";
import { mapIdentity, type Pretty, prettyOf, prettyOptions } from "./pretty-options.ts";
import { openForReading } from "./repository.ts";
import { readRange, splitRevisionWords, type TypedRange } from "./revision-words.ts";

export const logCommand: GitCommand = {
  name: "log",
  usage: "[<options>] [<revision range>] [--] [<path>…]",
  doc: "Shows commits, newest first",
  run(words, terminal) {
    const typed = splitRevisionWords(words, {
      ...historyOptions,
      ...prettyOptions,
      ...logDiffOptions,
      "--follow": ["flag", "follow"],
      "--no-follow": ["flag", "no-follow"],
    });
    const repository = openForReading(terminal);
    try {
      const range = readRange(repository, terminal.directory, typed);
      const whole = range.named ? range : { ...range, starts: headStart(repository) };
      const log = new Log(repository, whole, typed.options, terminal);
      log.print();
      return log.differs && typed.options.has("exit-code") ? 1 : 0;
    } finally {
      repository.close();
    }
  },
};

function headStart(repository: RepositoryFolder): TypedRange["starts"] {
  const oid = repository.headOid();
  if (oid !== undefined) return [{ oid, side: "wanted" }];
  const head = readHead(repository.gitDir);
  const name = head && "ref" in head ? head.ref.replace(/^refs\/heads\//, "") : "HEAD";
  throw new Fatal(`your current branch '${name}' does not have any commits yet`);
}

class Log {
  private readonly walk: RevisionWalk;
  private readonly pretty: Pretty;
  private readonly diffs: LogDiffs;
  private readonly order: readonly number[] | undefined;
  private readonly follower: Follower | undefined;
  private shownLeft: number;
  private shownOne = false;
  /** Whether anything shown is a difference. */
  differs = false;

  constructor(
    private readonly repository: RepositoryFolder,
    { starts, paths, parsed }: TypedRange,
    private readonly words: Words,
    private readonly terminal: Terminal,
  ) {
    const map = words.has("author") || words.has("committer") ? mapIdentity(repository, terminal, words) : undefined;
    const { reverse, ...options } = readHistoryOptions(words, map && ((signature) => mappedLine(signature, map)));
    const { commits } = repository;
    if (words.has("follow")) this.follower = this.followerOf(paths, options.firstParent ?? false);
    this.diffs = new LogDiffs(repository, words, paths, terminal);
    // When differences decide what is shown, the walk cannot do the counting.
    const counts = (this.follower !== undefined || this.diffs.selects) && !reverse;
    this.shownLeft = (counts ? options.limit : undefined) ?? Number.POSITIVE_INFINITY;
    const own = { ...(this.follower ? {} : walkPaths(paths)), ...(counts ? { limit: undefined } : {}) };
    this.walk = new RevisionWalk(commits, { ...options, starts, parsed, ...own });
    this.pretty = prettyOf(repository, terminal, words, { mark: (oid) => this.markOf(commits.positionOf(oid)) })!;
    if (reverse) this.order = [...this.walk].reverse();
  }

  print(): void {
    this.printCommits();
    this.diffs.warning.tell(this.terminal);
  }

  private printCommits(): void {
    if (this.shownLeft === 0) return;
    for (const position of this.order ?? this.walk) {
      if (this.follower && !this.follower.changes(position)) continue;
      if (this.show(position) && --this.shownLeft === 0) return;
    }
  }

  private followerOf(wanted: readonly WantedPath[], firstParent: boolean): Follower {
    const [only, ...others] = wanted;
    if (only === undefined || others.length > 0) throw new Fatal("--follow requires exactly one pathspec");
    // No wildcards: characters stand for themselves here.
    return new Follower(this.repository.commits, decodeName(Buffer.from(only.path, "latin1")), firstParent);
  }

  /** False when the commit is left out because it has no difference. */
  private show(position: number): boolean {
    const { diffs } = this;
    const differences = diffs.isOn || diffs.selects || diffs.isAsked ? diffs.of(position, this.follower) : [];
    if (differences.some(({ changed }) => changed)) this.differs = true;
    if (diffs.selects && differences.length === 0) return false;
    if (!diffs.isOn || differences.length === 0) this.showCommit(position);
    else for (const difference of differences) this.showCommit(position, difference);
    return true;
  }

  private showCommit(position: number, difference?: Difference): void {
    const { repository, walk, pretty, terminal, diffs } = this;
    const oid = repository.commits.oidOf(position);
    const { format } = pretty;
    if (this.shownOne && !format.terminated) terminal.out(diffs.end);
    this.shownOne = true;
    const parents = walk.parentsOf(position).map((parent) => repository.commits.oidOf(parent));
    const from = difference?.from;
    terminal.out(this.withMark(position, pretty.print(oid, { parents, ...(from === undefined ? {} : { from }) })));
    if (format.terminated && !format.isEmpty) terminal.out(diffs.end);
    if (!difference) return;
    // A blank line separates the diff from the commit text.
    if (format.name !== "oneline" && !format.isEmpty)
      terminal.out(diffs.formats.has("patch") && diffs.formats.has("stat") ? "---\n" : "\n");
    for (const piece of difference.pieces) terminal.out(piece);
  }

  /** Built-in formats print a commit's side mark before its id. */
  private withMark(position: number, text: string): string {
    const { name } = this.pretty.format;
    if (name === "user" || name === "email" || name === "mboxrd") return text;
    const mark = this.markOf(position, this.words.has("left-right"));
    if (mark === "") return text;
    return text.startsWith("commit ") ? `commit ${mark} ${text.slice(7)}` : `${mark} ${text}`;
  }

  private markOf(position: number, sides = true): string {
    const { walk } = this;
    if (walk.isBoundary(position)) return "-";
    if (walk.isUninteresting(position)) return "^";
    if (!sides) return "";
    return walk.isLeft(position) ? "<" : ">";
  }
}

function mappedLine(signature: string, map: NonNullable<ReturnType<typeof mapIdentity>>): string {
  const parts = /^(.*?) ?<(.*)>$/.exec(signature);
  if (!parts) return signature;
  const { name, email } = map(parts[1]!, parts[2]!);
  return `${name} <${email}>`;
}
