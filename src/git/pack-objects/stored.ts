import { inflateSync } from "node:zlib";
import type { PackEntry, PackFile } from "../packs/pack-file.ts";

/** From this share of a pack's objects on, sorting all its offsets once is cheaper than searching for some. */
const MANY = 1 / 16;
/** For up to this many entries, none larger than this, inflating them to find their ends is cheaper than any table. */
const FEW = 256;
const SMALL_BYTES = 256 * 1024;

/** Index of a value in a sorted list; -1 when it is not in it. */
export function positionOf(sorted: Float64Array, value: number): number {
  const at = upperBound(sorted, value) - 1;
  return at >= 0 && sorted[at] === value ? at : -1;
}

/** Number of values not greater than `value`. */
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
 * Some entries of a pack by offset: where each ends, and which objects are at the offsets of delta bases. An index
 * lists offsets by id, so both need all offsets: sorted when there are many entries, else in one pass over them;
 * for a few small entries even that is avoided.
 */
export class StoredEntries {
  private readonly isMany: boolean;
  private ends: Float64Array | undefined;
  private rows: { readonly offsets: Float64Array; readonly rows: Int32Array } | undefined;

  /**
   * @param offsets the entries' offsets, ascending
   * @param allOffsets returns all offsets of the pack by row; called only when needed
   */
  constructor(
    private readonly pack: PackFile,
    readonly offsets: Float64Array,
    private readonly allOffsets: () => Float64Array,
  ) {
    this.isMany = offsets.length > Math.max(FEW, pack.index.objectCount * MANY);
  }

  /** The exclusive end of the entry at index `at` of `offsets`. */
  endOf(at: number, entry: PackEntry): number {
    if (this.isMany) return this.pack.entryEnd(entry.offset);
    if (!this.ends && this.offsets.length <= FEW && entry.sizeBytes <= SMALL_BYTES) {
      const end = endByInflating(this.pack, entry);
      if (end !== undefined) return end;
    }
    this.ends ??= this.findEnds();
    return this.ends[at]!;
  }

  /** The index row of the delta or delta base at an offset, for these entries; -1 when there is none. */
  rowAt(offset: number): number {
    if (this.isMany) {
      const { offsets, rows } = this.pack.index.packOrder();
      const at = positionOf(offsets, offset);
      return at < 0 ? -1 : rows[at]!;
    }
    this.rows ??= this.findRows();
    const at = positionOf(this.rows.offsets, offset);
    return at < 0 ? -1 : this.rows.rows[at]!;
  }

  private findEnds(): Float64Array {
    const { offsets, pack } = this;
    const ends = new Float64Array(offsets.length).fill(pack.bodyEnd);
    const all = this.allOffsets();
    for (let row = 0; row < all.length; row++) {
      const offset = all[row]!;
      const before = upperBound(offsets, offset - 0.5) - 1;
      if (before >= 0 && offset < ends[before]!) ends[before] = offset;
    }
    return ends;
  }

  /** Finds the rows of all deltas among these entries and of their bases in one pass. */
  private findRows() {
    const asked = new Set<number>();
    for (const offset of this.offsets) {
      const { base } = this.pack.entryAt(offset);
      if (!base) continue;
      asked.add(offset);
      if ("offset" in base) asked.add(base.offset);
    }
    const offsets = Float64Array.from(asked).sort();
    const rows = new Int32Array(offsets.length).fill(-1);
    const all = this.allOffsets();
    for (let row = 0; row < all.length; row++) {
      const at = positionOf(offsets, all[row]!);
      if (at >= 0) rows[at] = row;
    }
    return { offsets, rows };
  }
}

/** Finds the end of the zlib stream by inflating it; undefined when it is longer than such a stream should be. */
function endByInflating(pack: PackFile, entry: PackEntry): number | undefined {
  const raw = new Uint8Array(entry.sizeBytes + (entry.sizeBytes >>> 6) + 64);
  const got = pack.readRaw(raw, entry.dataOffset);
  try {
    const result: unknown = inflateSync(raw.subarray(0, got), { info: true });
    const used = inputUsed(result);
    return used === undefined ? undefined : entry.dataOffset + used;
  } catch {
    return undefined;
  }
}

function inputUsed(result: unknown): number | undefined {
  if (typeof result !== "object" || result === null || !("engine" in result)) return undefined;
  const { engine } = result;
  if (typeof engine !== "object" || engine === null || !("bytesWritten" in engine)) return undefined;
  return typeof engine.bytesWritten === "number" ? engine.bytesWritten : undefined;
}
