import type { Text } from "./text.ts";

const NOTHING = new Int32Array(0);
const NO_SAMPLES = new Uint8Array(0);
/** Slots retained for the next texts: 1.25 MiB with everything that belongs to them. */
const KEPT_SLOTS = 128 * 1024;

/**
 * Assigns numbers to lines, the same number to equal lines, in order of first appearance across all texts added. A
 * custom hash table: most lines occur once, and a Map would need a string for each.
 */
export class Interner {
  /** Number of different lines so far. */
  size = 0;
  /** Each slot holds a line's number plus 1, or 0 if free. The first `mask` + 1, a power of two, are in use. */
  private slots = NOTHING;
  private mask = 0;
  private hashes = NOTHING;
  /** For each number, the text and line where it first appeared. */
  private owners = NOTHING;
  private lines = NOTHING;
  private readonly texts: Text[] = [];
  /** The samples of all numbered lines. */
  private sampled = NO_SAMPLES;

  /** @param expected total number of different lines expected; exceeding it only costs a resize */
  constructor(expected = 64) {
    this.restart(expected);
  }

  /** Resets it to a new state, reusing its memory. */
  restart(expected: number): void {
    this.size = 0;
    this.texts.length = 0;
    let slots = 64;
    while (slots < expected * 2) slots *= 2;
    this.clearSlots(slots);
  }

  /** Releases the texts, and any memory beyond what most texts need. */
  forget(): void {
    if (this.slots.length > KEPT_SLOTS) this.slots = this.hashes = this.owners = this.lines = NOTHING;
    this.restart(0);
  }

  /** Returns the numbers of a text's lines, or of those from `first` to `last` (exclusive). */
  add(text: Text, first = 0, last = text.count): Int32Array {
    const { starts } = text;
    const owner = this.texts.push(text) - 1;
    const result = new Int32Array(last - first);
    for (let i = first; i < last; i++) {
      const start = starts[i]!;
      const end = starts[i + 1]!;
      result[i - first] = this.numberOf(hashOf(text, start, end), text, start, end, owner, i);
    }
    return result;
  }

  /**
   * Like `add`, for a text similar to the one added last, whose lines from `otherFirst` on got `numbers`: consecutive
   * lines are compared directly, and looked up only where the texts diverge.
   */
  addAlike(text: Text, first: number, last: number, otherFirst: number, numbers: Int32Array): Int32Array {
    const { starts } = text;
    const like = this.texts.length - 1;
    const other = this.texts[like]!;
    const owner = this.texts.push(text) - 1;
    const otherLast = otherFirst + numbers.length;
    const result = new Int32Array(last - first);
    let next = otherFirst;
    for (let i = first; i < last; i++) {
      const start = starts[i]!;
      const end = starts[i + 1]!;
      if (next < otherLast && sameBytes(other, other.starts[next]!, other.starts[next + 1]!, text, start, end)) {
        result[i - first] = numbers[next++ - otherFirst]!;
        continue;
      }
      const number = this.numberOf(hashOf(text, start, end), text, start, end, owner, i);
      result[i - first] = number;
      const line = this.lines[number]!;
      if (this.owners[number] === like && line >= next) next = line + 1;
    }
    return result;
  }

  /** Counts how often each line added so far occurs in lines `first` to `last` (exclusive) of a text. */
  countIn(text: Text, first: number, last: number, counts: Int32Array): void {
    const { data, starts } = text;
    const samples = this.samples();
    for (let i = first; i < last; i++) {
      const start = starts[i]!;
      const end = starts[i + 1]!;
      // Most lines are unknown, which a few of their bytes reveal.
      if (samples[sampleOf(data, start, end)] === 0) continue;
      const number = this.find(hashOf(text, start, end), text, start, end);
      if (number >= 0) counts[number]!++;
    }
  }

  private samples(): Uint8Array {
    if (this.sampled === NO_SAMPLES) this.sampled = new Uint8Array(SAMPLES);
    const { sampled: samples } = this;
    samples.fill(0);
    for (let number = 0; number < this.size; number++) {
      const { data, starts } = this.texts[this.owners[number]!]!;
      const line = this.lines[number]!;
      samples[sampleOf(data, starts[line]!, starts[line + 1]!)] = 1;
    }
    return samples;
  }

  private find(hash: number, other: Text, start: number, end: number): number {
    const { mask } = this;
    let slot = hash & mask;
    for (let held = this.slots[slot]!; held !== 0; held = this.slots[slot]!) {
      if (this.hashes[held - 1] === hash && this.holds(held - 1, other, start, end)) return held - 1;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private numberOf(hash: number, other: Text, start: number, end: number, owner: number, line: number): number {
    const { slots, mask } = this;
    let slot = hash & mask;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      if (this.hashes[held - 1] === hash && this.holds(held - 1, other, start, end)) return held - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.size++;
    slots[slot] = number + 1;
    this.hashes[number] = hash;
    this.owners[number] = owner;
    this.lines[number] = line;
    if (this.size * 2 > this.mask) this.grow();
    return number;
  }

  private holds(number: number, other: Text, start: number, end: number): boolean {
    const text = this.texts[this.owners[number]!]!;
    const line = this.lines[number]!;
    return sameBytes(text, text.starts[line]!, text.starts[line + 1]!, other, start, end);
  }

  private grow(): void {
    this.clearSlots((this.mask + 1) * 2);
    const { slots, mask } = this;
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  }

  /** Sets up this many free slots, with room for half as many lines. */
  private clearSlots(slots: number): void {
    this.mask = slots - 1;
    if (slots <= this.slots.length) {
      this.slots.fill(0, 0, slots);
      return;
    }
    this.slots = new Int32Array(slots);
    const wider = (old: Int32Array) => {
      const more = new Int32Array(slots >> 1);
      more.set(old.subarray(0, this.size));
      return more;
    };
    this.hashes = wider(this.hashes);
    this.owners = wider(this.owners);
    this.lines = wider(this.lines);
  }
}

function sameBytes(a: Text, aStart: number, aEnd: number, b: Text, start: number, end: number): boolean {
  if (aEnd - aStart !== end - start) return false;
  const { words, data } = a;
  const otherWords = b.words;
  let at = aStart;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    if (otherWords.getInt32(i, true) !== words.getInt32(at, true)) return false;
    at += 4;
  }
  for (; i < end; i++) if (b.data[i] !== data[at++]) return false;
  return true;
}

/** Hashes eight bytes at a time, as two independent hashes. */
function hashOf({ words, data }: Text, start: number, end: number): number {
  let hash = end - start;
  let other = 0x165667b1;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    hash = Math.imul(hash ^ words.getInt32(at, true), 0x9e3779b1) ^ (hash >>> 15);
    other = Math.imul(other ^ words.getInt32(at + 4, true), 0x85ebca77) ^ (other >>> 15);
  }
  if (at + 4 <= end) {
    hash = Math.imul(hash ^ words.getInt32(at, true), 0x9e3779b1) ^ (hash >>> 15);
    at += 4;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ data[at]!, 0x9e3779b1);
  hash ^= Math.imul(other ^ (other >>> 13), 0xc2b2ae3d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}

const SAMPLES = 8192;

/** A number below `SAMPLES` computed from a line's length and some of its bytes. */
function sampleOf(data: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 4) return (length * 31 + data[start]!) & (SAMPLES - 1);
  const near = data[end - 2]! * 37 + data[end - 3]! * 151;
  return (length * 31 + data[start + (length >> 1)]! * 263 + data[start + (length >> 2)]! * 67 + near) & (SAMPLES - 1);
}
