import { DeltaBase, DeltaMaker } from "../packs/create-delta.ts";
import { kindOfType } from "../packs/entry.ts";
import type { Chains } from "./chains.ts";
import { NONE, type PackingData } from "./packing-data.ts";
import type { Spill } from "./spill.ts";

export interface SearchOptions {
  /** Number of preceding objects each object is compared with. */
  readonly window: number;
  /** Maximum length of a delta chain. */
  readonly depth: number;
  /** Maximum bytes for the objects in the window and their indexes. */
  readonly windowBytes: number;
  /** Larger objects are stored whole. */
  readonly maxObjectBytes: number;
  /** Skip pairs from the same pack, which were compared when it was created. */
  readonly trustPacks: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Deltas of smaller objects save nothing. */
const MIN_BYTES = 50;
/** An object this many times smaller than another is not a version of it. */
const MAX_RATIO = 32;
/** Bytes a delta entry must save to be worthwhile, including its base reference. */
const OVERHEAD_BYTES = 20;
/** Bytes read between two garbage collections. */
const TIDY_BYTES = 48 * 1024 * 1024;

interface Place {
  slot: number;
  type: number;
  size: number;
  pack: number;
  depth: number;
  bytes: Uint8Array | undefined;
  isIndexed: boolean;
  readonly index: DeltaBase;
}

/**
 * Searches for deltas as `git pack-objects` does: objects sorted by type, path and descending size, so that each one's
 * likely base comes shortly before it, with a window sliding over them. A base that proved good stays in the
 * window longer; a long chain makes a base less attractive.
 */
export class DeltaSearch {
  private readonly maker = new DeltaMaker();
  private readonly scratch = new DeltaBase();
  private untidyBytes = 0;

  constructor(
    private readonly packing: PackingData,
    private readonly spill: Spill,
    private readonly options: SearchOptions,
  ) {}

  /**
   * Finds a shorter chain for an object whose chain is too long: a delta against an ancestor further up, with the best
   * ratio of delta size to depth saved.
   */
  shorten(slot: number, ancestors: readonly number[]): number {
    const size = this.packing.sizeOf(slot);
    if (size < MIN_BYTES || size > this.options.maxObjectBytes) return NONE;
    const target = this.read(slot);
    let best = NONE;
    let bestCost = size;
    let bestDelta: Uint8Array | undefined;
    for (const distance of [1 / 4, 1 / 2, 3 / 4]) {
      const place = Math.floor(ancestors.length * distance);
      const base = ancestors[place];
      if (base === undefined || this.packing.sizeOf(base) > this.options.maxObjectBytes) continue;
      this.scratch.load(this.read(base));
      const delta = this.maker.make(this.scratch, target, Math.floor(size / 2));
      const cost = delta ? delta.length / (place + 1) : size;
      if (!delta || cost >= bestCost) continue;
      best = base;
      bestCost = cost;
      bestDelta = delta.slice();
    }
    if (bestDelta) this.spill.put(slot, bestDelta);
    return best;
  }

  /**
   * Finds bases for those of `slots` that have none, and better ones for those also stored whole in a pack, such as a
   * client's thin delta completed with its base. @param hashes hashes of their paths
   */
  async run(slots: Uint32Array, chains: Chains, hashes: Uint32Array): Promise<void> {
    const list = this.candidates(slots, chains, hashes);
    const { window, depth: maxDepth, windowBytes, onProgress } = this.options;
    const places: Place[] = Array.from({ length: window + 1 }, () => emptyPlace());
    let head = 0;
    let count = 0;
    let bytes = 0;
    let lastYield = performance.now();
    const clear = (place: Place) => {
      bytes -= costOf(place);
      place.bytes = undefined;
      place.isIndexed = false;
      place.slot = NONE;
      if (place.index.next.length > 1024 * 1024) place.index.shrink();
    };
    for (let i = 0; i < list.slots.length; i++) {
      const target = places[head]!;
      if (target.slot !== NONE) clear(target);
      const slot = list.slots[i]!;
      target.slot = slot;
      target.size = list.sizes[i]!;
      target.type = list.types[i]!;
      target.pack = list.packs[i]!;
      target.depth = chains.depthOf(slot);
      for (; bytes > windowBytes && count > 1; count--) {
        const oldest = places[(head + places.length - count) % places.length]!;
        if (oldest.slot !== NONE) clear(oldest);
      }
      const best = this.compare(chains, target, places, head, count, maxDepth - chains.heights[slot]!, (cost) => {
        bytes += cost;
      });
      if (best !== NONE) chains.build(slot, places[best]!.slot);
      if (best === NONE || target.depth < maxDepth) {
        if (best !== NONE) head = moveBehind(places, best, head);
        head = (head + 1) % places.length;
        count = Math.min(count + 1, window);
      } else clear(target);
      if (performance.now() - lastYield > 50) {
        onProgress?.(i, list.slots.length);
        await Bun.sleep(0);
        lastYield = performance.now();
      }
    }
    onProgress?.(list.slots.length, list.slots.length);
  }

