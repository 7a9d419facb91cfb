import type { Block } from "../diff/lines/edits.ts";
import { compareVersions, linesOf } from "./compare.ts";
import { type Entry, type Origin, splitEntry } from "./origin.ts";
import type { Version, Versions } from "./versions.ts";

/** A piece of an entry that was found in another file, or elsewhere in the same one. */
interface Piece {
  /** Where it begins in the entry, and in the file it came from. */
  readonly offset: number;
  readonly originLine: number;
  readonly count: number;
  readonly score: number;
}

/** An entry, and the origin it is now blamed on. */
export interface MovedEntry {
  readonly origin: Origin;
  readonly entry: Entry;
}

/** The score of git's `-M` and `-C`: the number of letters and digits, plus one. */
export class Scores {
  constructor(private readonly file: Version) {}

  of(line: number, count: number): number {
    const { data, starts } = this.file.text;
    const end = starts[line + count]!;
    let score = 1;
    for (let at = starts[line]!; at < end; at++) if (isAlphanumeric(data[at]!)) score++;
    return score;
  }
}

function isAlphanumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** Entries too small to be worth a search, put aside until the search of a commit is over. */
export class SmallEntries {
  private entries: Entry[] = [];
  private place = 0;

  constructor(private readonly scores: Scores) {}

  /** Begins a search, which puts its entries before those of earlier searches. */
  begin(): void {
    this.place = 0;
  }

  /** Returns the entries put aside and clears them. */
  takeAll(): Entry[] {
    const { entries } = this;
    this.entries = [];
    this.place = 0;
    return entries;
  }

  /** Returns the entries that score more than `minScore`; puts the others aside. */
  filter(entries: readonly Entry[], minScore: number): Entry[] {
    const large: Entry[] = [];
    const small: Entry[] = [];
    for (const entry of entries) (this.scores.of(entry.line, entry.count) <= minScore ? small : large).push(entry);
    this.entries.splice(this.place, 0, ...small);
    this.place += small.length;
    return large;
  }
}

/**
 * Searches candidates for a file's suspects among other lines: the piece with the highest score is passed on, and the
 * rest of its entry is searched for again.
 * @param find the best piece of an entry, and the origin to blame it on
 * @returns the entries passed on; the others become the target's suspects again
 */
export function passMoved(
  target: Origin,
  small: SmallEntries,
  minScore: number,
  find: (entry: Entry) => { origin: () => Origin; piece: Piece } | undefined,
): MovedEntry[] {
  const passed: MovedEntry[] = [];
  const left: Entry[] = [];
  small.begin();
  let waiting = target.suspects;
  while (waiting.length > 0) {
    const rests: Entry[] = [];
    for (const entry of waiting) {
      const found = find(entry);
      if (!found || found.piece.score <= minScore) {
        left.push(entry);
        continue;
      }
      const { piece } = found;
      const middle = piece.offset > 0 ? splitEntry(entry, piece.offset) : entry;
      if (middle !== entry) rests.push(entry);
      if (piece.count < middle.count) rests.push(splitEntry(middle, piece.count));
      middle.originLine = piece.originLine;
      passed.push({ origin: found.origin(), entry: middle });
    }
    waiting = small.filter(rests, minScore);
  }
  target.suspects = left;
  return passed;
}

/** The best piece of an entry among the lines it shares, in order, with another text. */
export function bestPiece(entry: Entry, blocks: readonly Block[], scores: Scores): Piece | undefined {
  let best: Piece | undefined;
  let from = 0;
  let origin = 0;
  const consider = (to: number) => {
    if (from >= to) return;
    const score = scores.of(entry.line + from, to - from);
    if (!best || score >= best.score) best = { offset: from, originLine: origin, count: to - from, score };
  };
  for (const block of blocks) {
    consider(Math.min(block.newStart, entry.count));
    from = block.newEnd;
    origin = block.oldEnd;
  }
  consider(entry.count);
  return best;
}

/** The best piece of an entry in a version of the file it is blamed on. */
export function bestMove(
  entry: Entry,
  file: Version,
  source: Version,
  versions: Versions,
  scores: Scores,
  minimal: boolean,
): Piece | undefined {
  const lines = linesOf(file, entry.line, entry.line + entry.count);
  return bestPiece(entry, compareVersions(source, lines, versions.alphabet, minimal), scores);
}
