import { renameSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { CorruptObject } from "../errors.ts";
import { deflated } from "../pack-objects/writer.ts";
import { KIND_OFS_DELTA, kindOfType } from "../packs/entry.ts";
import { writePackIndex } from "../packs/index-writer.ts";
import { PackWriter } from "../packs/pack-writer.ts";
import type { Chains } from "./chains.ts";
import { NONE, type PackingData } from "./packing-data.ts";
import type { Spill } from "./spill.ts";

/** Larger objects are deflated in pieces. */
const STREAMED_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Bytes read between two garbage collections. */
const TIDY_BYTES = 48 * 1024 * 1024;

export interface WrittenPack {
  /** The pack's checksum, which names it. */
  readonly packId: string;
  readonly objects: number;
  readonly bytes: number;
  /** Slots in index order, for the files that accompany the pack. */
  readonly order: Uint32Array;
}

/** Writes chosen objects of a `PackingData` into one pack with its index. */
export class RepackWriter {
  private readonly piece = new Uint8Array(PIECE_BYTES);
  private readonly offsets: Float64Array;
  private readonly crcs: Uint32Array;
  private untidyBytes = 0;

  constructor(
    private readonly packing: PackingData,
    private readonly chains: Chains,
    private readonly spill: Spill,
    private readonly onProgress?: (done: number, total: number) => void,
  ) {
    this.offsets = new Float64Array(packing.table.size);
    this.crcs = new Uint32Array(packing.table.size);
  }

  /**
   * Writes `pack-<id>.pack` and `.idx` into a directory. Objects are written in the given order, except that a base
   * comes before its deltas. Not flushed: the caller must do that when moving the files into place.
   * @throws CorruptObject when a stored entry is damaged
   */
  async write(directory: string, slots: Uint32Array): Promise<WrittenPack> {
    const path = join(directory, "new.pack");
    const writer = new PackWriter(path, this.packing.store.format, slots.length);
    let checksum: Buffer;
    try {
      let done = 0;
      for (const slot of slots) {
        await this.writeWithBases(slot, writer);
        if (++done % 4096 === 0) {
          this.onProgress?.(done, slots.length);
          await Bun.sleep(0);
        }
      }
      this.onProgress?.(slots.length, slots.length);
      checksum = writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    const packId = checksum.toString("hex");
    renameSync(path, join(directory, `pack-${packId}.pack`));
    const rows = {
      count: slots.length,
      word: (row: number, index: number) => this.packing.table.word(slots[row]!, index),
      crc: (row: number) => this.crcs[slots[row]!]!,
      offset: (row: number) => this.offsets[slots[row]!]!,
    };
    writePackIndex(join(directory, `pack-${packId}.idx`), this.packing.store.format, rows, checksum);
    return { packId, objects: slots.length, bytes: writer.position, order: slots };
  }

  private async writeWithBases(slot: number, writer: PackWriter): Promise<void> {
    if (this.offsets[slot] !== 0) return;
    const chain = [slot];
    for (
      let base = this.chains.bases[slot]!;
      base !== NONE && this.offsets[base] === 0;
      base = this.chains.bases[base]!
    )
      chain.push(base);
    for (let at = chain.pop(); at !== undefined; at = chain.pop()) await this.writeOne(at, writer);
  }

  private async writeOne(slot: number, writer: PackWriter): Promise<void> {
    const { packing, chains, spill } = this;
    const base = chains.bases[slot]!;
    if (base !== NONE && spill.has(slot)) {
      this.offsets[slot] = writer.begin(KIND_OFS_DELTA, spill.sizeOf(slot), this.offsets[base]!);
      writer.put(spill.read(slot));
    } else if (base !== NONE) {
      const entry = packing.delta[slot]!;
      this.offsets[slot] = writer.begin(KIND_OFS_DELTA, packing.sizes[entry]!, this.offsets[base]!);
      this.copyStream(entry, writer);
    } else if (packing.whole[slot] !== NONE) {
      const entry = packing.whole[slot]!;
      this.offsets[slot] = writer.begin(packing.kinds[entry]!, packing.sizes[entry]!);
      this.copyStream(entry, writer);
    } else await this.writeFresh(slot, writer);
    this.crcs[slot] = writer.end();
  }

  /** Writes an object that no pack stores whole. */
  private async writeFresh(slot: number, writer: PackWriter): Promise<void> {
    const size = this.packing.sizeOf(slot);
    const kind = kindOfType(this.packing.typeOf(slot));
    if (size <= STREAMED_BYTES) {
      const { data } = this.packing.read(slot);
      this.offsets[slot] = writer.object(kind, data);
      this.tidy(data.byteLength);
      return;
    }
    this.offsets[slot] = writer.begin(kind, size);
    const content = this.packing.store.stream(this.packing.table.oidOf(slot));
    if (!content) throw new CorruptObject(`missing object ${this.packing.table.oidOf(slot)}`);
    for await (const piece of deflated(content)) {
      writer.put(piece);
      this.tidy(piece.byteLength);
    }
  }

  /** Copies a zlib stream, verifying the whole stored entry against the checksum in its index. */
  private copyStream(entry: number, writer: PackWriter): void {
    const { packing, piece } = this;
    const pack = packing.packAt(entry);
    const file = packing.packs[pack]!;
    const start = packing.offsets[entry]!;
    const end = packing.endOf(entry, pack);
    let skip = packing.headBytes[entry]!;
    let crc = 0;
    for (let at = start; at < end; ) {
      const bytes = piece.subarray(0, Math.min(piece.length, end - at));
      const got = file.readRaw(bytes, at);
      if (got === 0) throw new CorruptObject(`${file.name} is cut short`);
      crc = crc32(got === bytes.length ? bytes : bytes.subarray(0, got), crc);
      writer.put(bytes.subarray(skip, got));
      skip = 0;
      at += got;
    }
    if (crc !== packing.crcs[entry]) throw new CorruptObject(`${file.name} is damaged at ${start}`);
  }

  private tidy(bytes: number): void {
    this.untidyBytes += bytes;
    if (this.untidyBytes < TIDY_BYTES) return;
    this.untidyBytes = 0;
    Bun.gc(true);
  }
}
