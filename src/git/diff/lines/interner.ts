import type { Text } from "./text.ts";

/**
 * Gives lines numbers, the same number to equal lines, in the order in which they first appear over all texts added.
 * A hash table of its own, as most lines are seen once: a Map of strings would make a string of each.
 */
export class Interner {
  /** Different lines so far. */
  size = 0;
  /** Slots hold a line's number plus 1; 0 is free. */
  private slots: Int32Array;
  private hashes: Int32Array;
  /** Which text, and which line of it, first had a number. */
  private owners: Int32Array;
  private lines: Int32Array;
  private readonly texts: Text[] = [];

  /** @param expected lines there will be in all; more is fine, but costs a growth of the table */
  constructor(expected = 64) {
    let slots = 64;
    while (slots < expected * 2) slots *= 2;
    this.slots = new Int32Array(slots);
    this.hashes = new Int32Array(slots >> 1);
    this.owners = new Int32Array(slots >> 1);
    this.lines = new Int32Array(slots >> 1);
  }

  /** The numbers of a text's lines. */
  add(text: Text): Int32Array {
    const { data, starts, count } = text;
    const owner = this.texts.push(text) - 1;
    const result = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const start = starts[i]!;
      const end = starts[i + 1]!;
      let hash = end - start;
      for (let at = start; at < end; at++) hash = (Math.imul(hash, 33) + data[at]!) | 0;
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      result[i] = this.numberOf(hash ^ (hash >>> 12), data, start, end, owner, i);
    }
    return result;
  }

  private numberOf(hash: number, data: Uint8Array, start: number, end: number, owner: number, line: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      if (this.hashes[held - 1] === hash && this.holds(held - 1, data, start, end)) return held - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.size++;
    slots[slot] = number + 1;
    this.hashes[number] = hash;
    this.owners[number] = owner;
    this.lines[number] = line;
    if (this.size === this.hashes.length) this.grow();
    return number;
  }

  private holds(number: number, data: Uint8Array, start: number, end: number): boolean {
    const text = this.texts[this.owners[number]!]!;
    const line = this.lines[number]!;
    let at = text.starts[line]!;
    if (text.starts[line + 1]! - at !== end - start) return false;
    const other = text.data;
    for (let i = start; i < end; i++) if (data[i] !== other[at++]) return false;
    return true;
  }

  private grow(): void {
    const wider = (old: Int32Array) => {
      const more = new Int32Array(old.length * 2);
      more.set(old);
      return more;
    };
    this.hashes = wider(this.hashes);
    this.owners = wider(this.owners);
    this.lines = wider(this.lines);
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashes[number]! & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}
