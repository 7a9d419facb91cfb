/**
 * Excludes from the search for an edit script: the common start and end, lines the other side lacks altogether, and
 * lines too frequent on the other side to be meaningful, if they are among lines it lacks. The thresholds are git's, as
 * they determine which of several shortest scripts is found.
 */

/** The part of a sequence that is searched: its elements, and the position of each in the whole sequence. */
export interface Side {
  readonly items: Int32Array;
  readonly places: Int32Array;
}

/** An element that occurs this often on the other side is frequent, however long the sequence. */
const MAX_FREQUENT = 1024;
/** How far around a frequent element to look. */
const WINDOW = 100;
/** A frequent element is dropped if fewer than one in this many of the elements around it are frequent too. */
const KEPT_PART = 4;

const LACKING = 0;
const WANTED = 1;
const FREQUENT = 2;

/** Two sequences without their common start and end. */
export interface Middles {
  /** Numbers below the length of the counts. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** Number of common elements before them. */
  readonly start: number;
  /** Lengths of the whole sequences. */
  readonly aTotal: number;
  readonly bTotal: number;
  /** How often each number occurs in the whole sequences. */
  readonly aCounts: Int32Array;
  readonly bCounts: Int32Array;
  /** Whether they have no elements in common: then counts do not matter. */
  readonly apart?: boolean;
}

/** Trims the common start and end of two sequences of numbers below `alphabet`. */
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

/** Chooses which elements of two sequences to search. The others are marked in `removed` and `added`. */
export function chooseSides(middles: Middles, removed: Uint8Array, added: Uint8Array): [Side, Side] {
  const { a, b, start, aTotal, bTotal, aCounts, bCounts } = middles;
  return [chosen(a, start, bCounts, frequency(aTotal), removed), chosen(b, start, aCounts, frequency(bTotal), added)];
}

/** A cheap approximation of the square root: the next power of two above it, sometimes twice that. */
export function roughRoot(value: number): number {
  let root = 1;
  for (let left = value; left > 0; left >>>= 2) root *= 2;
  return root;
}

function frequency(count: number): number {
  return Math.min(roughRoot(count), MAX_FREQUENT);
}

/** How often each number below `alphabet` occurs in the items. */
export function countsOf(items: Int32Array, alphabet: number): Int32Array {
  const counts = new Int32Array(alphabet);
  for (let i = 0; i < items.length; i++) counts[items[i]!]!++;
  return counts;
}

/** @param start position of the items in the whole sequence */
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

/** Whether a frequent element has enough lacking ones on both sides to be dropped with them. */
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
  // The element itself counts once for each side.
  frequent += 2;
  return frequent * KEPT_PART < frequent + lacking;
}
