import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Blame, type BlameOptions, COPY_SCORE, joinRanges, MOVE_SCORE, NoSuchFile } from "../../src/git/blame/blame.ts";
import { BadLineRange, lineRanges, MalformedLineRange } from "../../src/git/blame/line-range.ts";
import type { BlameRange } from "../../src/git/blame/result.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import { mergeBases } from "../../src/git/history/ancestry.ts";
import { isOid, type Oid } from "../../src/git/objects/types.ts";
import { type DateStyle, parseDateStyle, systemClock } from "../../src/git/pretty/dates.ts";
import { BlamePrinter, type BlameStyle } from "./blame-print.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { readMailmap } from "./mailmap.ts";
import { readWords, type Words } from "./options.ts";
import { pathFromTop } from "./paths.ts";
import { openForReading } from "./repository.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

export const blameCommand: GitCommand = {
  name: "blame",
  usage:
    "[--porcelain | --line-porcelain | --incremental] [-w] [-M[<score>]] [-C[<score>]]… [--ignore-rev <rev>]… [--ignore-revs-file <file>]… [-L <range>]… [--root] [-b] [-l] [-s] [-e] [-t] [-f] [-n] [-c] [--abbrev=<n>] [--date=<style>] [--first-parent] [<rev>] [--] <file>",
  doc: "Shows what commit last changed each line of a file",
  run(words, terminal) {
    const options = readWords(words, {
      "-p": ["flag", "porcelain"],
      "--porcelain": ["flag", "porcelain"],
      "--line-porcelain": ["flag", "line-porcelain"],
      "--incremental": ["flag", "incremental"],
      "-w": ["flag", "ignore-all-space"],
      "-L": ["value", "lines"],
      "--root": ["flag", "root"],
      "-b": ["flag", "blank-boundary"],
      "-l": ["flag", "long"],
      "-s": ["flag", "no-author"],
      "-e": ["flag", "email"],
      "--show-email": ["flag", "email"],
      "-t": ["flag", "raw-time"],
      "-f": ["flag", "show-name"],
      "--show-name": ["flag", "show-name"],
      "-n": ["flag", "show-number"],
      "--show-number": ["flag", "show-number"],
      "-c": ["flag", "annotate"],
      "--abbrev": ["attached", "abbrev"],
      "--date": ["value", "date"],
      "--minimal": ["flag", "minimal"],
      "-M": ["attached", "moves"],
      "-C": ["attached", "copies"],
      "--ignore-rev": ["value", "ignore-rev"],
      "--ignore-revs-file": ["value", "ignore-revs-file"],
      "--first-parent": ["flag", "first-parent"],
    });
    const repository = openForReading(terminal, { cacheBytes: CACHE_BYTES });
    try {
      return blame(repository, options, terminal);
    } catch (error) {
      if (error instanceof MalformedLineRange) throw new GitUsage("");
      if (error instanceof BadLineRange) throw new Fatal(error.message);
      throw error;
    } finally {
      repository.close();
    }
  },
};

function blame(repository: RepositoryFolder, options: Words, terminal: Terminal): number {
  const { revisions, path: typed } = revisionsAndPath(repository, options);
  const path = pathFromTop(repository, terminal.directory, typed);
  const { tip, name, not } = commitsOf(repository, revisions);
  let work: Blame;
  try {
    work = new Blame(repository.commits, {
      tip,
      path,
      not,
      firstParent: options.has("first-parent"),
      whitespace: { ignoreAllSpace: options.has("ignore-all-space") },
      minimal: options.has("minimal"),
      ignored: ignoredCommits(repository, options, terminal),
      ...movesOf(options),
    });
  } catch (error) {
    throw error instanceof NoSuchFile ? new Fatal(`no such path ${path} in ${name}`) : error;
  }
  const specs = options.all("lines");
  const lines = lineRanges(work.lineCount, specs.length === 0 && work.lineCount > 0 ? ["1"] : specs, path);
  const printer = new BlamePrinter(repository.store, readMailmap(repository, terminal), styleOf(repository, options));
  if (options.has("incremental")) {
    for (const range of work.find(lines)) if (range) terminal.out(printer.incremental(range));
    return 0;
  }
  const found: BlameRange[] = [];
  for (const range of work.find(lines)) if (range) found.push(range);
  const ranges = joinRanges(found);
  const everyLine = options.has("line-porcelain");
  const isPorcelain = everyLine || options.has("porcelain");
  for (const piece of isPorcelain ? printer.porcelain(work, ranges, everyLine) : printer.lines(work, ranges))
    terminal.out(piece);
  return 0;
}

/** `[rev] [--] file`, or the older order with the file first. */
function revisionsAndPath(repository: RepositoryFolder, { rest, paths }: Words): { revisions: string[]; path: string } {
  if (paths) {
    const [path, last] = paths;
    if (path === undefined || paths.length > 2 || (paths.length === 2 && rest.length > 0)) throw new GitUsage("");
    return { revisions: last === undefined ? [...rest] : [last], path };
  }
  const last = rest.at(-1);
  if (last === undefined) throw new GitUsage("");
  if (rest.length === 2 && isRevision(repository, last)) return { revisions: [last], path: rest[0]! };
  if (rest.length === 1 && isRevision(repository, last)) throw new Fatal("missing <path> to blame");
  return { revisions: rest.slice(0, -1), path: last };
}

function isRevision(repository: RepositoryFolder, word: string): boolean {
  try {
    return repository.store.has(repository.oidOf(word));
  } catch {
    return false;
  }
}

