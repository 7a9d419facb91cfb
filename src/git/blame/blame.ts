import type { WhitespaceOptions } from "../diff/lines/whitespace.ts";
import { GitError } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import type { Flags } from "../graph/flags.ts";
import { Painter } from "../history/paint.ts";
import { isTreeMode } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import { PriorityQueue } from "../priority-queue.ts";
import { entryAt } from "../trees.ts";
import { compareVersions } from "./compare.ts";
import { CopySearch, copySources } from "./copies.ts";
import { LineGuesses } from "./fingerprints.ts";
import { type BlameMemory, mannerOf, RememberedLines } from "./memory.ts";
import { bestMove, type MovedEntry, passMoved, Scores, SmallEntries } from "./moves.ts";
import { byOriginLine, type Entry, mergeEntries, type Origin, Origins } from "./origin.ts";
import { Parents } from "./parents.ts";
import { passResembling, passUnchanged } from "./pass.ts";
import { type BlameRange, Ranges } from "./result.ts";
import { type Version, Versions } from "./versions.ts";

/** The commit has no such file. */
export class NoSuchFile extends GitError {
  override name = "NoSuchFile";
}

export interface BlameOptions {
  /** The commit whose file is blamed. */
  readonly tip: Oid;
  /** Encoded as by `decodeName`. */
  readonly path: string;
  /** Commits to exclude together with their ancestors: `A..B`. */
  readonly not?: readonly Oid[];
  readonly firstParent?: boolean;
  /** Lines to blame, 0-based, ends exclusive, sorted and non-adjacent; all by default. */
  readonly lines?: readonly (readonly [start: number, end: number])[];
  /** `-w` and similar options. */
  readonly whitespace?: WhitespaceOptions;
  /** Spend more time on finding shorter scripts (`--minimal`). */
  readonly minimal?: boolean;
  /** Find lines moved within a file if they score more than this (`-M`). */
  readonly moves?: number;
  /** Find lines copied from other files (`-C`). */
  readonly copies?: CopyOptions;
  /** Commits whose changes are ignored (`--ignore-rev`). */
  readonly ignored?: ReadonlySet<Oid>;
  /** An earlier blame to start from, of the same file in an older commit. */
  readonly memory?: BlameMemory;
}

export interface CopyOptions {
  /** Lines count as copied if they score more than this. */
  readonly score: number;
  /**
   * 1: from files the commit changed; 2: also from any file, if the commit created this one; 3: always from any file.
   */
  readonly level: 1 | 2 | 3;
}

/** git's default scores for moved and copied lines. */
export const MOVE_SCORE = 20;
export const COPY_SCORE = 40;

const UNINTERESTING = 2;
const WANTED = 1;
/** Steps between two checks of the clock and the signal. */
const STEPS = 256;

/**
 * Finds the commit that introduced each line of a file, as `git blame` does: starting at the youngest, each commit
 * passes the lines that it did not change to its parents.
 */
export class Blame {
  readonly file: Version;
  readonly tip: number;
  private readonly versions: Versions;
  private readonly origins = new Origins();
  private readonly parents: Parents;
  private readonly queue = new PriorityQueue<number>();
  private readonly ranges: Ranges;
  private readonly uninteresting: Flags | undefined;
  private readonly start: Origin;
  private readonly memory: { commit: number; path: string; lines: RememberedLines } | undefined;
  private readonly scores: Scores;
  private readonly copySearch: CopySearch;

  /** @throws NoSuchFile, BlameTooLarge; CorruptObject when an object is missing */
  constructor(
    private readonly commits: Commits,
    private readonly options: BlameOptions,
  ) {
    this.tip = commits.positionOf(options.tip);
    const found = entryAt(commits.store, commits.treeOf(this.tip), options.path);
    if (!found || isTreeMode(found.mode)) throw new NoSuchFile(`no such path ${options.path} in ${options.tip}`);
    this.versions = new Versions(commits.store, options.whitespace ?? {});
    this.parents = new Parents(commits, this.origins);
    this.file = this.versions.of(found.mode, found.oid);
    this.scores = new Scores(this.file);
    const minimal = options.minimal ?? false;
    this.copySearch = new CopySearch(commits.store, this.file, this.scores, { ...options.whitespace, minimal });
    this.ranges = new Ranges(commits);
    this.uninteresting = options.not?.length ? this.paint(options.not) : undefined;
    this.memory = this.useful(options.memory);
    this.start = this.origins.get(this.tip, options.path, found.mode, found.oid);
  }

  get path(): string {
    return this.options.path;
  }

  get lineCount(): number {
    return this.file.text.count;
  }

