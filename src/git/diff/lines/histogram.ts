import type { Edits } from "./edits.ts";
import { editsBetween } from "./myers.ts";

/**
 * The histogram algorithm: split at the longest common run whose rarest element is rarest in the first sequence, then
 * continue before and after it. Where every common element is frequent, it falls back to Myers' algorithm. Ties are
 * resolved as in git.
 */

/** A run whose rarest element occurs more often than this is not used. */
const MAX_OCCURRENCES = 64;
/** Total elements examined before falling back to Myers' algorithm everywhere: bounds the cost of hostile input. */
const MAX_WORK = 200_000_000;

interface Common {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/**
 * @param a numbers below `alphabet`
 * @param b numbers below `alphabet`; equal numbers are equal elements
 * @param minimal whether the fallback to Myers' algorithm finds a shortest script
 */
export function histogramEdits(a: Int32Array, b: Int32Array, alphabet: number, minimal = false): Edits {
  const removed = new Uint8Array(a.length);
  const added = new Uint8Array(b.length);
  const search = new Histogram(a, b, alphabet);
  // Boxes still to be compared; an explicit stack cannot overflow.
  const boxes = [0, a.length, 0, b.length];
  while (boxes.length > 0) {
    const bEnd = boxes.pop()!;
    const bStart = boxes.pop()!;
    const aEnd = boxes.pop()!;
    const aStart = boxes.pop()!;
    const found = aStart < aEnd && bStart < bEnd ? search.longestRare(aStart, aEnd, bStart, bEnd) : "nothing";
    if (found === "nothing") {
      removed.fill(1, aStart, aEnd);
      added.fill(1, bStart, bEnd);
    } else if (found === "frequent") {
      const edits = editsBetween(a.subarray(aStart, aEnd), b.subarray(bStart, bEnd), alphabet, minimal);
      removed.set(edits.removed, aStart);
      added.set(edits.added, bStart);
    } else {
      boxes.push(aStart, found.aStart, bStart, found.bStart, found.aEnd, aEnd, found.bEnd, bEnd);
    }
  }
  return { removed, added };
}

class Histogram {
  /** For each element: its count and first position in the part of `a` under examination. */
  private readonly counts: Int32Array;
  private readonly firsts: Int32Array;
  /** For each position in `a`: the next one with the same element, or -1. */
  private readonly nexts: Int32Array;
  private workLeft = MAX_WORK;

  constructor(
    private readonly a: Int32Array,
    private readonly b: Int32Array,
    alphabet: number,
  ) {
    this.counts = new Int32Array(alphabet);
    this.firsts = new Int32Array(alphabet);
    this.nexts = new Int32Array(a.length);
  }

  /** The run to split at; "nothing" if nothing is common, "frequent" if everything common is too frequent. */
  longestRare(aStart: number, aEnd: number, bStart: number, bEnd: number): Common | "nothing" | "frequent" {
    this.workLeft -= aEnd - aStart + bEnd - bStart;
    if (this.workLeft < 0) return "frequent";
    this.count(aStart, aEnd);
    const found = this.search(aStart, aEnd, bStart, bEnd);
    for (let i = aStart; i < aEnd; i++) this.counts[this.a[i]!] = 0;
    return found;
  }

  private count(start: number, end: number): void {
    const { a, counts, firsts, nexts } = this;
    for (let i = end - 1; i >= start; i--) {
      const item = a[i]!;
      nexts[i] = counts[item]!++ === 0 ? -1 : firsts[item]!;
      firsts[item] = i;
    }
  }

  private search(aStart: number, aEnd: number, bStart: number, bEnd: number): Common | "nothing" | "frequent" {
    const { a, b, counts, firsts, nexts } = this;
    let best: Common | undefined;
    // The first run qualifies by being rare enough, even if it is a single element.
    let bestLength = 1;
    let rarest = MAX_OCCURRENCES + 1;
    let common = false;
    for (let at = bStart; at < bEnd; ) {
      const count = counts[b[at]!]!;
      let resume = at + 1;
      if (count > 0) common = true;
      if (count > 0 && count <= rarest) {
        for (let place = firsts[b[at]!]!; place >= 0; ) {
          let x = place;
          let y = at;
          let xEnd = place + 1;
          let yEnd = at + 1;
          let rare = count;
          while (x > aStart && y > bStart && a[x - 1] === b[y - 1]) {
            x--;
            y--;
            if (rare > 1) rare = Math.min(rare, counts[a[x]!]!);
          }
          while (xEnd < aEnd && yEnd < bEnd && a[xEnd] === b[yEnd]) {
            if (rare > 1) rare = Math.min(rare, counts[a[xEnd]!]!);
            xEnd++;
            yEnd++;
          }
          this.workLeft -= xEnd - x;
          if (this.workLeft < 0) return "frequent";
          if (yEnd > resume) resume = yEnd;
          if (xEnd - x > bestLength || rare < rarest) {
            best = { aStart: x, aEnd: xEnd, bStart: y, bEnd: yEnd };
            bestLength = xEnd - x;
            rarest = rare;
          }
          do place = nexts[place]!;
          while (place >= 0 && place < xEnd);
        }
      }
      at = resume;
    }
    if (common && rarest > MAX_OCCURRENCES) return "frequent";
    return best ?? "nothing";
  }
}
