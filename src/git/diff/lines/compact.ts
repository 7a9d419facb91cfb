import type { Edits } from "./edits.ts";
import { type Indents, splitCost } from "./indent.ts";

/**
 * A run of changed lines can often slide: if the line before it equals its last line, moving the run one line up gives
 * the same change. Slides each run next to a run of the other side if possible, otherwise to where it reads best, and
 * merges runs that meet on the way. The rules are git's.
 */

/** A sequence whose elements can be compared with each other. */
export interface Sequence {
  readonly count: number;
  same(i: number, j: number): boolean;
}

/** Without indents, a side's runs slide down as far as they go. */
export interface CompactOptions {
  readonly oldIndents?: Indents | undefined;
  readonly newIndents?: Indents | undefined;
}

/** Lines given as numbers. */
export class Numbered implements Sequence {
  readonly count: number;

  constructor(private readonly numbers: Int32Array) {
    this.count = numbers.length;
  }

  same(i: number, j: number): boolean {
    return this.numbers[i] === this.numbers[j];
  }
}

/** The indent heuristic looks at most this far up. */
const MAX_SLIDING = 100;

/** Slides the changed runs of both sequences; modifies `edits`. */
export function compact(a: Sequence, b: Sequence, edits: Edits, options: CompactOptions = {}): void {
  new Compaction(a, edits.removed, edits.added, options.oldIndents).run();
  new Compaction(b, edits.added, edits.removed, options.newIndents).run();
}

/** A run of changed elements, possibly empty: there is one between any two unchanged elements. */
class Run {
  start = 0;
  end = 0;

  /** The first run at or after `from`; nothing before `from` is changed. */
  constructor(
    private readonly changed: Uint8Array,
    from: number,
  ) {
    this.start = from;
    this.end = from;
    while (this.end < changed.length && changed[this.end] === 1) this.end++;
  }

  get isEmpty(): boolean {
    return this.end === this.start;
  }

  /** Returns false at the last run. */
  next(): boolean {
    const { changed } = this;
    if (this.end >= changed.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    while (this.end < changed.length && changed[this.end] === 1) this.end++;
    return true;
  }

  previous(): void {
    const { changed } = this;
    this.end = this.start - 1;
    this.start = this.end;
    while (this.start > 0 && changed[this.start - 1] === 1) this.start--;
  }

  /** Slides up by one, merging with a run it meets; returns false if it cannot. */
  slideUp(items: Sequence): boolean {
    const { changed } = this;
    if (this.start === 0 || !items.same(this.start - 1, this.end - 1)) return false;
    changed[--this.start] = 1;
    changed[--this.end] = 0;
    while (this.start > 0 && changed[this.start - 1] === 1) this.start--;
    return true;
  }

  slideDown(items: Sequence): boolean {
    const { changed } = this;
    if (this.end >= items.count || !items.same(this.start, this.end)) return false;
    changed[this.start++] = 0;
    changed[this.end++] = 1;
    while (this.end < items.count && changed[this.end] === 1) this.end++;
    return true;
  }
}

class Compaction {
  private readonly current: Run;
  /** The run of the other side between the same unchanged elements. */
  private readonly partner: Run;
  /** The last changed element, before anything slides. */
  private readonly last: number;

  constructor(
    private readonly items: Sequence,
    changed: Uint8Array,
    otherChanged: Uint8Array,
    private readonly indents: Indents | undefined,
  ) {
    const first = firstChanged(changed, otherChanged);
    this.current = new Run(changed, first);
    this.partner = new Run(otherChanged, first);
    this.last = changed.lastIndexOf(1);
  }

  run(): void {
    const { current: run, partner } = this;
    do {
      if (!run.isEmpty) this.place();
    } while (run.end <= this.last && run.next() && partner.next());
  }

  private place(): void {
    const { current: run, partner, items } = this;
    let length: number;
    let highest: number;
    let meeting: boolean;
    do {
      length = run.end - run.start;
      while (run.slideUp(items)) partner.previous();
      highest = run.end;
      meeting = !partner.isEmpty;
      while (run.slideDown(items)) {
        partner.next();
        if (!partner.isEmpty) meeting = true;
      }
    } while (run.end - run.start !== length);
    if (run.end === highest) return;
    if (meeting) {
      while (partner.isEmpty) this.up();
    } else if (this.indents) {
      const best = bestEnd(this.indents, run.end, highest, length);
      while (run.end > best) this.up();
    }
  }

  private up(): void {
    this.current.slideUp(this.items);
    this.partner.previous();
  }
}

/** The first change on either side: before it, elements pair up one by one. */
function firstChanged(a: Uint8Array, b: Uint8Array): number {
  const [x, y] = [a.indexOf(1), b.indexOf(1)];
  return x < 0 || y < 0 ? Math.max(x, y, 0) : Math.min(x, y);
}

/** The end, from `lowest` to `highest`, for which both edges of the run read best; the lowest if several are equal. */
function bestEnd(indents: Indents, lowest: number, highest: number, length: number): number {
  let best = lowest;
  let lowestCost: readonly [indent: number, penalty: number] | undefined;
  for (let end = Math.max(highest, lowest - length - 1, lowest - MAX_SLIDING); end <= lowest; end++) {
    const bottom = splitCost(indents, end);
    const top = splitCost(indents, end - length);
    const cost = [bottom[0] + top[0], bottom[1] + top[1]] as const;
    if (!lowestCost || compareCosts(cost, lowestCost) <= 0) {
      lowestCost = cost;
      best = end;
    }
  }
  return best;
}

/** Weight of deeper indents relative to penalties. */
const INDENT_WEIGHT = 60;

function compareCosts(a: readonly [number, number], b: readonly [number, number]): number {
  return INDENT_WEIGHT * Math.sign(a[0] - b[0]) + (a[1] - b[1]);
}
