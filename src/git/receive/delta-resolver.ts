import { BadPack } from "../errors.ts";
import { SPARE_BYTES } from "../objects/inflate.ts";
import type { GitObject, Oid } from "../objects/types.ts";
import { applyDeltaInto, readDeltaSizes } from "../packs/delta.ts";
import {
  EntryHeader,
  KIND_OFS_DELTA,
  KIND_REF_DELTA,
  kindOfType,
  MAX_ENTRY_HEADER_BYTES,
  typeOfKind,
} from "../packs/entry.ts";
import type { WindowedFile, Windows } from "../packs/windows.ts";
import { ABSENT } from "./base-cache.ts";
import { UNKNOWN } from "./entries.ts";
import type { Indexer, Located } from "./indexer.ts";
import { PRESENT } from "./object-links.ts";

const MAX_SCRATCH_BYTES = 4 * 1024 * 1024;

/**
 * Resolves the deltas that had to wait, from each base down through its deltas, so that a base is made only once for
 * all of them. Bases that a thin pack omits are read from the repository and appended.
 */
export class DeltaResolver {
  private readonly header: EntryHeader;
  private scratch = new Uint8Array(256 * 1024);
  private readonly headerBytes = new Uint8Array(MAX_ENTRY_HEADER_BYTES);
  /** Linked lists of waiting deltas: first child by base entry (ref-deltas: by slot), then siblings; or `UNKNOWN`. */
  private readonly children: Uint32Array;
  private readonly childrenOfSlot = new Map<number, number>();
  private readonly siblings: Uint32Array;
  /** The last large objects made, which do not fit in the baseCache. */
  private large: { entry: number; object: Located }[] = [];
  private remadeBytes = 0;
  resolved = 0;

  constructor(
    private readonly indexer: Indexer,
    private readonly windows: Windows,
    private readonly file: WindowedFile,
    private readonly onResolved: () => void = () => {},
  ) {
    const { entries, waiting } = indexer;
    this.header = new EntryHeader(indexer.format);
    const room = waiting.length === 0 ? 0 : entries.count;
    this.siblings = new Uint32Array(room).fill(UNKNOWN);
    this.children = new Uint32Array(room).fill(UNKNOWN);
    // Backwards, so that every list ends up in pack order.
    for (let i = waiting.length - 1; i >= 0; i--) {
      const entry = waiting[i]!;
      const base = entries.bases[entry]!;
      if (entries.kinds[entry] === KIND_OFS_DELTA) {
        this.siblings[entry] = this.children[base]!;
        this.children[base] = entry;
      } else {
        this.siblings[entry] = this.childrenOfSlot.get(base) ?? UNKNOWN;
        this.childrenOfSlot.set(base, entry);
      }
    }
  }

  /** Makes the objects that were too large to be held while the pack arrived. */
  makeDeferred(): void {
    const { entries, deferred } = this.indexer;
    for (const entry of deferred) this.indexer.settle(entry, entries.kinds[entry]!, this.inflated(entry));
  }

  /** Resolves every delta whose base is in the pack. */
  resolveWithin(): void {
    const { entries } = this.indexer;
    for (let entry = 0; entry < entries.count && this.resolved < this.indexer.waiting.length; entry++) {
      const slot = entries.slots[entry]!;
      if (slot !== UNKNOWN && (this.children[entry] !== UNKNOWN || this.childrenOfSlot.has(slot)))
        this.resolveFrom(entry);
    }
  }

  /**
   * Ids of bases missing from the pack that deltas still wait for, in the order of those deltas. Deltas resolved
   * between two yields are taken into account: resolving one base may produce another.
   */
  *missingBases(): Generator<Oid> {
    const { entries, waiting, objectLinks } = this.indexer;
    for (const entry of waiting) {
      const slot = entries.bases[entry]!;
      if (entries.kinds[entry] !== KIND_REF_DELTA || !this.childrenOfSlot.has(slot)) continue;
      if (!(objectLinks.table.flags[slot]! & PRESENT)) yield objectLinks.table.oidOf(slot);
    }
  }

  /** Enters a base that was appended to the pack as `entry`, and resolves the deltas waiting for it. */
  resolveAppended(entry: number, object: GitObject): void {
    const { indexer } = this;
    const place = indexer.placed(object.data);
    indexer.settle(entry, kindOfType(object.type), place, true);
    if (place.bytes !== indexer.baseCache.bytes) this.keepLarge(entry, place);
    this.resolveFrom(entry);
  }

  /** @throws BadPack when deltas remain whose bases are missing or form a cycle */
  finish(): void {
    const left = this.indexer.waiting.length - this.resolved;
    if (left > 0) throw new BadPack(`the pack has ${left} unresolved deltas`);
  }

