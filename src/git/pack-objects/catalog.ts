import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { oidAt } from "../objects/hash.ts";
import type { GitObject, ObjectHeader, Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import type { PackFile } from "../packs/pack-file.ts";

/**
 * The objects of a repository by small numbers, for flagging hundreds of thousands of them in bitmaps.
 *
 * A packed object's number is its pack's first number plus its row in the pack's index. An object stored in several
 * packs has its number in the first of them in the catalogue's order. Loose objects are numbered after all packs on
 * first use. The packs are those that exist when the catalogue is created.
 */
export class Catalog {
  /** Packed objects have numbers below this. */
  readonly packedCount: number;
  private readonly firsts: number[] = [];
  private readonly looseNumbers = new Map<Oid, number>();
  private readonly looseOids: Oid[] = [];
  private readonly offsets = new Map<number, Float64Array>();

  constructor(
    readonly store: ObjectStore,
    readonly packs: readonly PackFile[],
  ) {
    let next = 0;
    for (const pack of packs) {
      this.firsts.push(next);
      next += pack.index.objectCount;
    }
    this.packedCount = next;
  }

  get format(): ObjectFormat {
    return this.store.format;
  }

  /** The object's number; -1 when the repository does not have it. */
  find(oid: Oid): number {
    for (let at = 0; at < this.packs.length; at++) {
      const row = this.packs[at]!.index.row(oid);
      if (row >= 0) return this.firsts[at]! + row;
    }
    const cached = this.looseNumbers.get(oid);
    if (cached !== undefined) return cached;
    if (!this.store.has(oid)) return -1;
    const number = this.packedCount + this.looseOids.length;
    this.looseNumbers.set(oid, number);
    this.looseOids.push(oid);
    return number;
  }

  /** The number of the object whose id is stored at `offset` of `bytes`; -1 when there is none. */
  findAt(bytes: Uint8Array, offset: number): number {
    for (let at = 0; at < this.packs.length; at++) {
      const row = this.packs[at]!.index.rowAt(bytes, offset);
      if (row >= 0) return this.firsts[at]! + row;
    }
    return this.find(oidAt(this.format, bytes, offset));
  }

  /** @throws CorruptObject when the repository lacks it */
  need(oid: Oid): number {
    const number = this.find(oid);
    if (number < 0) throw new CorruptObject(`missing object ${oid}`);
    return number;
  }

  /** The index in `packs` of the pack the number belongs to; -1 for a loose object. */
  packAt(number: number): number {
    if (number >= this.packedCount) return -1;
    let low = 0;
    let high = this.firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.firsts[middle]! <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first number of a pack. */
  firstOf(pack: number): number {
    return this.firsts[pack] ?? this.packedCount;
  }

  /** The offsets of all entries of a pack by row, cached on first use: 8 bytes per object. */
  offsetsOf(pack: number): Float64Array {
    const cached = this.offsets.get(pack);
    if (cached) return cached;
    const offsets = this.packs[pack]!.index.allOffsets();
    this.offsets.set(pack, offsets);
    return offsets;
  }

  oidOf(number: number): Oid {
    const pack = this.packAt(number);
    if (pack < 0) return this.looseOids[number - this.packedCount]!;
    return this.packs[pack]!.index.oidOf(number - this.firsts[pack]!);
  }

  /** @throws CorruptObject when no copy is good; ObjectTooLarge */
  read(number: number): GitObject {
    const pack = this.packAt(number);
    if (pack >= 0) {
      const { index } = this.packs[pack]!;
      try {
        return this.packs[pack]!.object(index.offsetOf(number - this.firsts[pack]!), "");
      } catch (error) {
        if (!(error instanceof CorruptObject)) throw error;
      }
    }
    const oid = this.oidOf(number);
    const object = this.store.read(oid);
    if (!object) throw new CorruptObject(`missing object ${oid}`);
    return object;
  }

  /** Type and size. @throws CorruptObject */
  header(number: number): ObjectHeader {
    const pack = this.packAt(number);
    if (pack >= 0) {
      const file = this.packs[pack]!;
      return file.objectHeader(file.index.offsetOf(number - this.firsts[pack]!));
    }
    const header = this.store.header(this.oidOf(number));
    if (!header) throw new CorruptObject(`missing object ${this.oidOf(number)}`);
    return header;
  }
}