  /**
   * Yields ranges as they are found, in no particular order, and now and then undefined, to give the caller a turn.
   * @param lines lines to blame; by default those of the options
   * @throws CorruptObject when an object on the way is missing; BlameTooLarge
   */
  *find(lines = this.options.lines ?? [[0, this.lineCount] as const]): Generator<BlameRange | undefined> {
    for (const [start, end] of lines) {
      if (end <= start) continue;
      this.start.suspects.push({
        line: start,
        count: end - start,
        originLine: start,
        ignored: false,
        unblamable: false,
      });
    }
    this.queue.push(this.tip, this.commits.timeOf(this.tip));
    let steps = 0;
    for (let commit = this.queue.pop(); commit !== undefined; commit = this.queue.pop()) {
      for (let origin = this.suspect(commit); origin; origin = this.suspect(commit)) {
        if (origin.commit === this.memory?.commit && origin.path === this.memory.path) {
          yield* this.recall(origin, this.memory.lines);
          continue;
        }
        if (!this.isUninteresting(commit)) this.pass(origin);
        for (const entry of origin.suspects) yield this.ranges.of(entry, origin, this.isUninteresting(commit));
        origin.suspects = [];
        if (++steps % STEPS === 0) yield undefined;
      }
    }
  }

  /** All ranges by line, adjacent ones of one origin joined. @throws like `find` */
  all(): BlameRange[] {
    const found: BlameRange[] = [];
    for (const range of this.find()) if (range) found.push(range);
    return joinRanges(found);
  }

  /** Looks up the suspects of an earlier blame's file in the results of that blame. */
  private *recall(origin: Origin, lines: RememberedLines): Generator<BlameRange> {
    const entries = origin.suspects;
    origin.suspects = [];
    for (const { line, originLine, count, ignored, unblamable } of entries) {
      for (const range of lines.between(originLine, originLine + count)) {
        const shift = line - originLine;
        yield {
          ...range,
          line: range.line + shift,
          ignored: range.ignored || ignored,
          unblamable: range.unblamable || unblamable,
        };
      }
    }
  }

  /** The earlier blame, if usable: made with the same options, and its line count matches the file's. */
  private useful(
    memory: BlameMemory | undefined,
  ): { commit: number; path: string; lines: RememberedLines } | undefined {
    const { commits } = this;
    if (memory?.version !== 1 || memory.manner !== mannerOf(this.options)) return undefined;
    const commit = commits.find(memory.tip);
    const found = commit === undefined ? undefined : entryAt(commits.store, commits.treeOf(commit), memory.path);
    if (commit === undefined || !found || isTreeMode(found.mode)) return undefined;
    const lines = new RememberedLines(memory);
    const count = this.versions.of(found.mode, found.oid, this.file).text.count;
    return lines.count === count ? { commit, path: memory.path, lines } : undefined;
  }

  private suspect(commit: number): Origin | undefined {
    for (const origin of this.origins.of(commit)) if (origin.suspects.length > 0) return origin;
    return undefined;
  }

  private isUninteresting(commit: number): boolean {
    return this.uninteresting !== undefined && (this.uninteresting.get(commit) & UNINTERESTING) !== 0;
  }

  private paint(not: readonly Oid[]): Flags {
    const painter = new Painter(this.commits, UNINTERESTING, this.options.firstParent ? WANTED : 0);
    for (const oid of not) painter.add(this.commits.positionOf(oid), UNINTERESTING);
    painter.add(this.tip, WANTED);
    painter.run();
    return painter.flags;
  }

  private parentsOf(commit: number): readonly number[] {
    if (!this.options.firstParent) return this.commits.parentsOf(commit);
    const first = this.commits.firstParentOf(commit);
    return first < 0 ? [] : [first];
  }

  /** Passes as many of an origin's suspects as possible to the commit's parents. */
  private pass(origin: Origin): void {
    const parents = this.parentsOf(origin.commit);
    const sources = parents.length > 0 ? this.sourcesOf(origin, parents) : undefined;
    if (!sources) return;
    for (const source of sources) {
      if (!source) continue;
      origin.previous ??= source;
      this.passToParent(origin, source);
      if (origin.suspects.length === 0) return;
    }
    if (this.options.ignored?.has(this.commits.oidOf(origin.commit))) {
      for (const source of sources) {
        if (!source) continue;
        this.passByLikeness(origin, source);
        if (origin.suspects.length === 0) return;
      }
    }
    if (this.options.moves !== undefined || this.options.copies) this.passMovedLines(origin, parents, sources);
  }

  /** `-M` and `-C`: lines found elsewhere in the parents' files. */
  private passMovedLines(origin: Origin, parents: readonly number[], sources: readonly (Origin | undefined)[]): void {
    const { copies, moves = MOVE_SCORE } = this.options;
    const small = new SmallEntries(this.scores);
    const passed: MovedEntry[] = [];
    origin.suspects = small.filter(origin.suspects, moves);
    for (const source of sources) {
      if (!source || origin.suspects.length === 0) continue;
      const version = this.versions.of(source.mode, source.oid);
      const minimal = this.options.minimal ?? false;
      const search = (entry: Entry) => {
        const piece = bestMove(entry, this.file, version, this.versions, this.scores, minimal);
        return piece && { origin: () => source, piece };
      };
      passed.push(...passMoved(origin, small, moves, search));
    }
    if (copies) {
      if (copies.score < moves) origin.suspects = mergeEntries(origin.suspects, small.takeAll());
      if (copies.score !== moves) {
        small.begin();
        origin.suspects = small.filter(origin.suspects, copies.score);
      }
      for (const [i, parent] of parents.entries()) {
        if (origin.suspects.length > 0) passed.push(...this.passCopied(origin, parent, sources[i], small, copies));
      }
    }
    this.distribute(passed);
    origin.suspects = [...small.takeAll(), ...origin.suspects];
  }

