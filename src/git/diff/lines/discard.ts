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
const MOST_FREQUENT = 1024;
/** How far around a frequent element is looked. */
const WINDOW = 100;
/** Of the elements around a frequent one, this part at least must be lacking altogether for it to go. */
const KEPT_PART = 4;

const LACKING = 0;
const WANTED = 1;
const FREQUENT = 2;

/**
 * Chooses what is searched of two sequences of numbers below `alphabet`. What is neither common start or end nor chosen
 * is marked in `removed` and `added`.
 */
export function chooseSides(
  a: Int32Array,
  b: Int32Array,
  alphabet: number,
  removed: Uint8Array,
  added: Uint8Array,
): [Side, Side] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let aEnd = a.length;
  let bEnd = b.length;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  // Nothing to pair: all of the other side's rest is changed.
  if (aEnd === start || bEnd === start) {
    removed.fill(1, start, aEnd);
    added.fill(1, start, bEnd);
    return [NOTHING, NOTHING];
  }
  return [
    chosen(a, start, aEnd, countsOf(b, alphabet), frequency(a.length), removed),
    chosen(b, start, bEnd, countsOf(a, alphabet), frequency(b.length), added),
  ];
}

const NOTHING: Side = { items: new Int32Array(0), places: new Int32Array(0) };

/** A cheap stand-in for the square root: the least power of two above it, at times twice that. */
export function roughRoot(value: number): number {
  let root = 1;
  for (let left = value; left > 0; left >>>= 2) root *= 2;
  return root;
}

function frequency(count: number): number {
  return Math.min(roughRoot(count), MOST_FREQUENT);
}

function countsOf(items: Int32Array, alphabet: number): Int32Array {
  const counts = new Int32Array(alphabet);
  for (let i = 0; i < items.length; i++) counts[items[i]!]!++;
  return counts;
}

function chosen(
  items: Int32Array,
  start: number,
  end: number,
  counts: Int32Array,
  frequent: number,
  changed: Uint8Array,
): Side {
  const kinds = new Uint8Array(end - start);
  for (let i = start; i < end; i++) {
    const count = counts[items[i]!]!;
    kinds[i - start] = count === 0 ? LACKING : count >= frequent ? FREQUENT : WANTED;
  }
  const kept = new Int32Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let i = start; i < end; i++) {
    const kind = kinds[i - start]!;
    if (kind === LACKING || (kind === FREQUENT && isLost(kinds, i - start))) changed[i] = 1;
    else {
      kept[count] = items[i]!;
      places[count++] = i;
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
