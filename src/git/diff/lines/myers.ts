import { chooseSides, type Middles, middlesOf, roughRoot, type Side } from "./discard.ts";
import type { Edits } from "./edits.ts";

/**
 * Finds a short edit script between two sequences of integers with the linear-space algorithm of Myers ("An O(ND)
 * Difference Algorithm and Its Variations", 1986), which searches from both ends until they meet, and splits there.
 * Where that gets too expensive it splits at a good point before they meet: the script gets a little longer, never
 * wrong. The order of the search and its thresholds are git's, so that of several scripts the same one is found.
 */

/** Searches with fewer rounds are never cut short. */
const MIN_COST = 256;
/** From this round on, a long enough run of equal elements triggers a search for a good place to split. */
const PATIENT_ROUNDS = 256;
const LONG_SNAKE = 20;
/** A place is good if its progress is this many times the number of rounds spent. */
const GOOD_PROGRESS = 4;
/** Total steps after which every search is cut short early, so that hostile input cannot cost minutes. */
const MAX_STEPS = 400_000_000;
const HASTY_ROUNDS = 32;

/**
 * @param a numbers below `alphabet`
 * @param b numbers below `alphabet`; equal numbers are equal elements
 * @param minimal never split early: finds a shortest script for what `chooseSides` left
 */
export function editsBetween(a: Int32Array, b: Int32Array, alphabet: number, minimal = false): Edits {
  return editsOfMiddles(middlesOf(a, b, alphabet), minimal);
}

/** The same for sequences whose common ends are already trimmed. */
export function editsOfMiddles(middles: Middles, minimal = false): Edits {
  const { a, b, start } = middles;
  const removed = new Uint8Array(middles.aTotal);
  const added = new Uint8Array(middles.bTotal);
  if (a.length === 0 || b.length === 0 || middles.apart) {
    // Nothing to pair: everything left is changed.
    removed.fill(1, start, start + a.length);
    added.fill(1, start, start + b.length);
    return { removed, added };
  }
  const [left, right] = chooseSides(middles, removed, added);
  new Search(left, right, removed, added).run(minimal);
  return { removed, added };
}

class Search {
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  /** Farthest x on each diagonal x - y, from the start and from the end. */
  private readonly forward: Int32Array;
  private readonly backward: Int32Array;
  private readonly zero: number;
  private readonly maxRounds: number;
  private steps = 0;
  private splitX = 0;
  private splitY = 0;
  /** Whether the boxes before and after the split must be searched exhaustively. */
  private lowMinimal = false;
  private highMinimal = false;

  constructor(
    private readonly left: Side,
    private readonly right: Side,
    private readonly removed: Uint8Array,
    private readonly added: Uint8Array,
  ) {
    this.a = left.items;
    this.b = right.items;
    const diagonals = this.a.length + this.b.length + 3;
    this.forward = new Int32Array(diagonals);
    this.backward = new Int32Array(diagonals);
    this.zero = this.b.length + 1;
    this.maxRounds = Math.max(MIN_COST, roughRoot(diagonals));
  }

