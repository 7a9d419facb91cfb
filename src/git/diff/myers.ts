/**
 * Finds a short edit script between two sequences of integers: the linear-space algorithm of Myers ("An O(ND) Difference
 * Algorithm and Its Variations", 1986), which searches from both ends until the two meet, and divides there. Where that
 * costs too much it divides at the farthest point reached instead: the script gets a little longer, never wrong.
 */

export interface Edits {
  /** 1 for each element of the first sequence that goes. */
  readonly removed: Uint8Array;
  /** 1 for each element of the second sequence that comes. */
  readonly added: Uint8Array;
}

/** Rounds of a search before it settles for a division that is merely good; fewer where the sequences are huge. */
const MOST_ROUNDS = 256;
const LEAST_ROUNDS = 32;
/** Elements times rounds bounds the whole work, whatever the sequences are. */
const MOST_WORK = 30_000_000;

/**
 * @param a numbers below `alphabet`
 * @param b numbers below `alphabet`; equal numbers are equal elements
 */
export function editsBetween(a: Int32Array, b: Int32Array, alphabet: number): Edits {
  const removed = new Uint8Array(a.length);
  const added = new Uint8Array(b.length);
  let start = 0;
  let aEnd = a.length;
  let bEnd = b.length;
  while (start < aEnd && start < bEnd && a[start] === b[start]) start++;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  // What the other side lacks altogether can match nothing, and would only lengthen the search.
  const left = keepKnown(a, start, aEnd, presence(b, start, bEnd, alphabet), removed);
  const right = keepKnown(b, start, bEnd, presence(a, start, aEnd, alphabet), added);
  new Search(left, right, removed, added).run();
  return { removed, added };
}

interface Side {
  readonly items: Int32Array;
  /** Where each item stands in the whole sequence. */
  readonly places: Int32Array;
}

function presence(items: Int32Array, start: number, end: number, alphabet: number): Uint8Array {
  const present = new Uint8Array(alphabet);
  for (let i = start; i < end; i++) present[items[i]!] = 1;
  return present;
}

function keepKnown(items: Int32Array, start: number, end: number, known: Uint8Array, changed: Uint8Array): Side {
  const kept = new Int32Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let i = start; i < end; i++) {
    if (known[items[i]!] === 0) changed[i] = 1;
    else {
      kept[count] = items[i]!;
      places[count++] = i;
    }
  }
  return { items: kept.subarray(0, count), places };
}

class Search {
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  /** Farthest x on each diagonal x - y, from the start and from the end. */
  private readonly forward: Int32Array;
  private readonly backward: Int32Array;
  private readonly zero: number;
  private readonly maxRounds: number;
  private splitX = 0;
  private splitY = 0;

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
    this.maxRounds = Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, Math.floor(MOST_WORK / diagonals)));
  }

  run(): void {
    // Boxes still to be compared, four numbers each; a stack of our own cannot overflow.
    const boxes = [0, this.a.length, 0, this.b.length];
    while (boxes.length > 0) {
      let bEnd = boxes.pop()!;
      let bStart = boxes.pop()!;
      let aEnd = boxes.pop()!;
      let aStart = boxes.pop()!;
      while (aStart < aEnd && bStart < bEnd && this.a[aStart] === this.b[bStart]) {
        aStart++;
        bStart++;
      }
      while (aStart < aEnd && bStart < bEnd && this.a[aEnd - 1] === this.b[bEnd - 1]) {
        aEnd--;
        bEnd--;
      }
      if (aStart === aEnd) for (let y = bStart; y < bEnd; y++) this.added[this.right.places[y]!] = 1;
      else if (bStart === bEnd) for (let x = aStart; x < aEnd; x++) this.removed[this.left.places[x]!] = 1;
      else {
        this.divide(aStart, aEnd, bStart, bEnd);
        boxes.push(aStart, this.splitX, bStart, this.splitY, this.splitX, aEnd, this.splitY, bEnd);
      }
    }
  }

  /** Finds a point on a shortest path through the box, or one far along a good path. The box's ends differ. */
  private divide(aStart: number, aEnd: number, bStart: number, bEnd: number): void {
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
      // Beyond the band there is nothing: its edges are made unattractive before they are read.
      if (fLow > lowest) forward[zero + --fLow - 1] = -1;
      else fLow++;
      if (fHigh < highest) forward[zero + ++fHigh + 1] = -1;
      else fHigh--;
      for (let d = fHigh; d >= fLow; d -= 2) {
        const down = forward[zero + d + 1]!;
        const across = forward[zero + d - 1]! + 1;
        let x = Math.max(across, down);
        let y = x - d;
        while (x < aEnd && y < bEnd && a[x] === b[y]) {
          x++;
          y++;
        }
        forward[zero + d] = x;
        if (odd && d >= bLow && d <= bHigh && backward[zero + d]! <= x) {
          this.splitX = x;
          this.splitY = y;
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
        let x = Math.min(up, back);
        let y = x - d;
        while (x > aStart && y > bStart && a[x - 1] === b[y - 1]) {
          x--;
          y--;
        }
        backward[zero + d] = x;
        if (!odd && d >= fLow && d <= fHigh && x <= forward[zero + d]!) {
          this.splitX = x;
          this.splitY = y;
          return;
        }
      }
      if (round >= this.maxRounds) {
        this.settle(aStart, aEnd, bStart, bEnd, fLow, fHigh, bLow, bHigh);
        return;
      }
    }
  }

  /** Divides at the point, of either search, that has most of the box behind it. */
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
    let best = -1;
    for (let d = fHigh; d >= fLow; d -= 2) {
      const x = Math.min(this.forward[this.zero + d]!, aEnd);
      const y = Math.min(x - d, bEnd);
      const done = y + d - aStart + (y - bStart);
      if (y >= bStart && y + d >= aStart && done > best) {
        best = done;
        this.splitX = y + d;
        this.splitY = y;
      }
    }
    for (let d = bHigh; d >= bLow; d -= 2) {
      const x = Math.max(this.backward[this.zero + d]!, aStart);
      const y = Math.max(x - d, bStart);
      const done = aEnd - (y + d) + (bEnd - y);
      if (y <= bEnd && y + d <= aEnd && done > best) {
        best = done;
        this.splitX = y + d;
        this.splitY = y;
      }
    }
  }
}
