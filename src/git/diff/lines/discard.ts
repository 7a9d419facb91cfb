/**
 * What the search for an edit script is spared: the common start and end, lines the other side lacks altogether, and
 * lines that are so frequent on the other side that they say nothing, where they stand among such lines. The numbers
 * are git's: what is left decides which of several shortest scripts is found.
 */

/** What of a sequence is searched: its elements, and where each stands in the whole sequence. */
export interface Side {
  readonly items: Int32Array;
  readonly places: Int32Array;
}

/** An element that appears so often on the other side is frequent, whatever the length. */
const MAX_FREQUENT = 1024;
/** How far around a frequent element is looked. */
const WINDOW = 100;
/** Of the elements around a frequent one, this part at least must be lacking altogether for it to go. */
const KEPT_PART = 4;

const LACKING = 0;
const WANTED = 1;
const FREQUENT = 2;

/** Two sequences without what they have in common at their start and end. */
export interface Middles {
  /** Numbers below the length of the counts. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** How many elements both have in common before them. */
  readonly start: number;
  /** Elements of the whole sequences. */
  readonly aTotal: number;
  readonly bTotal: number;
  /** How often each number is in the whole sequences. */
  readonly aCounts: Int32Array;
  readonly bCounts: Int32Array;
  /** None of the one is among the other: then counts do not matter. */
  readonly apart?: boolean;
}

/** Takes off what two sequences of numbers below `alphabet` have in common at their start and end. */
export function middlesOf(a: Int32Array, b: Int32Array, alphabet: number): Middles {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let aEnd = a.length;
  let bEnd = b.length;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  return {
    a: a.subarray(start, aEnd),
    b: b.subarray(start, bEnd),
    start,
    aTotal: a.length,
    bTotal: b.length,
    aCounts: countsOf(a, alphabet),
    bCounts: countsOf(b, alphabet),
  };
}

/** Chooses what is searched of two sequences. What is not chosen is marked in `removed` and `added`. */
export function chooseSides(middles: Middles, removed: Uint8Array, added: Uint8Array): [Side, Side] {
  const { a, b, start, aTotal, bTotal, aCounts, bCounts } = middles;
  return [chosen(a, start, bCounts, frequency(aTotal), removed), chosen(b, start, aCounts, frequency(bTotal), added)];
}

/** A cheap stand-in for the square root: the least power of two above it, at times twice that. */
export function roughRoot(value: number): number {
  let root = 1;
  for (let left = value; left > 0; left >>>= 2) root *= 2;
  return root;
}

function frequency(count: number): number {
  return Math.min(roughRoot(count), MAX_FREQUENT);
}

/** How often each number below `alphabet` is among the items. */
export function countsOf(items: Int32Array, alphabet: number): Int32Array {
  const counts = new Int32Array(alphabet);
  for (let i = 0; i < items.length; i++) counts[items[i]!]!++;
  return counts;
}

/** @param start where the items stand in the whole sequence */
function chosen(items: Int32Array, start: number, counts: Int32Array, frequent: number, changed: Uint8Array): Side {
  const size = items.length;
  const kinds = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    const count = counts[items[i]!]!;
    kinds[i] = count === 0 ? LACKING : count >= frequent ? FREQUENT : WANTED;
  }
  const kept = new Int32Array(size);
  const places = new Int32Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    const kind = kinds[i]!;
    if (kind === LACKING || (kind === FREQUENT && isLost(kinds, i))) changed[start + i] = 1;
    else {
      kept[count] = items[i]!;
      places[count++] = start + i;
    }
  }
  return { items: kept.subarray(0, count), places: places.subarray(0, count) };
}

/** Whether a frequent element stands among enough lacking ones, on both sides, to be given up with them. */
function isLost(kinds: Uint8Array, at: number): boolean {
  const first = Math.max(0, at - WINDOW);
  const last = Math.min(kinds.length - 1, at + WINDOW);
  let lacking = 0;
  let frequent = 0;
  for (let i = at - 1; i >= first && kinds[i] !== WANTED; i--) {
    if (kinds[i] === LACKING) lacking++;
    else frequent++;
  }
  if (lacking === 0) return false;
  const before = lacking;
  for (let i = at + 1; i <= last && kinds[i] !== WANTED; i++) {
    if (kinds[i] === LACKING) lacking++;
    else frequent++;
  }
  if (lacking === before) return false;
  // The element itself counts once on either side.
  frequent += 2;
  return frequent * KEPT_PART < frequent + lacking;
}