  /** Finds the best base for `target` among the `count` places before `head` and spills the delta. */
  private compare(
    chains: Chains,
    target: Place,
    places: readonly Place[],
    head: number,
    count: number,
    maxDepth: number,
    onRead: (costBytes: number) => void,
  ): number {
    let best = NONE;
    let bestDelta: Uint8Array | undefined;
    // A new delta must be better than the stored one.
    let bestBytes = chains.bases[target.slot] === NONE ? NONE : this.packing.sizes[this.packing.delta[target.slot]!]!;
    for (let back = 1; back <= count; back++) {
      const at = (head + places.length - back) % places.length;
      const base = places[at]!;
      if (base.slot === NONE) continue;
      if (base.type !== target.type) break;
      base.depth = chains.depthOf(base.slot);
      if (base.depth >= maxDepth) continue;
      if (this.options.trustPacks && base.pack !== NONE && base.pack === target.pack) continue;
      if (chains.isBuiltOn(base.slot, target.slot)) continue;
      let max = bestBytes === NONE ? Math.floor(target.size / 2) - OVERHEAD_BYTES : bestBytes;
      const usedDepth = bestBytes === NONE ? 1 : Math.min(target.depth, maxDepth);
      max = Math.floor((max * (maxDepth - base.depth)) / (maxDepth - usedDepth + 1));
      if (max <= 0) continue;
      if (target.size - base.size >= max || target.size < base.size / MAX_RATIO) continue;
      onRead(this.load(target));
      onRead(this.load(base));
      if (!base.isIndexed) {
        base.index.load(base.bytes!);
        base.isIndexed = true;
        onRead(DeltaBase.costOf(base.size));
      }
      const delta = this.maker.make(base.index, target.bytes!, max);
      if (!delta) continue;
      if (delta.length === bestBytes && base.depth + 1 >= target.depth) continue;
      best = at;
      bestDelta = delta.slice();
      bestBytes = delta.length;
      target.depth = base.depth + 1;
    }
    if (bestDelta) this.spill.put(target.slot, bestDelta);
    return best;
  }

  private load(place: Place): number {
    if (place.bytes) return 0;
    place.bytes = this.read(place.slot);
    return place.bytes.length;
  }

  private read(slot: number): Uint8Array {
    const { data } = this.packing.read(slot);
    this.untidyBytes += data.byteLength;
    if (this.untidyBytes > TIDY_BYTES) {
      this.untidyBytes = 0;
      Bun.gc(true);
    }
    return data;
  }

  /** Objects that may get a new base, in search order. */
  private candidates(slots: Uint32Array, chains: Chains, hashes: Uint32Array) {
    const { packing } = this;
    const chosen: number[] = [];
    const sizes: number[] = [];
    const types: number[] = [];
    for (const slot of slots) {
      if (chains.bases[slot] !== NONE && (packing.whole[slot] === NONE || this.spill.has(slot))) continue;
      const size = packing.sizeOf(slot);
      if (size < MIN_BYTES || size > this.options.maxObjectBytes) continue;
      chosen.push(slot);
      sizes.push(size);
      types.push(kindOfType(packing.typeOf(slot)));
    }
    const order = Uint32Array.from(chosen.keys()).sort(
      (a, b) => types[b]! - types[a]! || hashes[chosen[b]!]! - hashes[chosen[a]!]! || sizes[b]! - sizes[a]! || a - b,
    );
    const packOf = (slot: number) => (packing.whole[slot] === NONE ? NONE : packing.packAt(packing.whole[slot]!));
    return {
      slots: order.map((at) => chosen[at]!),
      sizes: Float64Array.from(order, (at) => sizes[at]!),
      types: Uint8Array.from(order, (at) => types[at]!),
      packs: Int32Array.from(order, (at) => packOf(chosen[at]!)),
    };
  }
}

function emptyPlace(): Place {
  return {
    slot: NONE,
    type: 0,
    size: 0,
    pack: NONE,
    depth: 0,
    bytes: undefined,
    isIndexed: false,
    index: new DeltaBase(),
  };
}

function costOf(place: Place): number {
  return (place.bytes?.length ?? 0) + (place.isIndexed ? DeltaBase.costOf(place.size) : 0);
}

/** Moves a good base after the object just examined, so that it leaves the window last. `head` does not change. */
function moveBehind(places: Place[], base: number, head: number): number {
  const moved = places[base]!;
  let at = base;
  while (at !== head) {
    const next = (at + 1) % places.length;
    places[at] = places[next]!;
    at = next;
  }
  // The target moved back by one place; the base follows it as the newest.
  places[head] = moved;
  return head;
}
