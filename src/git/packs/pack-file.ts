import { fstatSync, readSync } from "node:fs";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { CorruptObject, ObjectTooLarge } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { oidAt } from "../objects/hash.ts";
import { Inflater, SPARE_BYTES } from "../objects/inflate.ts";
import type { GitObject, ObjectHeader, ObjectType, Oid } from "../objects/types.ts";
import type { ObjectCache } from "./byte-cache.ts";
import { applyDeltaInto, readDeltaSizes } from "./delta.ts";
import {
  EntryHeader,
  KIND_OFS_DELTA,
  KIND_REF_DELTA,
  MAX_ENTRY_HEADER_BYTES,
  PACK_HEADER_BYTES,
  typeOfKind,
} from "./entry.ts";
import { PackIndex } from "./pack-index.ts";
import { PIECE_BYTES, type Pieces, streamOfPieces } from "./pieces.ts";
import type { ReadMeter } from "./read-meter.ts";
import { WINDOW_BYTES, type WindowedFile, type Windows } from "./windows.ts";

/** No git creates longer chains; following them would let a crafted pack burn time on every read. */
export const MAX_CHAIN = 10_000;

/** An entry as it is stored. Offsets are in bytes from the start of the pack. */
export interface PackEntry {
  readonly offset: number;
  /** 1 to 4: the object's type; 6, 7: delta (see entry.ts). */
  readonly kind: number;
  /** Inflated size of the zlib stream: the object, or the delta. */
  readonly sizeBytes: number;
  readonly dataOffset: number;
  /** The base's offset (ofs-delta) or id (ref-delta). */
  readonly base?: { readonly offset: number } | { readonly oid: Oid };
}

/** State that the packs of a store share for reading. */
export interface PackReading {
  readonly format: ObjectFormat;
  readonly windows: Windows;
  readonly cache: ObjectCache;
  readonly maxObjectBytes: number;
  /** Limits the bytes inflated and applied; undefined for no limit. */
  meter: ReadMeter | undefined;
  /** Limits the bytes spent on objects beyond the usual amount for their size. */
  waste: ReadMeter | undefined;
}

/** git's delta chains have fifty objects of similar sizes, most of them cached. */
const USUAL_RATIO = 64;
const USUAL_BYTES = 1024 * 1024;
/** Number of bases whose types are remembered. */
const REMEMBERED_TYPES = 4096;
const REMEMBERED_BASES = 65_536;

/** Cost of following a delta to its base, in addition to their bytes. */
const LINK_BYTES = 256;

/** A pack and its index, open for reading. Not re-entrant, as `Windows` is not. */
export class PackFile implements WindowedFile {
  readonly serial: number;
  private readonly header: EntryHeader;
  /** The bytes `header` was read from: a window, or a copy when it spans two. */
  private headerBytes: Uint8Array;
  private readonly headerCopy = new Uint8Array(MAX_ENTRY_HEADER_BYTES);
  private users = 1;
  /** Types of delta bases by offset; the files of a directory often share a base. */
  private readonly types = new Map<number, ObjectType>();
  /** Offsets of bases of lent objects. */
  private readonly lentBases = new Set<number>();

  private constructor(
    /** Path without `.pack`. */
    readonly stem: string,
    readonly fd: number,
    readonly sizeBytes: number,
    readonly index: PackIndex,
    private readonly reading: PackReading,
  ) {
    this.serial = reading.windows.nextSerial();
    this.header = new EntryHeader(reading.format);
    this.headerBytes = this.headerCopy;
  }

  /**
   * Opens `<stem>.pack` and `<stem>.idx`.
   * @throws CorruptObject when they are not a pack and its index
   */
  static open(stem: string, reading: PackReading): PackFile {
    const index = PackIndex.open(`${stem}.idx`, reading.format);
    let fd: number | undefined;
    try {
      fd = openFile(`${stem}.pack`, "r");
      const { size } = fstatSync(fd);
      const head = new Uint8Array(PACK_HEADER_BYTES);
      const read = readSync(fd, head, 0, head.length, 0);
      const view = new DataView(head.buffer);
      const version = view.getUint32(4);
      if (read < head.length || view.getUint32(0) !== 0x5041434b || (version !== 2 && version !== 3))
        throw new CorruptObject(`${stem}.pack is not a pack`);
      if (view.getUint32(8) !== index.objectCount)
        throw new CorruptObject(`${stem}.pack and its index count differently`);
      return new PackFile(stem, fd, size, index, reading);
    } catch (error) {
      index.close();
      if (fd !== undefined) closeFile(fd);
      throw error;
    }
  }

  /** Offset at which the entries end and the pack's checksum begins. */
  get bodyEnd(): number {
    return this.sizeBytes - this.reading.format.oidBytes;
  }

  get name(): string {
    return this.stem.slice(this.stem.lastIndexOf("/") + 1);
  }

  /** Keeps the files open until a matching `release`; a stream may outlive the store's use of the pack. */
  retain(): void {
    this.users++;
  }

  release(): void {
    this.users--;
    if (this.users > 0) return;
    this.reading.windows.forget(this);
    this.index.close();
    closeFile(this.fd);
  }

