import type { ObjectFormat } from "../objects/format.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode } from "../objects/tree.ts";
import { type FoundEntry, readTree, TreeCursor } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";

/** A stored tree and where each entry begins, followed by where the last one ends. */
interface State {
  readonly format: ObjectFormat;
  readonly data: Buffer;
  readonly starts: Uint32Array;
}

/** Number of cached states: enough for both ends of the lines of history that a walk follows at a time. */
const MAX_CACHED_STATES = 128;

/**
 * One directory at many commits. Two states of a directory of a thousand entries differ in only a few: equal stretches
 * are found by `memcmp`, without decoding anything in them.
 */
export class DirectoryStates {
  /** The listing's entries, in tree order. */
  readonly names: string[] = [];
  private readonly places = new Map<string, number>();
  private readonly cached = new Map<Oid, State>();

  /** @param listing the directory whose entries are of interest; if it is undefined or a file, there are none */
  constructor(
    private readonly store: ObjectSource,
    listing: FoundEntry | undefined,
  ) {
    if (!listing || !isTreeMode(listing.mode)) return;
    const { data, starts } = this.state(listing.oid);
    for (let i = 0; i + 1 < starts.length; i++) {
      const { start, end } = nameRange({ data, starts, format: store.format }, i);
      this.places.set(data.toString("latin1", start, end), i);
      this.names.push(decodeName(data, start, end));
    }
  }

  /**
   * Splits entries, which are at `from` as in the listing, into those that are the same at `to` and the rest. Entries
   * are indexes of `names`, ascending.
   * @throws CorruptObject when a tree is missing or malformed
   */
  split(from: FoundEntry, to: FoundEntry | undefined, entries: number[]): { same: number[]; other: number[] } {
    if (!to || !isTreeMode(to.mode)) return { same: [], other: entries };
    if (from.oid === to.oid) return { same: entries, other: [] };
    const changed: number[] = [];
    const state = this.state(from.oid);
    const next = compareStates(state, dataOf(this.store, to.oid), (name) => {
      const place = this.places.get(name);
      if (place !== undefined && includes(entries, place)) changed.push(place);
    });
    this.keep(to.oid, next);
    if (changed.length === 0) return { same: entries, other: [] };
    const gone = new Set(changed);
    return { same: entries.filter((entry) => !gone.has(entry)), other: changed };
  }

  private state(tree: Oid): State {
    const cached = this.cached.get(tree);
    if (cached) {
      this.cached.delete(tree);
      this.cached.set(tree, cached);
      return cached;
    }
    const data = dataOf(this.store, tree);
    const { format } = this.store;
    const cursor = new TreeCursor(data, format);
    const starts = [0];
    while (cursor.next()) starts.push(cursor.oidStart + format.oidBytes);
    const state = { format, data, starts: Uint32Array.from(starts) };
    this.keep(tree, state);
    return state;
  }

  private keep(tree: Oid, state: State): void {
    this.cached.set(tree, state);
    if (this.cached.size <= MAX_CACHED_STATES) return;
    for (const oldest of this.cached.keys()) {
      this.cached.delete(oldest);
      break;
    }
  }
}

function dataOf(store: ObjectSource, tree: Oid): Buffer {
  const data = readTree(store, tree);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Reports the entries of `a` that are missing or different in `data`; returns where the entries of `data` begin. */
function compareStates(a: State, data: Buffer, changed: (latin1Name: string) => void): State {
  // An entry has at least 23 bytes.
  const starts = new Uint32Array(Math.floor(data.length / 23) + 2);
  let count = 0;
  let i = 0;
  let at = 0;
  const last = a.starts.length - 1;
  while (at < data.length || i < last) {
    const from = a.starts[i]!;
    const next = entryAfter(a.starts, i, from + commonLength(a.data, from, data, at));
    for (; i < next; i++) starts[count++] = a.starts[i]! - from + at;
    at += a.starts[i]! - from;
    if (at >= data.length) {
      for (; i < last; i++) report(a, i, changed);
      break;
    }
    const end = entryEnd(data, at, a.format);
    const order = i < last ? compareEntries(a, i, data, at, end) : 1;
    if (order <= 0) report(a, i++, changed);
    if (order >= 0) {
      starts[count++] = at;
      at = end;
    }
  }
  starts[count++] = data.length;
  return { format: a.format, data, starts: starts.subarray(0, count) };
}

function report(state: State, entry: number, changed: (latin1Name: string) => void): void {
  const { start, end } = nameRange(state, entry);
  changed(state.data.toString("latin1", start, end));
}

function nameRange({ data, starts, format }: State, entry: number): { start: number; end: number } {
  return { start: data.indexOf(0x20, starts[entry]!) + 1, end: starts[entry + 1]! - format.oidBytes - 1 };
}

/** The first entry that does not end at or before `offset`. */
function entryAfter(starts: Uint32Array, from: number, offset: number): number {
  let low = from;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function entryEnd(data: Buffer, start: number, format: ObjectFormat): number {
  const zero = data.indexOf(0, start);
  const cursor = zero < 0 ? undefined : new TreeCursor(data.subarray(start, zero + 1 + format.oidBytes), format);
  // The cursor throws if the bytes are not a valid entry.
  if (!cursor?.next()) return data.length;
  return start + cursor.oidStart + format.oidBytes;
}

/** Compares two entries in tree order. */
function compareEntries(a: State, entry: number, data: Buffer, start: number, end: number): number {
  const left = new TreeCursor(a.data.subarray(a.starts[entry]!, a.starts[entry + 1]!), a.format);
  const right = new TreeCursor(data.subarray(start, end), a.format);
  left.next();
  right.next();
  return left.compare(right);
}

const FIRST_STEP = 256;
const MAX_STEP = 16 * 1024;

/** Number of equal bytes from `x` in `a` and `y` in `b`. */
function commonLength(a: Buffer, x: number, b: Buffer, y: number): number {
  const max = Math.min(a.length - x, b.length - y);
  let done = 0;
  let step = FIRST_STEP;
  while (done < max) {
    const size = Math.min(step, max - done);
    if (a.compare(b, y + done, y + done + size, x + done, x + done + size) === 0) {
      done += size;
      step = Math.min(step * 2, MAX_STEP);
    } else if (size > 32) step = size >> 1;
    else {
      while (done < max && a[x + done] === b[y + done]) done++;
      return done;
    }
  }
  return done;
}

function includes(sorted: readonly number[], wanted: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
