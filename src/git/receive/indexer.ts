import { BadPack, CorruptObject } from "../errors.ts";
import type { FsckId, Problem } from "../object-checks/fsck.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { SPARE_BYTES } from "../objects/inflate.ts";
import type { Oid } from "../objects/types.ts";
import { applyDeltaInto, readDeltaSizes } from "../packs/delta.ts";
import { type EntryHeader, KIND_BLOB, KIND_OFS_DELTA, KIND_REF_DELTA } from "../packs/entry.ts";
import { ABSENT, BaseCache } from "./base-cache.ts";
import { COST_UNIT, Entries, UNKNOWN } from "./entries.ts";
import type { ReceiveLimits } from "./limits.ts";
import { type Checks, ObjectLinks } from "./object-links.ts";
import type { Destination, EntrySink } from "./pack-receiver.ts";

/** An object's bytes, in the baseCache or in a separate buffer. */
export interface Located {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly start: number;
  readonly length: number;
}

const BASE_CACHE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/**
 * The ring counts as live memory, so the garbage collector would let as much garbage pile up beside it. As little else
 * is alive, collecting takes only a few milliseconds.
 */
const TIDY_AFTER = 5_000;
/** The same, in bytes of trees, commits and tags: checking one leaves about a tenth of its size as garbage. */
const TIDY_AFTER_CHECKED_BYTES = 48 * 1024 * 1024;
const TIDY_AFTER_LARGE_BYTES = 64 * 1024 * 1024;
/** Maximum capacity preallocated for entries; a header may announce more than is sent. */
const TRUSTED_COUNT = 1_000_000;

/**
 * Turns entries into objects as they arrive. A delta whose base is still cached is resolved at once; the others wait
 * for `DeltaResolver`. As git writes bases before their deltas and close to them, few have to.
 */
export class Indexer implements EntrySink {
  entries = new Entries(16);
  objectLinks: ObjectLinks;
  readonly baseCache = new BaseCache(BASE_CACHE_BYTES, () => this.entries.positions);
  /** Deltas that could not be resolved yet, in pack order. */
  readonly waiting: number[] = [];
  /** Trees, commits and tags too large to be held while the client sends. */
  readonly deferred: number[] = [];
  /** Called before holding an object that does not fit in the baseCache. */
  beforeLargeObjects: () => void = () => {};
  /** Streamed blobs: not in any buffer by the time their id is known. */
  readonly streamed: number[] = [];
  /** Bytes of all objects made so far. */
  inflatedBytes = 0;
  receivedBytes: () => number = () => 0;
  /** Called with every object made, while its bytes are in memory. */
  onObject: (slot: number, kind: number, object: Located) => void = () => {};
  private entry = 0;
  private storedSize = 0;
  private destination: Destination = { buffer: new Uint8Array(0), start: 0, end: 0 };
  private scratch = new Uint8Array(256 * 1024);
  private readonly pieces = new Uint8Array(PIECE_BYTES);

  constructor(
    readonly format: ObjectFormat,
    private readonly limits: ReceiveLimits,
    private readonly checks: Checks,
    private readonly accepted: readonly FsckId[],
    private readonly onProblems?: (oid: Oid, problems: readonly Problem[]) => void,
  ) {
    this.objectLinks = new ObjectLinks(format, 16, checks, accepted, onProblems);
  }

  packBegins(objectCount: number): void {
    const expected = Math.min(objectCount, TRUSTED_COUNT) + 16;
    this.entries = new Entries(expected);
    this.objectLinks = new ObjectLinks(this.format, expected, this.checks, this.accepted, this.onProblems);
  }

  entryBegins(header: EntryHeader, offset: number, raw: Uint8Array): Destination {
    const { entries } = this;
    const { kind, sizeBytes } = header;
    let base = UNKNOWN;
    if (kind === KIND_OFS_DELTA) {
      const at = entries.at(offset - header.baseDistance);
      if (at < 0) throw new BadPack(`a delta's base is no entry of the pack (at offset ${offset})`);
      base = at;
    } else if (kind === KIND_REF_DELTA) {
      base = this.objectLinks.table.add(new DataView(raw.buffer, raw.byteOffset, raw.byteLength), header.baseOidAt);
    }
    this.entry = entries.add(offset, kind);
    entries.bases[this.entry] = base;
    this.storedSize = sizeBytes;
    this.destination = this.destinationOf(kind, sizeBytes);
    return this.destination;
  }

