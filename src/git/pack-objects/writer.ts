import { createDeflate, deflateSync } from "node:zlib";
import { CorruptObject } from "../errors.ts";
import { oidBytes } from "../objects/hash.ts";
import type { Oid } from "../objects/types.ts";
import { DeltaBase, DeltaMaker } from "../packs/create-delta.ts";
import {
  encodeBaseDistance,
  encodeEntryHeader,
  encodePackHeader,
  KIND_OFS_DELTA,
  KIND_REF_DELTA,
  kindOfType,
  PACK_HEADER_BYTES,
} from "../packs/entry.ts";
import type { PackEntry, PackFile } from "../packs/pack-file.ts";
import type { Catalog } from "./catalog.ts";
import type { PackOutput } from "./output.ts";
import { positionOf, StoredEntries } from "./stored.ts";

/** The contents of a pack. Numbers are those of the catalogue. */
export interface PackContents {
  /** Packs (the first ones of the catalogue) whose entries are all sent unchanged. */
  readonly copied: readonly PackFile[];
  /** Further objects in groups; a delta and its base are always in the same group. */
  readonly groups: readonly Uint32Array[];
  /** Whether an object is in the pack, in any form. */
  isSent(number: number): boolean;
  /** Whether the client has the object, so that a delta may build on it. */
  isUninteresting(number: number): boolean;
  /** For objects to send: an object the client has at the same path, as a promising delta base. */
  readonly preferredBases?: ReadonlyMap<number, number>;
}

export interface PackOptions {
  /** Whether the client understands deltas that refer to their base by distance. */
  readonly ofsDelta: boolean;
  /** Whether the client completes deltas whose base it already has. */
  readonly thin: boolean;
}

export interface PackCounts {
  objects: number;
  deltas: number;
  /** Number of entries whose stored bytes were sent unchanged. */
  reused: number;
}

/** Objects larger than this are deflated in pieces. */
const STREAMED_BYTES = 4 * 1024 * 1024;

/** Fast, because the client is waiting and will repack on its own. */
const DEFLATE = { level: 3 };

export function countOf(contents: PackContents): number {
  const copied = contents.copied.reduce((sum, pack) => sum + pack.index.objectCount, 0);
  return contents.groups.reduce((sum, group) => sum + group.length, copied);
}

/** Whether the contents are exactly one stored pack, so that its file can be sent as it is, checksum included. */
export function isOneStoredPack(contents: PackContents): boolean {
  return contents.copied.length === 1 && contents.groups.every((group) => group.length === 0);
}

/**
 * Writes the pack. Stored bytes are copied unchanged, including deltas whose base is sent, or known to the client
 * of a thin pack; only deltas left without a base are inflated and deflated again. Within a group, entries are written
 * in the order of the stored packs, which puts bases before their deltas.
 * @throws CorruptObject ObjectTooLarge
 */
export async function writePack(
  catalog: Catalog,
  contents: PackContents,
  options: PackOptions,
  output: PackOutput,
): Promise<PackCounts> {
  const counts: PackCounts = { objects: countOf(contents), deltas: 0, reused: 0 };
  if (isOneStoredPack(contents)) {
    const pack = contents.copied[0]!;
    await output.copyStored(`${pack.stem}.pack`, pack.fd, pack.sizeBytes);
    counts.reused = counts.objects;
    return counts;
  }
  output.write(encodePackHeader(counts.objects));
  for (const pack of contents.copied) {
    await output.copyFile(pack.fd, PACK_HEADER_BYTES, pack.bodyEnd);
    counts.reused += pack.index.objectCount;
  }
  const writer = new EntryWriter(catalog, contents, options, output, counts);
  for (const group of contents.groups) await writer.writeGroup(group);
  output.writeTrailer();
  return counts;
}

/** Deltas of smaller objects save nothing; those of larger ones take too long while the client is waiting. */
const MIN_DELTA_BYTES = 100;
const MAX_DELTA_BYTES = 2 * 1024 * 1024;

class EntryWriter {
  private readonly base = new DeltaBase();
  private readonly maker = new DeltaMaker();

  constructor(
    private readonly catalog: Catalog,
    private readonly contents: PackContents,
    private readonly options: PackOptions,
    private readonly output: PackOutput,
    private readonly counts: PackCounts,
  ) {}

  async writeGroup(group: Uint32Array): Promise<void> {
    const numbers = group.slice().sort();
    let from = 0;
    for (let pack = 0; pack < this.catalog.packs.length; pack++) {
      const end = this.catalog.firstOf(pack + 1);
      let to = from;
      while (to < numbers.length && numbers[to]! < end) to++;
      if (to > from) await this.writeFromPack(pack, numbers.subarray(from, to));
      from = to;
    }
    for (const number of numbers.subarray(from)) await this.writeWhole(this.catalog.oidOf(number));
  }

