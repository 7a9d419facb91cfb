import { NONE, type PackingData } from "./packing-data.ts";

/** The delta chains of a pack to write, by slot. */
export class Chains {
  /** The slot of the delta base; `NONE` for objects stored whole. */
  readonly bases: Int32Array;
  /** Length of the longest chain on top of each object, possibly from before some objects found better bases. */
  readonly heights: Uint16Array;
  /**
   * Reuses stored deltas whose base is in the same set (`isIn[slot] === 1`), preferring a copy stored as a delta to a
   * whole one. Stored deltas of different packs can form a cycle, which is broken.
   * @param slots the objects of the pack
   * @param shorten finds another base for an object whose chain is too long, among its ancestors (nearest first);
   *   `NONE` to store it whole
   */
  constructor(
    private readonly packing: PackingData,
    slots: Iterable<number>,
    isIn: Uint8Array,
    maxDepth: number,
    shorten: (slot: number, ancestors: readonly number[]) => number,
  ) {
    const { size } = packing.table;
    this.bases = new Int32Array(size).fill(NONE);
    this.heights = new Uint16Array(size);
    const depths = new Uint16Array(size);
    const state = new Uint8Array(size);
    const path: number[] = [];
    for (const start of slots) {
      path.length = 0;
      let at = start;
      // Down to a settled object, then back up.
      while (state[at] === 0) {
        state[at] = ON_PATH;
        path.push(at);
        const base = this.storedBase(at);
        if (base === NONE || isIn[base] !== 1 || state[base] === ON_PATH) break;
        this.bases[at] = base;
        at = base;
      }
      for (let slot = path.pop(); slot !== undefined; slot = path.pop()) {
        state[slot] = SETTLED;
        if (this.bases[slot] === NONE) continue;
        if (depths[this.bases[slot]!]! >= maxDepth) this.bases[slot] = shorten(slot, this.ancestorsOf(slot));
        const base = this.bases[slot]!;
        depths[slot] = base === NONE ? 0 : depths[base]! + 1;
        if (base !== NONE) this.raise(slot);
      }
    }
  }

  /** Length of the delta chain below an object. */
  depthOf(slot: number): number {
    let depth = 0;
    for (let at = this.bases[slot]!; at !== NONE; at = this.bases[at]!) depth++;
    return depth;
  }

  /** Whether an object's chain includes `other`, or starts with it. */
  isBuiltOn(slot: number, other: number): boolean {
    for (let at = slot; at !== NONE; at = this.bases[at]!) if (at === other) return true;
    return false;
  }

  /** Sets an object's base, which must not be built on the object. */
  build(slot: number, base: number): void {
    this.bases[slot] = base;
    this.raise(slot);
  }

  private raise(slot: number): void {
    const { heights } = this;
    let height = heights[slot]! + 1;
    for (let at = this.bases[slot]!; at !== NONE && heights[at]! < height; at = this.bases[at]!) heights[at] = height++;
  }

  private ancestorsOf(slot: number): number[] {
    const found: number[] = [];
    for (let at = this.bases[slot]!; at !== NONE; at = this.bases[at]!) found.push(at);
    return found;
  }

  private storedBase(slot: number): number {
    const entry = this.packing.delta[slot]!;
    return entry === NONE ? NONE : this.packing.slots[this.packing.bases[entry]!]!;
  }
}

const ON_PATH = 1;
const SETTLED = 2;