  entryEnds(crc: number): void {
    const { entries, entry, destination, storedSize } = this;
    entries.crcs[entry] = crc;
    const kind = entries.kinds[entry]!;
    if (kind === KIND_OFS_DELTA || kind === KIND_REF_DELTA) {
      if (destination.piece || !this.tryDelta(entry, destination.buffer, storedSize)) this.waiting.push(entry);
      return;
    }
    this.countInflated(storedSize);
    entries.costs[entry] = Math.ceil(storedSize / COST_UNIT);
    if (destination.piece && kind !== KIND_BLOB) {
      this.deferred.push(entry);
      return;
    }
    if (destination.piece) {
      entries.types[entry] = kind;
      entries.slots[entry] = this.objectLinks.enterHashed();
      this.enteredAs(entry);
      this.streamed.push(entry);
      return;
    }
    const { buffer, start } = destination;
    this.settle(entry, kind, locate(this.baseCache, buffer, start, storedSize));
  }

  /**
   * Enters the object made from an entry: id, checks, links; adds it to the baseCache if its bytes are there. An
   * `appended` object comes from the repository: it is not checked, and its links do not count as the pack's.
   */
  settle(entry: number, kind: number, object: Located, appended = false): void {
    const { entries } = this;
    if (object.bytes === this.baseCache.bytes) {
      this.baseCache.keep(entry, object.start, object.length);
      entries.lengths[entry] = object.length;
    }
    const data = object.bytes.subarray(object.start, object.start + object.length);
    entries.types[entry] = kind;
    if (appended) entries.costs[entry] = Math.ceil(object.length / COST_UNIT);
    const slot = appended
      ? this.objectLinks.enterAppended(kind, data)
      : this.objectLinks.enter(kind, data, object.view, object.start);
    entries.slots[entry] = slot;
    this.enteredAs(entry);
    if (!appended) this.onObject(slot, kind, object);
    if (kind !== KIND_BLOB) this.checkedBytes += object.length;
    if (++this.settled < TIDY_AFTER && this.checkedBytes < TIDY_AFTER_CHECKED_BYTES) return;
    this.settled = this.checkedBytes = 0;
    Bun.gc(true);
  }

  /** Allocates room for an object of `length` bytes: in the baseCache, or in a separate buffer if it is large. */
  place(length: number): Located {
    if (length <= this.baseCache.maxObjectBytes) {
      return {
        bytes: this.baseCache.bytes,
        view: this.baseCache.view,
        start: this.baseCache.reserve(length + SPARE_BYTES),
        length,
      };
    }
    this.countLarge(length);
    const bytes = new Uint8Array(length + SPARE_BYTES);
    return { bytes, view: new DataView(bytes.buffer), start: 0, length };
  }

  /** Must be called before holding an object that does not fit in the cache. @throws BadPack */
  private countLarge(length: number): void {
    if (length > this.limits.wholeObjectBytes)
      throw new BadPack(`an object that must be held whole exceeds ${this.limits.wholeObjectBytes} bytes`);
    this.beforeLargeObjects();
    this.largeBytes += length;
    if (this.largeBytes <= TIDY_AFTER_LARGE_BYTES) return;
    this.largeBytes = length;
    Bun.gc(true);
  }

  /** Places an object from the repository: copied into the cache, or left where it is if large. @throws BadPack */
  placed(data: Uint8Array): Located {
    if (data.length > this.baseCache.maxObjectBytes) {
      this.countLarge(data.length);
      return locate(this.baseCache, data, 0, data.length);
    }
    const place = this.place(data.length);
    place.bytes.set(data, place.start);
    return place;
  }

  /** Makes room for the result of a delta, copying the base elsewhere if the result would overwrite it. */
  placeBeside(base: Located, length: number): { from: Located; place: Located } {
    const place = this.place(length);
    const apart =
      base.bytes !== place.bytes || base.start >= place.start + length + 1 || base.start + base.length <= place.start;
    if (apart) return { from: base, place };
    const copy = base.bytes.slice(base.start, base.start + base.length);
    return { from: locate(this.baseCache, copy, 0, base.length), place };
  }

  /** Counts an object's inflated size before any memory and time are spent on it. @throws BadPack */
  countInflated(bytes: number): void {
    if (bytes > this.limits.objectBytes)
      throw new BadPack(`an object exceeds the limit of ${this.limits.objectBytes} bytes`);
    this.inflatedBytes += bytes;
    const allowed = Math.max(this.limits.inflateFloorBytes, this.receivedBytes() * this.limits.inflateRatio);
    if (this.inflatedBytes > allowed) throw new BadPack("the pack inflates to more than is allowed for its size");
  }

  /** Records the depth of a delta. @throws BadPack */
  countDepth(entry: number, base: number): void {
    const depth = this.entries.depths[base]! + 1;
    if (depth > this.limits.deltaDepth) throw new BadPack(`delta chain is longer than ${this.limits.deltaDepth}`);
    this.entries.depths[entry] = depth;
  }

