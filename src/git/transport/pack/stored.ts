import type { PackFile } from "../../packs/pack-file.ts";

/** From this share of a pack's objects on, sorting all its offsets once is cheaper than looking for some. */
const MANY = 1 / 16;

/** Position of a value in a sorted list, -1 when it is not there. */
export function positionOf(sorted: Float64Array, value: number): number {
  const at = upperBound(sorted, value) - 1;
  return at >= 0 && sorted[at] === value ? at : -1;
}

/** How many values are not above `value`. */
function upperBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Some entries of a pack by offset: where each ends, and what others are at the offsets of delta bases. An index
 * lists offsets by id, so either asks for all offsets: sorted when many entries are wanted, else in one pass over them.
 */
export class StoredEntries {
  private readonly ends: Float64Array | undefined;
  private rowsByOffset: Map<number, number> | undefined;

  /** @param offsets ascending */
  constructor(
    private readonly pack: PackFile,
    readonly offsets: Float64Array,
  ) {
    if (offsets.length > pack.index.objectCount * MANY) return;
    const ends = new Float64Array(offsets.length).fill(pack.sizeBytes - 20);
    for (const offset of pack.index.allOffsets()) {
      const before = upperBound(offsets, offset - 0.5) - 1;
      if (before >= 0 && offset < ends[before]!) ends[before] = offset;
    }
    this.ends = ends;
  }

  /** Where the entry at place `at` of `offsets` ends, exclusive. */
  endOf(at: number): number {
    return this.ends ? this.ends[at]! : this.pack.entryEnd(this.offsets[at]!);
  }

  /** The index row of the delta at an offset, or of the base of one of these entries; -1 when there is none. */
  rowAt(offset: number): number {
    if (!this.ends) {
      const { offsets, rows } = this.pack.index.packOrder();
      const at = positionOf(offsets, offset);
      return at < 0 ? -1 : rows[at]!;
    }
    this.rowsByOffset ??= this.rowsOfBases();
    return this.rowsByOffset.get(offset) ?? -1;
  }

  /** Rows of all deltas among these entries and of their bases, found in one pass. */
  private rowsOfBases(): Map<number, number> {
    const rows = new Map<number, number>();
    for (const offset of this.offsets) {
      const { base } = this.pack.entryAt(offset);
      if (!base) continue;
      rows.set(offset, -1);
      if ("offset" in base) rows.set(base.offset, -1);
    }
    const all = this.pack.index.allOffsets();
    for (let row = 0; row < all.length; row++) if (rows.has(all[row]!)) rows.set(all[row]!, row);
    return rows;
  }
}
