import type { Block } from "../diff/lines/edits.ts";
import type { LineGuesses } from "./fingerprints.ts";
import { byOriginLine, type Entry, type Origin, splitEntry } from "./origin.ts";

/**
 * Passes suspects of a file to a version it came from: lines that both have go to the parent, changed ones stay. The
 * file's suspects are replaced by those that stay.
 * @param blocks the changes from the parent to the file
 * @returns the entries that went to the parent, in the order of its lines
 */
export function passUnchanged(target: Origin, blocks: readonly Block[]): Entry[] {
  const passing = new Passing(target);
  let shift = 0;
  for (const block of blocks) {
    if (!passing.goesOn) break;
    passing.unchanged(block.newStart, shift);
    passing.changed(block.newEnd);
    shift = block.oldEnd - block.newEnd;
  }
  passing.unchanged(Number.POSITIVE_INFINITY, shift);
  target.suspects = passing.stayed;
  return passing.passed;
}

/**
 * The same for an ignored commit: changed lines go to the parent's line they resemble most, wherever it is.
 * @returns the entries that went to the parent, in the order of its lines
 */
export function passResembling(target: Origin, blocks: readonly Block[], guesses: LineGuesses): Entry[] {
  const passing = new Passing(target);
  let shift = 0;
  for (const block of blocks) {
    passing.unchanged(block.newStart, shift);
    if (block.newEnd > block.newStart) {
      // Guessed even without suspects: what one block claims, the next cannot.
      const lines = guesses.guess(block.oldStart, block.oldEnd, block.newStart, block.newEnd);
      for (const entry of passing.until(block.newEnd)) passing.resembling(entry, lines, block.newStart);
    }
    shift = block.oldEnd - block.newEnd;
  }
  passing.unchanged(Number.POSITIVE_INFINITY, shift);
  target.suspects = passing.stayed;
  return passing.passed.sort(byOriginLine);
}

/** A walk over the suspects of a file in the order of its lines. */
export class Passing {
  readonly passed: Entry[] = [];
  readonly stayed: Entry[] = [];
  /** Suspects still to come, the next one last. */
  private readonly waiting: Entry[];

  constructor(target: Origin) {
    this.waiting = target.suspects.reverse();
  }

  get goesOn(): boolean {
    return this.waiting.length > 0;
  }

  /** Passes lines up to `end` to the parent, where they are `shift` lines further down. */
  unchanged(end: number, shift: number): void {
    for (const entry of this.until(end)) {
      entry.originLine += shift;
      this.passed.push(entry);
    }
  }

  /** Keeps lines up to `end`, which are not the parent's. */
  changed(end: number): void {
    this.stayed.push(...this.until(end));
  }

  /**
   * Splits an entry into runs that go to consecutive lines of the parent, or to none.
   * @param lines the parent's line for each line from `first` on, -1 for none
   */
  resembling(entry: Entry, lines: Int32Array, first: number): void {
    let rest: Entry | undefined = entry;
    while (rest) {
      const run: Entry = rest;
      const at = run.originLine - first;
      const line = lines[at]!;
      let count = 1;
      while (count < run.count && lines[at + count] === (line < 0 ? line : line + count)) count++;
      rest = count < run.count ? splitEntry(run, count) : undefined;
      if (line < 0) {
        run.unblamable = true;
        this.stayed.push(run);
      } else {
        run.ignored = true;
        run.originLine = line;
        this.passed.push(run);
      }
    }
  }

  /** Takes the suspects before line `end`, splitting one that crosses it. */
  until(end: number): Entry[] {
    const { waiting } = this;
    const taken: Entry[] = [];
    const rests: Entry[] = [];
    for (let entry = waiting.at(-1); entry && entry.originLine < end; entry = waiting.at(-1)) {
      waiting.pop();
      if (entry.originLine + entry.count > end) rests.push(splitEntry(entry, end - entry.originLine));
      taken.push(entry);
    }
    for (let i = rests.length - 1; i >= 0; i--) waiting.push(rests[i]!);
    return taken;
  }
}