  /** Records the cost of reading the object a delta makes. @throws BadPack when it is absurd for the object's size */
  countCost(entry: number, base: number, resultSize: number): void {
    const { costs } = this.entries;
    const { chainFloorBytes, chainRatio } = this.limits;
    const cost = costs[base]! + Math.ceil(resultSize / COST_UNIT);
    if (cost * COST_UNIT > chainFloorBytes + chainRatio * resultSize)
      throw new BadPack(
        `an object of ${resultSize} bytes is a delta that costs ${cost * COST_UNIT} bytes to read: repack with a smaller --depth`,
      );
    costs[entry] = cost;
  }

  /** Frees what is only needed to make and check objects. */
  release(): void {
    this.baseCache.release();
    this.objectLinks.depth.release();
    Bun.gc(true);
  }

  /** Entry of a delta's base; `UNKNOWN` until it has been made. */
  baseEntry(entry: number): number {
    const base = this.entries.bases[entry]!;
    return this.entries.kinds[entry] === KIND_OFS_DELTA ? base : this.entryOfSlot(base);
  }

  /** The entry that made the object in `slot`; `UNKNOWN` if none has. */
  entryOfSlot(slot: number): number {
    return slot < this.made.length ? (this.made[slot]! - 1) >>> 0 : UNKNOWN;
  }

  /** Objects, and bytes of checked objects, since the last collection. */
  private settled = 0;
  private checkedBytes = 0;

  /** Bytes of buffers allocated for large objects since the last collection. */
  private largeBytes = 0;

  /** Entry + 1 by slot; 0 for none. */
  private made = new Uint32Array(16);

  private enteredAs(entry: number): void {
    const slot = this.entries.slots[entry]!;
    if (slot >= this.made.length) {
      const larger = new Uint32Array(Math.max(slot + 1, this.made.length * 2));
      larger.set(this.made);
      this.made = larger;
    }
    this.made[slot] = entry + 1;
  }

  private destinationOf(kind: number, sizeBytes: number): Destination {
    // Large entries are read again once the pack has arrived: nothing of them is held while the client sends.
    const passed = { buffer: this.pieces, start: 0, end: PIECE_BYTES, piece: () => {} };
    if (kind === KIND_OFS_DELTA || kind === KIND_REF_DELTA)
      return sizeBytes < this.scratch.length ? { buffer: this.scratch, start: 0, end: this.scratch.length } : passed;
    if (kind !== KIND_BLOB && sizeBytes > this.baseCache.maxObjectBytes) {
      if (sizeBytes > this.limits.wholeObjectBytes)
        throw new BadPack(`an object that must be held whole exceeds ${this.limits.wholeObjectBytes} bytes`);
      return passed;
    }
    if (kind === KIND_BLOB && sizeBytes > this.baseCache.maxObjectBytes) {
      this.objectLinks.beginHash(kind, sizeBytes);
      return { buffer: this.pieces, start: 0, end: PIECE_BYTES, piece: (bytes) => this.objectLinks.hash(bytes) };
    }
    const { bytes, start, length } = this.place(sizeBytes);
    return { buffer: bytes, start, end: start + length + SPARE_BYTES };
  }

  /** Resolves a delta whose base is in the baseCache. Returns false if it must wait. */
  private tryDelta(entry: number, delta: Uint8Array, deltaSize: number): boolean {
    const { entries, baseCache } = this;
    const base = this.baseEntry(entry);
    if (base === UNKNOWN || entries.positions[base] === ABSENT) return false;
    const { resultSize } = readDeltaSizes(delta, 0, deltaSize);
    if (resultSize > baseCache.maxObjectBytes) return false;
    this.countDepth(entry, base);
    this.countInflated(resultSize);
    this.countCost(entry, base, resultSize);
    const found = locate(baseCache, baseCache.bytes, entries.positions[base]!, entries.lengths[base]!);
    const { from, place } = this.placeBeside(found, resultSize);
    applyDeltaInto(from.bytes, from.start, from.length, delta, 0, deltaSize, place.bytes, place.start);
    this.settle(entry, entries.types[base]!, place);
    this.refresh(base);
    return true;
  }

  /** Moves a base that is still in use to the young end of the ring before it is overwritten. */
  private refresh(base: number): void {
    const SMALL = 256 * 1024;
    const at = this.entries.positions[base]!;
    const length = this.entries.lengths[base]!;
    if (at === ABSENT || length > SMALL || !this.baseCache.isOld(at)) return;
    const start = this.baseCache.reserve(length + 1);
    this.baseCache.bytes.copyWithin(start, at, at + length);
    this.baseCache.keep(base, start, length);
  }
}

export function locate(baseCache: BaseCache, bytes: Uint8Array, start: number, length: number): Located {
  const view =
    bytes === baseCache.bytes ? baseCache.view : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, start, length };
}

/** A malformed delta found after parsing is still the pack's fault. */
export function asBadPack(error: unknown, oid?: string): unknown {
  return error instanceof CorruptObject ? new BadPack(error.message, oid) : error;
}
