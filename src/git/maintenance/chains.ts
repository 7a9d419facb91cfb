import { NONE, type PackingData } from "./packing-data.ts";

/** How the objects of a pack are to be stored: by slot. */
export class Chains {
  /** The slot of the object a delta builds on; `NONE` for objects stored whole. */
  readonly bases: Int32Array;
  /** How long the longest chain on each object is, or was before objects found better bases. */
  readonly heights: Uint16Array;
  /**
   * Takes the stored deltas whose base is in the same set (`isIn[slot] === 1`). A copy that is a delta is preferred to
   * one that is whole. Stored deltas of different packs can build on each other in a circle, which is cut.
   * @param slots of the objects of the pack
   * @param shorten finds another base for an object whose chain is too long, among those it is built on (nearest first);
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
      // Down to what is settled; then back up again.
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

  /** How long the chain is that an object is at the end of. */
  depthOf(slot: number): number {
    let depth = 0;
    for (let at = this.bases[slot]!; at !== NONE; at = this.bases[at]!) depth++;
    return depth;
  }

  /** Whether a chain from one object comes past another, or begins with it. */
  isBuiltOn(slot: number, other: number): boolean {
    for (let at = slot; at !== NONE; at = this.bases[at]!) if (at === other) return true;
    return false;
  }

  /** Gives an object a base that is not built on it. */
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
