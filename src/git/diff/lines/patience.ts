import type { Edits } from "./edits.ts";
import { editsBetween } from "./myers.ts";

/**
 * The patience algorithm: pair elements that are unique on both sides and in the same order, extend those pairs, and
 * continue between them. Where nothing is unique, it falls back to Myers' algorithm.
 */

/** Total elements examined before falling back to Myers' algorithm everywhere. */
const MAX_WORK = 200_000_000;
const ABSENT = -1;
const REPEATED = -2;

/**
 * @param a numbers below `alphabet`
 * @param b numbers below `alphabet`; equal numbers are equal elements
 * @param minimal whether the fallback to Myers' algorithm finds a shortest script
 */
export function patienceEdits(a: Int32Array, b: Int32Array, alphabet: number, minimal = false): Edits {
  const removed = new Uint8Array(a.length);
  const added = new Uint8Array(b.length);
  const search = new Patience(a, b, alphabet);
  const boxes: number[] = [];
  /** Trims equal elements at the start; before an anchor, also at the end. */
  const put = (aStart: number, aEnd: number, bStart: number, bEnd: number) => {
    let x = aStart;
    let y = bStart;
    while (x < aEnd && y < bEnd && a[x] === b[y]) {
      x++;
      y++;
    }
    if (x < aEnd || y < bEnd) boxes.push(x, aEnd, y, bEnd);
  };
  if (a.length > 0 || b.length > 0) boxes.push(0, a.length, 0, b.length);
  while (boxes.length > 0) {
    const bEnd = boxes.pop()!;
    const bStart = boxes.pop()!;
    const aEnd = boxes.pop()!;
    const aStart = boxes.pop()!;
    const found = aStart < aEnd && bStart < bEnd ? search.anchors(aStart, aEnd, bStart, bEnd) : "nothing";
    if (found === "nothing") {
      removed.fill(1, aStart, aEnd);
      added.fill(1, bStart, bEnd);
    } else if (found === "repeated") {
      const edits = editsBetween(a.subarray(aStart, aEnd), b.subarray(bStart, bEnd), alphabet, minimal);
      removed.set(edits.removed, aStart);
      added.set(edits.added, bStart);
    } else {
      let x = aStart;
      let y = bStart;
      for (let i = 0; i < found.length; i += 2) {
        const anchorX = found[i]!;
        const anchorY = found[i + 1]!;
        // Adjacent anchors form one run.
        if (i > 0 && anchorX === x && anchorY === y) {
          x++;
          y++;
          continue;
        }
        let xEnd = anchorX;
        let yEnd = anchorY;
        while (xEnd > x && yEnd > y && a[xEnd - 1] === b[yEnd - 1]) {
          xEnd--;
          yEnd--;
        }
        put(x, xEnd, y, yEnd);
        x = anchorX + 1;
        y = anchorY + 1;
      }
      put(x, aEnd, y, bEnd);
    }
  }
  return { removed, added };
}

class Patience {
  /** For each element: its position in the parts of `a` and `b` under examination. */
  private readonly inA: Int32Array;
  private readonly inB: Int32Array;
  private workLeft = MAX_WORK;

  constructor(
    private readonly a: Int32Array,
    private readonly b: Int32Array,
    alphabet: number,
  ) {
    this.inA = new Int32Array(alphabet).fill(ABSENT);
    this.inB = new Int32Array(alphabet).fill(ABSENT);
  }

  /** Positions in `a` and `b`, alternating; "nothing" if nothing is common, "repeated" if nothing common is unique. */
  anchors(aStart: number, aEnd: number, bStart: number, bEnd: number): number[] | "nothing" | "repeated" {
    const { a, b, inA, inB } = this;
    this.workLeft -= aEnd - aStart + bEnd - bStart;
    if (this.workLeft < 0) return "repeated";
    for (let i = aStart; i < aEnd; i++) inA[a[i]!] = inA[a[i]!] === ABSENT ? i : REPEATED;
    let common = false;
    for (let i = bStart; i < bEnd; i++) {
      if (inA[b[i]!] !== ABSENT) common = true;
      inB[b[i]!] = inB[b[i]!] === ABSENT ? i : REPEATED;
    }
    const found = common ? this.longestRising(aStart, aEnd) : "nothing";
    for (let i = aStart; i < aEnd; i++) inA[a[i]!] = ABSENT;
    for (let i = bStart; i < bEnd; i++) inB[b[i]!] = ABSENT;
    return found;
  }

  /** Of the pairs of unique elements, in the order of `a`, a longest subsequence that is also in the order of `b`. */
  private longestRising(aStart: number, aEnd: number): number[] | "repeated" {
    const { a, inA, inB } = this;
    // piles[i]: the position in `a` where the best sequence of i + 1 pairs ends; before: the pair it continues.
    const piles: number[] = [];
    const before = new Int32Array(aEnd - aStart);
    for (let x = aStart; x < aEnd; x++) {
      const y = inB[a[x]!]!;
      if (inA[a[x]!]! < 0 || y < 0) continue;
      let low = 0;
      let high = piles.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (inB[a[piles[middle]!]!]! > y) high = middle;
        else low = middle + 1;
      }
      before[x - aStart] = low === 0 ? -1 : piles[low - 1]!;
      piles[low] = x;
    }
    if (piles.length === 0) return "repeated";
    const found: number[] = [];
    for (let x = piles.at(-1)!; x >= 0; x = before[x - aStart]!) found.push(inB[a[x]!]!, x);
    return found.reverse();
  }
}
