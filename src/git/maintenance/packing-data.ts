import { readSync, statSync } from "node:fs";
import { join } from "node:path";
import { CorruptObject } from "../errors.ts";
import { OidTable } from "../objects/oid-table.ts";
import type { GitObject, ObjectType, Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { EntryHeader, KIND_OFS_DELTA, KIND_REF_DELTA, MAX_ENTRY_HEADER_BYTES, typeOfKind } from "../packs/entry.ts";
import type { PackFile } from "../packs/pack-file.ts";

/** No entry, no slot. */
export const NONE = -1;

const READ_BYTES = 1024 * 1024;

/**
 * The contents of some packs and loose files, by small numbers. Each object has a slot; each stored copy in a pack is
 * an entry, numbered in pack order and by offset within each pack. About 90 bytes per object.
 */
export class PackingData {
  readonly table: OidTable;
  /** By entry. */
  readonly offsets: Float64Array;
  readonly slots: Int32Array;
  readonly kinds: Uint8Array;
  readonly headBytes: Uint8Array;
  /** Inflated size of the entry's stream: the object, or the delta. */
  readonly sizes: Float64Array;
  /** The entry of the delta base, in the same pack; `NONE` for objects stored whole. */
  readonly bases: Int32Array;
  /** CRC-32 of the stored entry. */
  readonly crcs: Uint32Array;
  /** By slot: an entry that stores the object whole, and one that stores it as a delta. */
  readonly whole: Int32Array;
  readonly delta: Int32Array;
  /** Slots of loose objects (which may also be packed). */
  readonly loose: readonly number[];
  private readonly firsts: number[] = [];

  private constructor(
    readonly store: ObjectStore,
    readonly packs: readonly PackFile[],
    looseOids: readonly Oid[],
  ) {
    let entries = 0;
    for (const pack of packs) {
      this.firsts.push(entries);
      entries += pack.index.objectCount;
    }
    this.firsts.push(entries);
    this.table = new OidTable(store.format, entries + looseOids.length);
    this.offsets = new Float64Array(entries);
    this.slots = new Int32Array(entries);
    this.kinds = new Uint8Array(entries);
    this.headBytes = new Uint8Array(entries);
    this.sizes = new Float64Array(entries);
    this.bases = new Int32Array(entries).fill(NONE);
    this.crcs = new Uint32Array(entries);
    for (let at = 0; at < packs.length; at++) this.nameEntries(at);
    this.loose = looseOids.map((oid) => this.table.addOid(oid));
    this.whole = new Int32Array(this.table.size).fill(NONE);
    this.delta = new Int32Array(this.table.size).fill(NONE);
    const buffer = new Uint8Array(READ_BYTES);
    for (let at = 0; at < packs.length; at++) this.readHeaders(at, buffer);
    for (let entry = 0; entry < entries; entry++) {
      const of = this.bases[entry] === NONE ? this.whole : this.delta;
      const slot = this.slots[entry]!;
      if (of[slot] === NONE) of[slot] = entry;
    }
  }

  /** Reads the headers of all entries of these packs. @throws CorruptObject when one is malformed */
  static of(store: ObjectStore, packs: readonly PackFile[], looseOids: readonly Oid[]): PackingData {
    return new PackingData(store, packs, looseOids);
  }

  get entryCount(): number {
    return this.offsets.length;
  }

  /** The index in `packs` of the pack containing an entry. */
  packAt(entry: number): number {
    let low = 0;
    let high = this.packs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.firsts[middle]! <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first entry of a pack, which is also the end of the previous one. */
  firstOf(pack: number): number {
    return this.firsts[pack]!;
  }

  /** The exclusive end offset of an entry. */
  endOf(entry: number, pack: number): number {
    const next = entry + 1;
    const file = this.packs[pack]!;
    return next < this.firsts[pack + 1]! ? this.offsets[next]! : file.bodyEnd;
  }

  isPacked(slot: number): boolean {
    return this.whole[slot] !== NONE || this.delta[slot] !== NONE;
  }

  /** @throws CorruptObject when no copy is good; ObjectTooLarge */
  read(slot: number): GitObject {
    const entry = this.whole[slot] === NONE ? this.delta[slot]! : this.whole[slot]!;
    if (entry !== NONE) {
      try {
        return this.packs[this.packAt(entry)]!.object(this.offsets[entry]!, "");
      } catch (error) {
        if (!(error instanceof CorruptObject)) throw error;
      }
    }
    const oid = this.table.oidOf(slot);
    const object = this.store.read(oid);
    if (!object) throw new CorruptObject(`missing object ${oid}`);
    return object;
  }

  /** Type of an object, read from its headers. @throws CorruptObject */
  typeOf(slot: number): ObjectType {
    const entry = this.whole[slot] === NONE ? this.delta[slot]! : this.whole[slot]!;
    if (entry === NONE) return this.headerOf(slot).type;
    let at = entry;
    while (this.bases[at] !== NONE) at = this.bases[at]!;
    return typeOfKind(this.kinds[at]!)!;
  }

  /** Size of the object itself. @throws CorruptObject */
  sizeOf(slot: number): number {
    const entry = this.whole[slot]!;
    if (entry !== NONE) return this.sizes[entry]!;
    const delta = this.delta[slot]!;
    if (delta === NONE) return this.headerOf(slot).sizeBytes;
    return this.packs[this.packAt(delta)]!.objectHeader(this.offsets[delta]!).sizeBytes;
  }

  private headerOf(slot: number) {
    const oid = this.table.oidOf(slot);
    const header = this.store.header(oid);
    if (!header) throw new CorruptObject(`missing object ${oid}`);
    return header;
  }

  /** Assigns a slot to each entry of a pack, by offset. */
  private nameEntries(pack: number): void {
    const { index } = this.packs[pack]!;
    const first = this.firsts[pack]!;
    const names = index.allNames();
    const crcs = index.allCrcs();
    const { rows, offsets } = index.packOrder();
    this.offsets.set(offsets, first);
    const { oidBytes } = this.store.format;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      this.slots[first + at] = this.table.add(names, row * oidBytes);
      this.crcs[first + at] = crcs.getUint32(row * 4);
    }
  }

  private readHeaders(pack: number, buffer: Uint8Array): void {
    const file = this.packs[pack]!;
    const header = new EntryHeader(this.store.format);
    let start = 0;
    let end = 0;
    for (let entry = this.firsts[pack]!; entry < this.firsts[pack + 1]!; entry++) {
      const offset = this.offsets[entry]!;
      if (offset + MAX_ENTRY_HEADER_BYTES > end) {
        start = offset;
        end = start + readSync(file.fd, buffer, 0, buffer.length, start);
      }
      if (!header.read(buffer, offset - start, end - start) || header.problem !== undefined)
        throw new CorruptObject(`${file.name} has no entry at ${offset}`);
      this.kinds[entry] = header.kind;
      this.headBytes[entry] = header.length;
      this.sizes[entry] = header.sizeBytes;
      if (header.kind === KIND_OFS_DELTA) this.bases[entry] = this.entryAt(pack, offset - header.baseDistance);
      else if (header.kind === KIND_REF_DELTA) {
        const row = file.index.rowAt(buffer, header.baseOidAt);
        if (row < 0) throw new CorruptObject(`${file.name} has a delta without its base`);
        this.bases[entry] = this.entryAt(pack, file.index.offsetOf(row));
      }
    }
  }

  private entryAt(pack: number, offset: number): number {
    let low = this.firsts[pack]!;
    let high = this.firsts[pack + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    if (low >= this.firsts[pack + 1]! || this.offsets[low] !== offset)
      throw new CorruptObject(`${this.packs[pack]!.name} has a delta without its base`);
    return low;
  }
}

/** When a loose object or pack was last written, in milliseconds since 1970; 0 when it no longer exists. */
export function writtenAt(repoDir: string, name: string): number {
  return statSync(join(repoDir, "objects", name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