  run(minimal: boolean): void {
    const { a, b, left, right, removed, added } = this;
    // Boxes still to be compared, five numbers each; an explicit stack cannot overflow.
    const boxes = [0, a.length, 0, b.length, minimal ? 1 : 0];
    while (boxes.length > 0) {
      const whole = boxes.pop() === 1;
      let bEnd = boxes.pop()!;
      let bStart = boxes.pop()!;
      let aEnd = boxes.pop()!;
      let aStart = boxes.pop()!;
      while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
        aStart++;
        bStart++;
      }
      while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
        aEnd--;
        bEnd--;
      }
      if (aStart === aEnd) for (let y = bStart; y < bEnd; y++) added[right.places[y]!] = 1;
      else if (bStart === bEnd) for (let x = aStart; x < aEnd; x++) removed[left.places[x]!] = 1;
      else {
        this.divide(aStart, aEnd, bStart, bEnd, whole);
        const { splitX, splitY } = this;
        boxes.push(splitX, aEnd, splitY, bEnd, this.highMinimal ? 1 : 0);
        boxes.push(aStart, splitX, bStart, splitY, this.lowMinimal ? 1 : 0);
      }
    }
  }

  /** Finds a point on a shortest path through the box, or one far along a good path. The box's ends must differ. */
  private divide(aStart: number, aEnd: number, bStart: number, bEnd: number, whole: boolean): void {
    const { a, b, forward, backward, zero } = this;
    const lowest = aStart - bEnd;
    const highest = aEnd - bStart;
    const first = aStart - bStart;
    const last = aEnd - bEnd;
    const odd = ((first - last) & 1) !== 0;
    let fLow = first;
    let fHigh = first;
    let bLow = last;
    let bHigh = last;
    forward[zero + first] = aStart;
    backward[zero + last] = aEnd;
    for (let round = 1; ; round++) {
      let longSnake = false;
      // Outside the band there are no values: its edges get ones that are never chosen.
      if (fLow > lowest) forward[zero + --fLow - 1] = -1;
      else fLow++;
      if (fHigh < highest) forward[zero + ++fHigh + 1] = -1;
      else fHigh--;
      for (let d = fHigh; d >= fLow; d -= 2) {
        const across = forward[zero + d - 1]! + 1;
        const down = forward[zero + d + 1]!;
        const begin = across > down ? across : down;
        let x = begin;
        let y = x - d;
        while (x < aEnd && y < bEnd && a[x] === b[y]) {
          x++;
          y++;
        }
        if (x - begin > LONG_SNAKE) longSnake = true;
        forward[zero + d] = x;
        if (odd && d >= bLow && d <= bHigh && backward[zero + d]! <= x) {
          this.split(x, y, true, true);
          return;
        }
      }
      if (bLow > lowest) backward[zero + --bLow - 1] = 0x7fffffff;
      else bLow++;
      if (bHigh < highest) backward[zero + ++bHigh + 1] = 0x7fffffff;
      else bHigh--;
      for (let d = bHigh; d >= bLow; d -= 2) {
        const up = backward[zero + d - 1]!;
        const back = backward[zero + d + 1]! - 1;
        const begin = up <= back ? up : back;
        let x = begin;
        let y = x - d;
        while (x > aStart && y > bStart && a[x - 1] === b[y - 1]) {
          x--;
          y--;
        }
        if (begin - x > LONG_SNAKE) longSnake = true;
        backward[zero + d] = x;
        if (!odd && d >= fLow && d <= fHigh && x <= forward[zero + d]!) {
          this.split(x, y, true, true);
          return;
        }
      }
      this.steps += fHigh - fLow + bHigh - bLow;
      const hasty = this.steps > MAX_STEPS && round >= HASTY_ROUNDS;
      if (whole && !hasty) continue;
      if (longSnake && round > PATIENT_ROUNDS) {
        if (this.goodForward(aStart, aEnd, bStart, bEnd, fLow, fHigh, first, round)) return;
        if (this.goodBackward(aStart, aEnd, bStart, bEnd, bLow, bHigh, last, round)) return;
      }
      if (round >= this.maxRounds || hasty) {
        this.settle(aStart, aEnd, bStart, bEnd, fLow, fHigh, bLow, bHigh);
        return;
      }
    }
  }

  private split(x: number, y: number, lowMinimal: boolean, highMinimal: boolean): void {
    this.splitX = x;
    this.splitY = y;
    this.lowMinimal = lowMinimal;
    this.highMinimal = highMinimal;
  }

  /** Splits where the forward search has made good progress and ends in a long run of equal elements. */
  private goodForward(
    aStart: number,
    aEnd: number,
    bStart: number,
    bEnd: number,
    low: number,
    high: number,
    middle: number,
    round: number,
  ): boolean {
    const { a, b } = this;
    let best = 0;
    for (let d = high; d >= low; d -= 2) {
      const x = this.forward[this.zero + d]!;
      const y = x - d;
      const progress = x - aStart + (y - bStart) - Math.abs(d - middle);
      if (progress <= GOOD_PROGRESS * round || progress <= best) continue;
      if (x < aStart + LONG_SNAKE || x >= aEnd || y < bStart + LONG_SNAKE || y >= bEnd) continue;
      let run = 1;
      while (run <= LONG_SNAKE && a[x - run] === b[y - run]) run++;
      if (run <= LONG_SNAKE) continue;
      best = progress;
      this.split(x, y, true, false);
    }
    return best > 0;
  }

  private goodBackward(
    aStart: number,
    aEnd: number,
    bStart: number,
    bEnd: number,
    low: number,
    high: number,
    middle: number,
    round: number,
  ): boolean {
    const { a, b } = this;
    let best = 0;
    for (let d = high; d >= low; d -= 2) {
      const x = this.backward[this.zero + d]!;
      const y = x - d;
      const progress = aEnd - x + (bEnd - y) - Math.abs(d - middle);
      if (progress <= GOOD_PROGRESS * round || progress <= best) continue;
      if (x <= aStart || x > aEnd - LONG_SNAKE || y <= bStart || y > bEnd - LONG_SNAKE) continue;
      let run = 0;
      while (run < LONG_SNAKE && a[x + run] === b[y + run]) run++;
      if (run < LONG_SNAKE) continue;
      best = progress;
      this.split(x, y, false, true);
    }
    return best > 0;
  }

  /** Splits at the point of either search that has covered the most of the box. */
  private settle(
    aStart: number,
    aEnd: number,
    bStart: number,
    bEnd: number,
    fLow: number,
    fHigh: number,
    bLow: number,
    bHigh: number,
  ): void {
    let farSum = -1;
    let farX = -1;
    for (let d = fHigh; d >= fLow; d -= 2) {
      let x = Math.min(this.forward[this.zero + d]!, aEnd);
      let y = x - d;
      if (y > bEnd) {
        x = bEnd + d;
        y = bEnd;
      }
      if (x + y > farSum) {
        farSum = x + y;
        farX = x;
      }
    }
    let nearSum = 0x7fffffff;
    let nearX = 0x7fffffff;
    for (let d = bHigh; d >= bLow; d -= 2) {
      let x = Math.max(this.backward[this.zero + d]!, aStart);
      let y = x - d;
      if (y < bStart) {
        x = bStart + d;
        y = bStart;
      }
      if (x + y < nearSum) {
        nearSum = x + y;
        nearX = x;
      }
    }
    if (aEnd + bEnd - nearSum < farSum - (aStart + bStart)) this.split(farX, farSum - farX, true, false);
    else this.split(nearX, nearSum - nearX, false, true);
  }
}