  private async writeFromPack(packAt: number, numbers: Uint32Array): Promise<void> {
    const pack = this.catalog.packs[packAt]!;
    const first = this.catalog.firstOf(packAt);
    const offsets = new Float64Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) offsets[at] = pack.index.offsetOf(numbers[at]! - first);
    const stored = new StoredEntries(pack, offsets.sort(), () => this.catalog.offsetsOf(packAt));
    const positions = new Float64Array(offsets.length);
    const numberAt = this.numbersByOffset(pack, first, numbers);
    for (let at = 0; at < offsets.length; at++) {
      positions[at] = this.output.position;
      const entry = pack.entryAt(offsets[at]!);
      const head = this.headerFor(pack, packAt, entry, stored, positions);
      if ((!head || !entry.base) && this.writeNewDelta(numberAt.get(entry.offset), entry, stored.endOf(at, entry))) {
        this.counts.deltas++;
      } else if (head) {
        this.output.write(head);
        await this.output.copyFile(pack.fd, entry.dataOffset, stored.endOf(at, entry));
        this.counts.reused++;
        if (entry.base) this.counts.deltas++;
      } else await this.writeWhole(pack.index.oidOf(stored.rowAt(entry.offset)));
      if (this.output.isWaiting) await this.output.drain();
    }
  }

  /** Objects for which a version the client has is known, by offset. */
  private numbersByOffset(pack: PackFile, first: number, numbers: Uint32Array): Map<number, number> {
    const found = new Map<number, number>();
    const { preferredBases } = this.contents;
    if (!this.options.thin || !preferredBases?.size) return found;
    for (const number of numbers)
      if (preferredBases.has(number)) found.set(pack.index.offsetOf(number - first), number);
    return found;
  }

  /** Writes a delta against the client's object at the same path, if that is much smaller; returns whether it did. */
  private writeNewDelta(number: number | undefined, entry: PackEntry, end: number): boolean {
    const base = number === undefined ? undefined : this.contents.preferredBases?.get(number);
    if (number === undefined || base === undefined || !this.contents.isUninteresting(base)) return false;
    const { catalog } = this;
    const [header, baseHeader] = [catalog.header(number), catalog.header(base)];
    const isFit = header.type === baseHeader.type && header.sizeBytes >= MIN_DELTA_BYTES;
    if (!isFit || Math.max(header.sizeBytes, baseHeader.sizeBytes) > MAX_DELTA_BYTES) return false;
    this.base.load(catalog.read(base).data);
    const delta = this.maker.make(this.base, catalog.read(number).data, header.sizeBytes >>> 1);
    if (!delta) return false;
    const bytes = deflateSync(delta);
    if (!entry.base && bytes.length >= end - entry.dataOffset) return false;
    this.output.write(refDeltaHeader(delta.length, catalog.oidOf(base)));
    this.output.write(bytes);
    return true;
  }

  /** The header for sending the stored bytes; undefined when the base of a delta will not be available. */
  private headerFor(
    pack: PackFile,
    packAt: number,
    entry: PackEntry,
    stored: StoredEntries,
    positions: Float64Array,
  ): Uint8Array | undefined {
    const { base } = entry;
    if (!base) return encodeEntryHeader(entry.kind, entry.sizeBytes);
    if ("offset" in base && this.options.ofsDelta) {
      const at = positionOf(stored.offsets, base.offset);
      if (at >= 0)
        return joined(
          encodeEntryHeader(KIND_OFS_DELTA, entry.sizeBytes),
          encodeBaseDistance(this.output.position - positions[at]!),
        );
    }
    const oid = "oid" in base ? base.oid : this.oidAt(pack, stored, base.offset);
    const number = this.catalog.find(oid);
    if (number < 0) throw new CorruptObject(`delta base ${oid} is missing`);
    // A base numbered in a later pack could in turn build on this object, so allow only this pack and earlier ones.
    if (this.catalog.packAt(number) > packAt) return undefined;
    const usable = this.contents.isSent(number) || (this.options.thin && this.contents.isUninteresting(number));
    return usable ? refDeltaHeader(entry.sizeBytes, oid) : undefined;
  }

  private oidAt(pack: PackFile, stored: StoredEntries, offset: number): Oid {
    const row = stored.rowAt(offset);
    if (row < 0) throw new CorruptObject(`${pack.name} has a delta without its base`);
    return pack.index.oidOf(row);
  }

  private async writeWhole(oid: Oid): Promise<void> {
    const header = this.catalog.store.header(oid);
    if (!header) throw new CorruptObject(`missing object ${oid}`);
    this.output.write(encodeEntryHeader(kindOfType(header.type), header.sizeBytes));
    if (header.sizeBytes <= STREAMED_BYTES) {
      this.output.write(deflateSync(this.catalog.store.read(oid)!.data, DEFLATE));
    } else {
      for await (const piece of deflated(this.catalog.store.stream(oid)!)) {
        this.output.write(piece);
        if (this.output.isWaiting) await this.output.drain();
      }
    }
    if (this.output.isWaiting) await this.output.drain();
  }
}

function refDeltaHeader(sizeBytes: number, base: Oid): Uint8Array {
  return joined(encodeEntryHeader(KIND_REF_DELTA, sizeBytes), oidBytes(base));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** Deflates content into a zlib stream, in pieces. */
export async function* deflated(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflate = createDeflate(DEFLATE);
  const feed = async () => {
    for await (const piece of content)
      if (!deflate.write(piece)) await new Promise((resolve) => deflate.once("drain", resolve));
    deflate.end();
  };
  const fed = feed().catch((error) => deflate.destroy(error));
  for await (const piece of deflate) yield piece as Uint8Array;
  await fed;
}