  /** The object made from an entry; made again if it is no longer in memory. */
  object(entry: number): Located {
    const { indexer } = this;
    const chain: number[] = [];
    let at = entry;
    let found = this.atHand(at);
    while (!found) {
      const base = this.isDelta(at) ? this.indexer.baseEntry(at) : UNKNOWN;
      if (base === UNKNOWN) {
        found = this.inflated(at);
        this.countRemade(found.length);
        this.keep(at, found);
        break;
      }
      chain.push(at);
      at = base;
      found = this.atHand(at);
    }
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
      const delta = this.readDelta(next);
      const { resultSize } = readDeltaSizes(delta);
      this.countRemade(resultSize);
      this.makeRoom(resultSize, found);
      const { from, place } = indexer.placeBeside(found, resultSize);
      applyDeltaInto(from.bytes, from.start, from.length, delta, 0, delta.length, place.bytes, place.start);
      this.keep(next, place);
      found = place;
    }
    return found;
  }

  /** An object stored whole, read again. */
  private inflated(entry: number): Located {
    const { sizeBytes, length } = this.readHeader(entry);
    this.makeRoom(sizeBytes);
    const place = this.indexer.place(sizeBytes);
    const offset = this.indexer.entries.offsets[entry]! + length;
    this.windows.inflateInto(
      this.file,
      offset,
      place.bytes,
      place.start,
      sizeBytes,
      place.start + sizeBytes + SPARE_BYTES,
    );
    return place;
  }

  /** Drops large objects before another is made, except the base it needs. */
  private makeRoom(bytes: number, base?: Located): void {
    if (bytes <= this.indexer.baseCache.maxObjectBytes) return;
    this.large = this.large.filter(({ object }) => object === base);
  }

  /** Size of the object made from an entry, without making it. */
  objectSize(entry: number): number {
    const { sizeBytes } = this.readHeader(entry);
    if (!this.isDelta(entry)) return sizeBytes;
    return readDeltaSizes(this.readDelta(entry)).resultSize;
  }

  private resolveFrom(root: number): void {
    const stack = [root];
    for (let base = stack.pop(); base !== undefined; base = stack.pop()) {
      const slot = this.indexer.entries.slots[base]!;
      // An appended base has only ref-deltas.
      const child = base < this.children.length ? this.children[base]! : UNKNOWN;
      const childOfSlot = this.childrenOfSlot.get(slot) ?? UNKNOWN;
      if (child !== UNKNOWN) this.children[base] = UNKNOWN;
      this.childrenOfSlot.delete(slot);
      this.resolveList(child, base, stack);
      this.resolveList(childOfSlot, base, stack);
    }
  }

  private resolveList(first: number, base: number, stack: number[]): void {
    for (let child = first; child !== UNKNOWN; child = this.siblings[child]!) {
      this.resolve(child, base);
      stack.push(child);
    }
  }

  private resolve(entry: number, base: number): void {
    const { indexer } = this;
    const { entries } = indexer;
    indexer.countDepth(entry, base);
    const located = this.object(base);
    const delta = this.readDelta(entry);
    const { resultSize } = readDeltaSizes(delta);
    indexer.countInflated(resultSize);
    indexer.countCost(entry, base, resultSize);
    this.makeRoom(resultSize, located);
    const { from, place } = indexer.placeBeside(located, resultSize);
    applyDeltaInto(from.bytes, from.start, from.length, delta, 0, delta.length, place.bytes, place.start);
    indexer.settle(entry, entries.types[base]!, place);
    if (place.bytes !== indexer.baseCache.bytes) this.keepLarge(entry, place);
    this.resolved++;
    this.onResolved();
  }

  private atHand(entry: number): Located | undefined {
    const { entries, baseCache } = this.indexer;
    const start = entries.positions[entry]!;
    if (start !== ABSENT)
      return { bytes: baseCache.bytes, view: baseCache.view, start, length: entries.lengths[entry]! };
    return this.large.find((kept) => kept.entry === entry)?.object;
  }

  /** Many deep chains, each too large to keep in memory, could otherwise go on forever. */
  private countRemade(bytes: number): void {
    this.remadeBytes += bytes;
    if (this.remadeBytes > 16 * this.indexer.inflatedBytes + 2 ** 30)
      throw new BadPack("the pack's deltas are arranged so that resolving them costs too much");
  }

  private keep(entry: number, object: Located): void {
    const { baseCache, entries } = this.indexer;
    if (object.bytes === baseCache.bytes) {
      baseCache.keep(entry, object.start, object.length);
      entries.lengths[entry] = object.length;
    } else this.keepLarge(entry, object);
  }

  private keepLarge(entry: number, object: Located): void {
    this.large = [{ entry, object }, ...this.large.filter((kept) => kept.entry !== entry)].slice(0, 2);
  }

  private isDelta(entry: number): boolean {
    return typeOfKind(this.indexer.entries.kinds[entry]!) === undefined;
  }

  /** The delta of an entry, valid until the next one is read. */
  private readDelta(entry: number): Uint8Array {
    const { sizeBytes, length } = this.readHeader(entry);
    // Hundreds of large buffers would otherwise wait for the garbage collector.
    if (sizeBytes > this.scratch.length && sizeBytes <= MAX_SCRATCH_BYTES)
      this.scratch = new Uint8Array(MAX_SCRATCH_BYTES);
    const bytes = sizeBytes <= this.scratch.length ? this.scratch : new Uint8Array(sizeBytes);
    const offset = this.indexer.entries.offsets[entry]! + length;
    this.windows.inflateInto(this.file, offset, bytes, 0, sizeBytes, bytes.length);
    return bytes.subarray(0, sizeBytes);
  }

  private readHeader(entry: number): EntryHeader {
    const got = this.windows.copy(this.file, this.indexer.entries.offsets[entry]!, this.headerBytes);
    if (!this.header.read(this.headerBytes, 0, got)) throw new BadPack("the received pack changed on disk");
    return this.header;
  }
}
