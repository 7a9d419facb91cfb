import { ABSENT } from "./base-cache.ts";

/** The entries of a pack being received, in pack order: about 32 bytes each instead of one object each. */
export class Entries {
  count = 0;
  /** Where the entry begins in the pack. */
  offsets: Float64Array;
  /** CRC-32 of the entry as stored. */
  crcs: Uint32Array;
  /** Kind as stored: 1 to 4, or a delta (packs/entry.ts). */
  kinds: Uint8Array;
  /** The object's type as a kind (1 to 4); 0 until it is known. */
  types: Uint8Array;
  /** Slot of the object's id; `UNKNOWN` until the object has been made. */
  slots: Uint32Array;
  /** For an ofs-delta: the base's entry; for a ref-delta: the slot of the base's id. */
  bases: Uint32Array;
  /** Delta depth: number of deltas down to the whole base. */
  depths: Uint16Array;
  /** Total bytes of the object and of all objects in its delta chain, in units of `COST_UNIT`, rounded up. */
  costs: Uint32Array;
  /** Where the object is in the baseCache, and its length there. */
  positions: Int32Array;
  lengths: Uint32Array;

  constructor(expected: number) {
    const capacity = Math.max(16, expected);
    this.offsets = new Float64Array(capacity);
    this.crcs = new Uint32Array(capacity);
    this.kinds = new Uint8Array(capacity);
    this.types = new Uint8Array(capacity);
    this.slots = new Uint32Array(capacity);
    this.bases = new Uint32Array(capacity);
    this.depths = new Uint16Array(capacity);
    this.costs = new Uint32Array(capacity);
    this.positions = new Int32Array(capacity);
    this.lengths = new Uint32Array(capacity);
  }

  /** Adds an entry and returns its number. */
  add(offset: number, kind: number): number {
    if (this.count === this.offsets.length) this.grow();
    const entry = this.count++;
    this.offsets[entry] = offset;
    this.kinds[entry] = kind;
    this.slots[entry] = UNKNOWN;
    this.positions[entry] = ABSENT;
    return entry;
  }

  /** The entry that begins at `offset`; -1 if there is none. */
  at(offset: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.offsets[low] === offset ? low : -1;
  }

  private grow(): void {
    const larger = <T extends { length: number; set(from: T): void }>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    const capacity = this.offsets.length * 2;
    this.offsets = larger(this.offsets, new Float64Array(capacity));
    this.crcs = larger(this.crcs, new Uint32Array(capacity));
    this.kinds = larger(this.kinds, new Uint8Array(capacity));
    this.types = larger(this.types, new Uint8Array(capacity));
    this.slots = larger(this.slots, new Uint32Array(capacity));
    this.bases = larger(this.bases, new Uint32Array(capacity));
    this.depths = larger(this.depths, new Uint16Array(capacity));
    this.costs = larger(this.costs, new Uint32Array(capacity));
    this.positions = larger(this.positions, new Int32Array(capacity));
    this.lengths = larger(this.lengths, new Uint32Array(capacity));
  }
}

export const COST_UNIT = 1024;
export const UNKNOWN = 0xffffffff;