  private passCopied(
    origin: Origin,
    parent: number,
    source: Origin | undefined,
    small: SmallEntries,
    { score, level }: CopyOptions,
  ): MovedEntry[] {
    const { commits } = this;
    const all = level === 3 || (level === 2 && source?.path !== origin.path);
    const found = copySources(commits.store, commits.treeOf(parent), commits.treeOf(origin.commit), all);
    const others = found.filter(({ path }) => path !== source?.path);
    const passed = passMoved(origin, small, score, (entry) => {
      const best = this.copySearch.best(entry, others);
      if (!best) return undefined;
      const { path, mode, oid } = best.source;
      return { origin: () => this.origins.get(parent, path, mode, oid), piece: best.piece };
    });
    // The files count as used in the order in which they were searched.
    for (const { path, mode, oid } of others) {
      if (this.origins.find(parent, path)) this.origins.get(parent, path, mode, oid);
    }
    return passed;
  }

  /** Assigns entries to their new origins, each origin's in order. */
  private distribute(moved: readonly MovedEntry[]): void {
    const byOrigin = new Map<Origin, Entry[]>();
    for (const { origin, entry } of moved) {
      const list = byOrigin.get(origin);
      if (list) list.push(entry);
      else byOrigin.set(origin, [entry]);
    }
    for (const [origin, list] of byOrigin) this.suspectAll(origin, list.sort(byOriginLine));
  }

  /**
   * The files in the parents that the origin's file came from. If one has identical content, passes everything to it
   * and returns undefined.
   */
  private sourcesOf(origin: Origin, parents: readonly number[]): (Origin | undefined)[] | undefined {
    const sources: (Origin | undefined)[] = parents.map(() => undefined);
    for (const renamed of [false, true]) {
      for (const [i, parent] of parents.entries()) {
        if (sources[i]) continue;
        const source = renamed
          ? this.parents.renamed(origin, parent)
          : this.parents.sameName(origin, parent, parent === this.commits.firstParentOf(origin.commit));
        if (!source) continue;
        if (source.oid === origin.oid) {
          this.passAll(origin, source);
          return undefined;
        }
        const isTwin = sources.some((other, j) => j < i && other?.oid === source.oid);
        if (!isTwin) sources[i] = source;
      }
    }
    return sources;
  }

  private passAll(origin: Origin, source: Origin): void {
    const entries = origin.suspects;
    origin.suspects = [];
    this.suspectAll(source, entries);
  }

  private passToParent(origin: Origin, source: Origin): void {
    const current = this.versions.of(origin.mode, origin.oid);
    const old = this.versions.of(source.mode, source.oid, current);
    const blocks = compareVersions(old, current, this.versions.alphabet, this.options.minimal);
    this.suspectAll(source, passUnchanged(origin, blocks));
  }

  /** For an ignored commit: passes its lines to the parent's lines that they resemble. */
  private passByLikeness(origin: Origin, source: Origin): void {
    const current = this.versions.of(origin.mode, origin.oid);
    const old = this.versions.of(source.mode, source.oid, current);
    const blocks = compareVersions(old, current, this.versions.alphabet, this.options.minimal);
    const guesses = new LineGuesses(old.text, current.text);
    this.suspectAll(source, passResembling(origin, blocks, guesses));
  }

  /** @param entries sorted by their lines in the origin's file */
  private suspectAll(origin: Origin, entries: Entry[]): void {
    const { commit } = origin;
    if (origin.suspects.length > 0) {
      origin.suspects = mergeEntries(origin.suspects, entries);
      return;
    }
    const isQueued = this.suspect(commit) !== undefined;
    origin.suspects = entries;
    if (!isQueued) this.queue.push(commit, this.commits.timeOf(commit));
  }
}

/** The ranges sorted by line, with adjacent ones of one origin joined. */
export function joinRanges(ranges: readonly BlameRange[]): BlameRange[] {
  const joined: BlameRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.line - b.line)) {
    const last = joined.at(-1);
    if (last && follows(last, range)) joined[joined.length - 1] = { ...last, count: last.count + range.count };
    else joined.push(range);
  }
  return joined;
}

function follows(a: BlameRange, b: BlameRange): boolean {
  return (
    a.file.commit === b.file.commit &&
    a.file.path === b.file.path &&
    a.line + a.count === b.line &&
    a.originLine + a.count === b.originLine &&
    a.ignored === b.ignored &&
    a.unblamable === b.unblamable
  );
}
