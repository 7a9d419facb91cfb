import type { Text } from "../diff/lines/text.ts";

/**
 * Finds the line of the old text that a changed line most resembles, for ignored commits (`git blame --ignore-rev`). A
 * line's fingerprint counts each pair of adjacent bytes in it, ignoring case and the kind of white space; likeness is
 * the number of pairs two lines share. The order of decisions and the constants are git's.
 */
type Fingerprint = Map<number, number>;

/** How many old lines around the corresponding position a line is compared with. */
const SEARCH_DISTANCE = 10;
/** Minimum number of shared pairs for lines elsewhere in the file. */
const FAR_LIKENESS = 10;
/** Likeness is multiplied by this less the distance from the corresponding position. */
const NEAR_WEIGHT = 1000;

const NOTHING_MATCHES = -2;
const NOT_CALCULATED = -1;

/** The lines of two versions of a file. Pairs of an old line claimed by one line are not available to others. */
export class LineGuesses {
  private readonly old: (Fingerprint | undefined)[];
  private readonly current: (Fingerprint | undefined)[];

  constructor(
    private readonly oldText: Text,
    private readonly newText: Text,
  ) {
    this.old = new Array(oldText.count);
    this.current = new Array(newText.count);
  }

  /**
   * For each line of the new range, the old line it probably was, anywhere in the file; -1 if nothing resembles it.
   * Both ranges belong to one changed block.
   */
  guess(oldStart: number, oldEnd: number, newStart: number, newEnd: number): Int32Array {
    const near = oldEnd > oldStart ? new BlockMatch(this, oldStart, oldEnd, newStart, newEnd).run() : undefined;
    const result = new Int32Array(newEnd - newStart);
    for (let i = 0; i < result.length; i++) {
      const found = near?.[i] ?? -1;
      result[i] = found >= 0 ? found : this.anywhere(newStart + i);
    }
    return result;
  }

  likeness(oldLine: number, newLine: number): number {
    return shared(this.newPrint(newLine), this.oldPrint(oldLine));
  }

  claim(oldLine: number, newLine: number): void {
    const print = this.oldPrint(oldLine);
    for (const [pair, count] of this.newPrint(newLine)) {
      const there = print.get(pair);
      if (there === undefined) continue;
      if (there <= count) print.delete(pair);
      else print.set(pair, there - count);
    }
  }

  private anywhere(newLine: number): number {
    let best = FAR_LIKENESS;
    let place = -1;
    for (let line = 0; line < this.oldText.count; line++) {
      const likeness = this.likeness(line, newLine);
      if (likeness < best) continue;
      if (likeness === best && place >= 0 && Math.abs(place - newLine) < Math.abs(line - newLine)) continue;
      best = likeness;
      place = line;
    }
    return place;
  }

  private oldPrint(line: number): Fingerprint {
    let print = this.old[line];
    if (!print) {
      print = fingerprintOf(this.oldText.line(line));
      this.old[line] = print;
    }
    return print;
  }

  private newPrint(line: number): Fingerprint {
    let print = this.current[line];
    if (!print) {
      print = fingerprintOf(this.newText.line(line));
      this.current[line] = print;
    }
    return print;
  }
}

function fingerprintOf(line: Uint8Array): Fingerprint {
  const print: Fingerprint = new Map();
  let before = 0;
  for (let at = 0; at <= line.length; at++) {
    const byte = at < line.length ? line[at]! : 0x20;
    const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
    // Bytes are signed, as in C.
    const value = isSpace ? 0 : byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte >= 0x80 ? byte - 0x100 : byte;
    const pair = before | (value << 8);
    if (pair !== 0) print.set(pair, (print.get(pair) ?? 0) + 1);
    before = value;
  }
  return print;
}

function shared(a: Fingerprint, b: Fingerprint): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  let total = 0;
  for (const [pair, count] of few) {
    const other = many.get(pair);
    if (other !== undefined) total += count < other ? count : other;
  }
  return total;
}

/**
 * Pairs the lines of a changed block: the most certain pair first, then the lines before it on both sides and those
 * after it, so that lines stay in order. A line is certain if it closely resembles one line and no other.
 */
class BlockMatch {
  private readonly distance: number;
  private readonly reach: number;
  private readonly rowLength: number;
  private readonly result: Int32Array;
  private readonly second: Int32Array;
  private readonly certainty: Int32Array;
  /** For each new line, its likeness to the old lines around the corresponding position; -1 if unknown. */
  private readonly cached: Int32Array;