/** The commit to blame, its name as typed, and the commits that bound the history. */
function commitsOf(repository: RepositoryFolder, words: readonly string[]): { tip: Oid; name: string; not: Oid[] } {
  const not: Oid[] = [];
  let tip: { oid: Oid; name: string } | undefined;
  const commit = (word: string): Oid => {
    const oid = commitNamed(repository, word);
    if (oid === undefined) throw new Fatal(`bad revision '${word}'`);
    return oid;
  };
  const want = (word: string) => {
    if (tip) throw new Fatal(`More than one commit to dig from ${word} and ${tip.name}?`);
    tip = { oid: commit(word), name: word };
  };
  for (const word of words) {
    const range = /^(.*?)(\.\.\.?)(.*)$/.exec(word);
    const alone = /^(.+)\^!$/.exec(word)?.[1];
    if (range) {
      const [left, right] = [range[1] || "HEAD", range[3] || "HEAD"];
      if (range[2] === "..") not.push(commit(left));
      else {
        const bases = mergeBases(repository.commits, commit(left), commit(right));
        not.push(...bases);
        if (!bases.includes(commit(left))) want(left);
      }
      if (range[2] === ".." || !not.includes(commit(right))) want(right);
    } else if (alone !== undefined) {
      const { commits } = repository;
      not.push(...commits.parentsOf(commits.positionOf(commit(alone))).map((parent) => commits.oidOf(parent)));
      want(alone);
    } else if (word.startsWith("^")) not.push(commit(word.slice(1)));
    else want(word);
  }
  if (!tip) want("HEAD");
  // Without a commit to blame, git uses the working tree, which we never have.
  if (tip && not.includes(tip.oid)) throw new Fatal("this operation must be run in a work tree");
  const { oid, name } = tip ?? { oid: "", name: "" };
  return { tip: oid, name, not };
}

/** `-M[<score>]`, and `-C[<score>]` up to three times. */
function movesOf(options: Words): Pick<BlameOptions, "moves" | "copies"> {
  const score = (name: string, usual: number) =>
    Number(options.all(name).findLast((text) => /^\d+$/.test(text))) || usual;
  const level = Math.min(options.all("copies").length, 3);
  const moves = options.has("moves") || level > 0 ? score("moves", MOVE_SCORE) : undefined;
  if (level === 0) return { moves };
  return { moves, copies: { score: score("copies", COPY_SCORE), level: level === 1 ? 1 : level === 2 ? 2 : 3 } };
}

/** Commits named by `--ignore-rev` or listed in files; an empty file name clears those from earlier files. */
function ignoredCommits(repository: RepositoryFolder, options: Words, terminal: Terminal): Set<Oid> {
  const ignored = new Set<Oid>();
  for (const name of options.all("ignore-revs-file")) {
    if (name === "") ignored.clear();
    else for (const oid of idsInFile(repository, resolve(terminal.directory, name), name)) ignored.add(oid);
  }
  for (const name of options.all("ignore-rev")) {
    const oid = commitNamed(repository, name);
    if (oid === undefined) throw new Fatal(`cannot find revision ${name} to ignore`);
    ignored.add(oid);
  }
  return ignored;
}

/** One full id per line; `#` begins a comment. */
function idsInFile(repository: RepositoryFolder, path: string, name: string): Oid[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new Fatal(`could not open object name list: ${name}`);
  }
  const ids: Oid[] = [];
  for (const line of text.split("\n")) {
    const id = line.replace(/#.*/, "").trim();
    if (id === "") continue;
    if (!isOid(id)) throw new Fatal(`invalid object name: ${id}`);
    const commit = commitNamed(repository, id);
    if (commit !== undefined) ids.push(commit);
  }
  return ids;
}

function commitNamed(repository: RepositoryFolder, name: string): Oid | undefined {
  try {
    return peelToCommit(repository.store, repository.oidOf(name));
  } catch {
    return undefined;
  }
}

function styleOf(repository: RepositoryFolder, options: Words): BlameStyle {
  const digits = repository.store.format.oidDigits;
  const asked = options.has("abbrev") && options.value("abbrev") !== "" ? Number(options.value("abbrev")) : undefined;
  if (asked !== undefined && !Number.isSafeInteger(asked))
    throw new GitUsage("option `abbrev' expects a numerical value");
  const abbreviate =
    asked === undefined ? undefined : asked === 0 ? digits : asked < 4 ? 5 : Math.min(asked + 1, digits);
  const dates: DateStyle = parseDateStyle(options.value("date") ?? "iso");
  return {
    root: options.has("root"),
    blankBoundary: options.has("blank-boundary"),
    dates,
    dateColumns: DATE_COLUMNS[dates.kind] ?? 0,
    clock: systemClock(),
    longNames: options.has("long"),
    rawTime: options.has("raw-time"),
    noAuthor: options.has("no-author"),
    email: options.has("email"),
    showName: options.has("show-name"),
    showNumber: options.has("show-number"),
    annotate: options.has("annotate"),
    abbreviate,
  };
}

/** The column width git reserves for each date format. */
const DATE_COLUMNS: Readonly<Record<string, number>> = {
  rfc: "Thu, 19 Oct 2006 16:00:04 -0700".length,
  "iso-strict": "2006-10-19T16:00:04-07:00".length,
  iso: "2006-10-19 16:00:04 -0700".length,
  raw: "1161298804 -0700".length,
  unix: "1161298804".length,
  short: "2006-10-19".length,
  relative: "4 years, 11 months ago".length,
  human: "Thu Oct 19 16:00".length,
  default: "Thu Oct 19 16:00:04 2006 -0700".length,
};