  /** The entry at `offset`. @throws CorruptObject when there cannot be one */
  entryAt(offset: number): PackEntry {
    const header = this.readHeader(offset);
    const { kind, sizeBytes } = header;
    const dataOffset = offset + header.length;
    if (kind === KIND_OFS_DELTA)
      return { offset, kind, sizeBytes, dataOffset, base: { offset: offset - header.baseDistance } };
    if (kind === KIND_REF_DELTA)
      return {
        offset,
        kind,
        sizeBytes,
        dataOffset,
        base: { oid: oidAt(this.reading.format, this.headerBytes, header.baseOidAt) },
      };
    return { offset, kind, sizeBytes, dataOffset };
  }

  /** The exclusive end of the entry at `offset`. Builds the pack order on first use. */
  entryEnd(offset: number): number {
    const place = this.placeAfter(offset);
    const { offsets } = this.index.packOrder();
    return place < offsets.length ? offsets[place]! : this.bodyEnd;
  }

  /** The object whose entry begins at `offset`, or undefined. Builds the pack order on first use. */
  oidAt(offset: number): Oid | undefined {
    const place = this.placeAfter(offset) - 1;
    const { rows, offsets } = this.index.packOrder();
    return offsets[place] === offset ? this.index.oidOf(rows[place]!) : undefined;
  }