  constructor(
    private readonly lines: LineGuesses,
    private readonly oldStart: number,
    private readonly oldEnd: number,
    private readonly newStart: number,
    private readonly newEnd: number,
  ) {
    const oldCount = oldEnd - oldStart;
    const newCount = newEnd - newStart;
    this.distance = Math.min(SEARCH_DISTANCE, oldCount - 1);
    this.rowLength = 2 * this.distance + 1;
    this.reach = Math.floor((this.rowLength * newCount - 1) / oldCount);
    this.result = new Int32Array(newCount).fill(-1);
    this.second = new Int32Array(newCount).fill(-1);
    this.certainty = new Int32Array(newCount).fill(NOT_CALCULATED);
    this.cached = new Int32Array(newCount * this.rowLength).fill(-1);
  }

  /** Returns an old line for each new line of the block. */
  run(): Int32Array {
    // Boxes of lines still to be paired; those before a pair are handled before those after it.
    const boxes = [[this.oldStart, this.oldEnd, this.newStart, this.newEnd] as const];
    for (let box = boxes.pop(); box; box = boxes.pop()) {
      const [oldFrom, oldTo, newFrom, newTo] = box;
      const surest = this.surest(oldFrom, oldTo, newFrom, newTo);
      if (surest < 0) continue;
      const partner = this.result[surest - this.newStart]!;
      this.lines.claim(partner, surest);
      this.forget(partner, surest, newFrom, newTo);
      if (surest + 1 < newTo) boxes.push([partner, oldTo, surest + 1, newTo]);
      if (surest > newFrom) boxes.push([oldFrom, partner + 1, newFrom, surest]);
    }
    return this.result;
  }

  /** The new line of a box with the most certain partner; -1 if none has one. */
  private surest(oldFrom: number, oldTo: number, newFrom: number, newTo: number): number {
    let surest = -1;
    let max = -1;
    for (let line = newFrom; line < newTo; line++) {
      const place = line - this.newStart;
      if (this.certainty[place] === NOT_CALCULATED) this.findPartners(line, oldFrom, oldTo);
      if (this.certainty[place]! > max) {
        max = this.certainty[place]!;
        surest = line;
      }
    }
    return surest;
  }

  private findPartners(line: number, oldFrom: number, oldTo: number): void {
    const place = line - this.newStart;
    const closest = this.corresponding(line);
    const to = Math.min(closest + this.distance + 1, oldTo);
    let best = 0;
    let next = 0;
    let bestLine = oldFrom;
    let nextLine = oldFrom;
    for (let old = Math.max(closest - this.distance, oldFrom); old < to; old++) {
      const at = this.cell(place, old, closest);
      if (this.cached[at] === -1) {
        this.cached[at] = this.lines.likeness(old, line) * (NEAR_WEIGHT - Math.abs(old - closest));
      }
      const likeness = this.cached[at]!;
      if (likeness > best) {
        next = best;
        nextLine = bestLine;
        best = likeness;
        bestLine = old;
      } else if (likeness > next) {
        next = likeness;
        nextLine = old;
      }
    }
    if (best === 0) {
      this.certainty[place] = NOTHING_MATCHES;
      this.result[place] = -1;
      return;
    }
    this.certainty[place] = best * 2 - next;
    this.result[place] = bestLine;
    this.second[place] = nextLine;
  }

  /** Invalidates what a new pair makes obsolete: likenesses to the claimed line, and partners now out of order. */
  private forget(partner: number, surest: number, newFrom: number, newTo: number): void {
    const from = Math.max(newFrom, surest - this.reach);
    const to = Math.min(newTo, surest + this.reach + 1);
    for (let line = from; line < to; line++) {
      const closest = this.corresponding(line);
      if (Math.abs(partner - closest) > this.distance) continue;
      this.cached[this.cell(line - this.newStart, partner, closest)] = -1;
    }
    for (let line = from; line < to; line++) {
      const place = line - this.newStart;
      if (line === surest || this.certainty[place]! < 0) continue;
      const [first, second] = [this.result[place]!, this.second[place]!];
      const isWrong = line < surest ? first >= partner || second >= partner : first <= partner || second <= partner;
      if (isWrong) this.certainty[place] = NOT_CALCULATED;
    }
  }

  private corresponding(line: number): number {
    const oldCount = this.oldEnd - this.oldStart;
    const newCount = this.newEnd - this.newStart;
    return Math.floor((((line - this.newStart) * 2 + 1) * oldCount) / (newCount * 2)) + this.oldStart;
  }

  private cell(place: number, old: number, closest: number): number {
    return place * this.rowLength + old - closest + this.distance;
  }
}