  /** Number of entries that begin at or before `offset`. */
  private placeAfter(offset: number): number {
    const { offsets } = this.index.packOrder();
    let low = 0;
    let high = offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (offsets[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Reads raw stored bytes; returns how many were read. */
  readRaw(target: Uint8Array, position: number): number {
    return readSync(this.fd, target, 0, target.length, position);
  }

  /** Type and size of the object at `offset`. Reads only entry headers and the start of one delta. */
  objectHeader(offset: number): ObjectHeader {
    let at = offset;
    let sizeBytes = -1;
    let firstBase = -1;
    for (let depth = 0; depth < MAX_CHAIN; depth++) {
      const cached = this.reading.cache.get(this.cacheKey(at));
      if (cached) return { type: cached.type, sizeBytes: sizeBytes < 0 ? cached.data.length : sizeBytes };
      const header = this.readHeader(at);
      const type = typeOfKind(header.kind);
      this.reading.meter?.spend(LINK_BYTES);
      if (type) {
        if (firstBase >= 0) this.rememberType(firstBase, type);
        return { type, sizeBytes: sizeBytes < 0 ? header.sizeBytes : sizeBytes };
      }
      const base = this.baseOffset(at);
      if (sizeBytes < 0) {
        const start = new Uint8Array(Math.min(20, header.sizeBytes));
        const got = this.reading.windows.inflateStart(this, at + header.length, start);
        sizeBytes = readDeltaSizes(start, 0, got).resultSize;
      }
      at = base;
      if (firstBase < 0) firstBase = base;
      const known = this.types.get(base);
      if (known) return { type: known, sizeBytes };
    }
    throw new CorruptObject("delta chain is too long");
  }

  /** Whether the base at `at` was requested before, as with similar files. Never true of the object itself. */
  private isAskedAgain(at: number, offset: number): boolean {
    const { lentBases } = this;
    if (at === offset) return false;
    if (lentBases.has(at)) return true;
    if (lentBases.size >= REMEMBERED_BASES) lentBases.clear();
    lentBases.add(at);
    return false;
  }

  private rememberType(offset: number, type: ObjectType): void {
    if (this.types.size >= REMEMBERED_TYPES) this.types.clear();
    this.types.set(offset, type);
  }

  /**
   * The object at `offset`.
   * @param lent the bytes are needed only until the next read, and the object probably not again: it is built in
   * reused memory, as are its bases until one is requested a second time
   * @throws ObjectTooLarge CorruptObject
   */
  object(offset: number, oid: Oid, maxObjectBytes = this.reading.maxObjectBytes, lent = false): GitObject {
    const { cache, windows, meter, waste } = this.reading;
    // Three numbers per delta on the way to the base: its entry's offset, its stream's offset, and its size.
    const chain: number[] = [];
    let costBytes = 0;
    let at = offset;
    let found: GitObject | undefined;
    while (!found) {
      found = cache.get(this.cacheKey(at));
      if (found) break;
      const { kind, sizeBytes, length } = this.readHeader(at);
      if (sizeBytes > maxObjectBytes) throw new ObjectTooLarge(oid, sizeBytes);
      const type = typeOfKind(kind);
      meter?.spend(sizeBytes + LINK_BYTES);
      costBytes += sizeBytes;
      if (type) {
        if (lent && !this.isAskedAgain(at, offset)) {
          const data = windows.lent.of(sizeBytes + SPARE_BYTES);
          windows.inflateInto(this, at + length, data, 0, sizeBytes, data.length);
          found = { type, data: data.subarray(0, sizeBytes) };
        } else {
          found = { type, data: windows.inflate(this, at + length, sizeBytes) };
          cache.set(this.cacheKey(at), found);
        }
      } else {
        if (chain.length >= MAX_CHAIN * 3) throw new CorruptObject("delta chain is too long", { cause: oid });
        chain.push(at, at + length, sizeBytes);
        at = this.baseOffset(at);
      }
    }
    const { type } = found;
    let { lent: target, lentNext: other } = windows;
    for (let i = chain.length - 3; i >= 0; i -= 3) {
      const entry = chain[i]!;
      const deltaBytes = chain[i + 2]!;
      const delta = windows.inflateLent(this, chain[i + 1]!, deltaBytes);
      const base: Uint8Array = found.data;
      const { resultSize } = readDeltaSizes(delta, 0, deltaBytes);
      if (resultSize > maxObjectBytes) throw new ObjectTooLarge(oid, resultSize);
      meter?.spend(resultSize);
      costBytes += resultSize;
      const isLent = lent && !this.isAskedAgain(entry, offset);
      // Not zeroed: the delta fills all of it or is rejected.
      const data = isLent ? other.of(resultSize).subarray(0, resultSize) : Bun.allocUnsafe(resultSize);
      applyDeltaInto(base, 0, base.length, delta, 0, deltaBytes, data, 0);
      found = { type, data };
      if (isLent) [target, other] = [other, target];
      else cache.set(this.cacheKey(entry), found);
    }
    waste?.spend(Math.max(0, costBytes - USUAL_RATIO * found.data.length - USUAL_BYTES));
    return found;
  }

  /** Streams the content of a non-delta entry. Keeps the pack open until the stream ends, fails or is cancelled. */
  stream(entry: PackEntry): ReadableStream<Uint8Array> {
    return streamOfPieces(this.inflated(entry));
  }

  /** An entry's stored content or delta, inflated in pieces. The caller must close it. */
  inflated(entry: PackEntry): Pieces {
    return new InflatedEntry(this, entry);
  }

  /** Offset of a delta's base. @throws CorruptObject when the base is not in the pack */
  offsetOfBase({ offset }: PackEntry): number {
    this.readHeader(offset);
    return this.baseOffset(offset);
  }

  typeOf(offset: number): ObjectType {
    return this.objectHeader(offset).type;
  }

  private cacheKey(offset: number): number {
    return this.serial * 2 ** 40 + offset;
  }

  private readHeader(offset: number): EntryHeader {
    if (!(offset >= PACK_HEADER_BYTES && offset < this.bodyEnd))
      throw new CorruptObject(`${this.name} has no entry at ${offset}`);
    const { windows } = this.reading;
    const window = windows.holding(this, offset);
    const start = offset % WINDOW_BYTES;
    let isWhole: boolean;
    if (window.length - start >= MAX_ENTRY_HEADER_BYTES) {
      this.headerBytes = window;
      isWhole = this.header.read(window, start, window.length);
    } else {
      this.headerBytes = this.headerCopy;
      isWhole = this.header.read(this.headerCopy, 0, windows.copy(this, offset, this.headerCopy));
    }
    if (!isWhole) throw new CorruptObject(`${this.name} is cut short`);
    if (this.header.problem !== undefined) throw new CorruptObject(`${this.name}: ${this.header.problem}`);
    return this.header;
  }

  /** Offset of the base of the delta at `offset`, whose header must be the last one read. */
  private baseOffset(offset: number): number {
    const { header } = this;
    if (header.kind === KIND_OFS_DELTA) {
      if (header.baseDistance <= 0) throw new CorruptObject("delta that is its own base");
      return offset - header.baseDistance;
    }
    const base = this.index.find(oidAt(this.reading.format, this.headerBytes, header.baseOidAt));
    if (base < 0) throw new CorruptObject("delta without its base");
    return base;
  }
}

/** The inflated bytes of an entry; keeps its pack open until closed. */
class InflatedEntry implements Pieces {
  private readonly input = new Uint8Array(PIECE_BYTES);
  private readonly inflater = new Inflater();
  private position: number;
  private start = 0;
  private end = 0;
  private left: number;
  private isOpen = true;

  constructor(
    private readonly pack: PackFile,
    entry: PackEntry,
  ) {
    pack.retain();
    this.position = entry.dataOffset;
    this.left = entry.sizeBytes;
    this.inflater.reset();
  }

  next(): Uint8Array<ArrayBuffer> | undefined {
    const { input, inflater } = this;
    while (!inflater.ended) {
      const out = new Uint8Array(Math.min(this.left + 1, PIECE_BYTES));
      let made = 0;
      while (made < out.length && !inflater.ended) {
        if (this.start === this.end) {
          this.end = readSync(this.pack.fd, input, 0, input.length, this.position);
          this.position += this.end;
          this.start = 0;
          if (this.end === 0) throw new CorruptObject("zlib stream is cut short");
        }
        inflater.push(input, this.start, this.end, out, made, out.length);
        this.start += inflater.consumed;
        made += inflater.produced;
      }
      this.left -= made;
      if (this.left < 0 || (inflater.ended && this.left > 0)) throw new CorruptObject("zlib stream of another size");
      if (made > 0) return out.subarray(0, made);
    }
    return undefined;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.inflater.close();
    this.pack.release();
  }
}
