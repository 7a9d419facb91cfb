import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { CorruptObject } from "../errors.ts";
import { parseCommitLinks } from "../objects/commit.ts";
import { syncPath } from "../objects/durable.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { oidAt, oidBytes } from "../objects/hash.ts";
import { ObjectStore } from "../objects/store.ts";
import { parseTagLink } from "../objects/tag.ts";
import { eachTreeEntry, MODE_GITLINK } from "../objects/tree.ts";
import type { GitObject, Oid } from "../objects/types.ts";
import { type Closure, MAX_BOUNDARY, readClosure, removeClosure } from "../receive/closure.ts";
import { OidTable } from "../receive/oid-table.ts";
import { admit, type CrashPoint, discard, newQuarantine } from "../receive/quarantine.ts";
import { KIND_OFS_DELTA, KIND_REF_DELTA, kindOfType, typeOfKind } from "./entry.ts";
import { writePackIndex } from "./index-writer.ts";
import type { PackFile } from "./pack-file.ts";
import { PackWriter } from "./pack-writer.ts";

export interface ConsolidateOptions {
  /** Names (`pack-<id>`) of the packs to roll up; by default those `choosePacks` takes. */
  readonly packs?: readonly string[];
  /** Loose objects to roll up; by default all. Leave out what no ref reaches, or the new pack cannot be sent as it is. */
  readonly loose?: readonly Oid[];
  readonly signal?: AbortSignal;
  readonly crashPoint?: CrashPoint;
}

/** What was rolled up. The old packs and loose files are still there: remove them when no reader needs them any more. */
export interface Consolidated {
  readonly packId: string;
  readonly objects: number;
  readonly bytes: number;
  readonly replacedPacks: readonly string[];
  readonly replacedLoose: readonly Oid[];
}

/** Larger loose objects stay loose: they would have to be held whole to be packed. */
const MAX_LOOSE_BYTES = 32 * 1024 * 1024;

/**
 * Rolls loose objects and small packs into one new pack, durably, and leaves the old ones in place. Stored entries are
 * copied as they are, deltas included; nothing is inflated but loose objects. Undefined when there is nothing to gain.
 * @throws CorruptObject when a stored entry is damaged; nothing has changed then
 */
export function consolidate(repoDir: string, options: ConsolidateOptions = {}): Consolidated | undefined {
  const store = ObjectStore.open(repoDir);
  const quarantineDir = newQuarantine(repoDir);
  try {
    const names = new Set(options.packs ?? choosePacks(store.packs()));
    const packs = store.packs().filter((pack) => names.has(pack.name));
    const loose = looseToPack(store, options.loose ?? store.looseOids());
    if (loose.length === 0 && packs.length < 2) return undefined;
    const roll = new Roll(repoDir, store, quarantineDir, packs, loose, options);
    return roll.run();
  } finally {
    discard({ quarantineDir });
    store.close();
  }
}

/**
 * The smallest packs, as many as it takes for every other pack to hold at least twice the objects of all smaller ones
 * together: then the number of packs grows with the logarithm of the number of objects.
 */
export function choosePacks(packs: readonly PackFile[]): string[] {
  const sorted = [...packs].sort((a, b) => a.index.objectCount - b.index.objectCount);
  let chosen = 0;
  let below = 0;
  for (let i = 0; i < sorted.length; i++) {
    const count = sorted[i]!.index.objectCount;
    if (i > 0 && count < 2 * below) chosen = i + 1;
    below += count;
  }
  return sorted.slice(0, chosen).map((pack) => pack.name);
}

/** Removes packs a newer one replaces, the index first so that no reader finds a pack half gone. */
export function removePacks(repoDir: string, names: readonly string[]): void {
  const packDir = join(repoDir, "objects", "pack");
  for (const name of names) {
    for (const suffix of [".idx", ".pack", ".rev", ".bitmap", ".mtimes"])
      rmSync(join(packDir, name + suffix), { force: true });
    removeClosure(repoDir, name.replace(/^pack-/, ""));
  }
  syncPath(packDir);
}

/** Removes loose objects that are in a pack now. */
export function removeLoose(repoDir: string, oids: readonly Oid[]): void {
  for (const oid of oids) rmSync(join(repoDir, "objects", oid.slice(0, 2), oid.slice(2)), { force: true });
}

function looseToPack(store: ObjectStore, oids: readonly Oid[]): Oid[] {
  return oids.filter((oid) => (store.header(oid)?.sizeBytes ?? Number.POSITIVE_INFINITY) <= MAX_LOOSE_BYTES);
}

class Roll {
  private readonly table: OidTable;
  private offsets = new Float64Array(0);
  private crcs = new Uint32Array(0);
  private readonly piece = new Uint8Array(256 * 1024);

  constructor(
    private readonly repoDir: string,
    private readonly store: ObjectStore,
    private readonly quarantineDir: string,
    private readonly packs: readonly PackFile[],
    private readonly loose: readonly Oid[],
    private readonly options: ConsolidateOptions,
  ) {
    this.table = new OidTable(store.format);
  }

  run(): Consolidated {
    const { table, repoDir, quarantineDir } = this;
    for (const pack of this.packs)
      for (let row = 0; row < pack.index.objectCount; row++) table.addOid(pack.index.oidOf(row));
    const looseLinks = new LooseLinks(this.store.format);
    for (const oid of this.loose) table.addOid(oid);
    // 0 is where no entry can be: not written yet.
    this.offsets = new Float64Array(table.size);
    this.crcs = new Uint32Array(table.size);
    const path = join(quarantineDir, "new.pack");
    const writer = new PackWriter(path, this.store.format, table.size);
    let checksum: Buffer;
    try {
      for (const pack of this.packs) this.copyPack(pack, writer);
      for (const oid of this.loose) {
        const object = this.store.read(oid);
        if (!object) throw new CorruptObject(`loose object ${oid} is gone`);
        looseLinks.note(oid, object);
        const slot = table.findOid(oid);
        if (this.offsets[slot] !== 0) continue;
        this.offsets[slot] = writer.object(kindOfType(object.type), object.data);
        this.crcs[slot] = writer.end();
      }
      checksum = writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    const packId = checksum.toString("hex");
    const stem = join(quarantineDir, `pack-${packId}`);
    renameSync(path, `${stem}.pack`);
    const rows = {
      count: table.size,
      word: (row: number, index: number) => table.word(row, index),
      crc: (row: number) => this.crcs[row]!,
      offset: (row: number) => this.offsets[row]!,
    };
    writePackIndex(`${stem}.idx`, this.store.format, rows, checksum);
    this.options.crashPoint?.("consolidate: pack written");
    admit(
      {
        repoDir,
        quarantineDir,
        packId,
        objects: table.size,
        bytes: writer.position,
        inflatedBytes: 0,
        closure: this.closure(looseLinks),
        appendedBases: [],
      },
      this.options.crashPoint,
    );
    return {
      packId,
      objects: table.size,
      bytes: writer.position,
      replacedPacks: this.packs.map((pack) => pack.name).filter((name) => name !== `pack-${packId}`),
      replacedLoose: this.loose,
    };
  }

  /** Copies the entries that no earlier pack has given yet, in pack order. A delta's base is always written before or kept by id. */
  private copyPack(pack: PackFile, writer: PackWriter): void {
    const { rows, offsets } = pack.index.packOrder();
    for (let i = 0; i < rows.length; i++) {
      if (i % 1000 === 0) this.options.signal?.throwIfAborted();
      const row = rows[i]!;
      const slot = this.table.findOid(pack.index.oidOf(row));
      if (this.offsets[slot] !== 0) continue;
      const offset = offsets[i]!;
      const entry = pack.entryAt(offset);
      const type = typeOfKind(entry.kind);
      const baseOid = entry.base && ("oid" in entry.base ? entry.base.oid : this.oidAtOffset(pack, entry.base.offset));
      const baseOffset = baseOid === undefined ? 0 : this.offsets[this.table.findOid(baseOid)]!;
      if (type) this.offsets[slot] = writer.begin(entry.kind, entry.sizeBytes);
      else if (baseOffset > 0) this.offsets[slot] = writer.begin(KIND_OFS_DELTA, entry.sizeBytes, baseOffset);
      else if (baseOid !== undefined)
        this.offsets[slot] = writer.begin(KIND_REF_DELTA, entry.sizeBytes, oidBytes(baseOid));
      this.copyStored(pack, offset, entry.dataOffset, pack.entryEnd(offset), pack.index.crcOf(row), writer);
      this.crcs[slot] = writer.end();
    }
  }

  private oidAtOffset(pack: PackFile, offset: number): Oid {
    const { rows, offsets } = pack.index.packOrder();
    let low = 0;
    let high = offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    if (offsets[low] !== offset) throw new CorruptObject(`${pack.name} has a delta without its base`);
    return pack.index.oidOf(rows[low]!);
  }

  /** Copies a zlib stream, comparing the whole stored entry with the checksum its index has. */
  private copyStored(
    pack: PackFile,
    start: number,
    dataStart: number,
    end: number,
    expected: number,
    writer: PackWriter,
  ): void {
    let crc = 0;
    for (let at = start; at < end; ) {
      const piece = this.piece.subarray(0, Math.min(this.piece.length, end - at));
      const got = pack.readRaw(piece, at);
      if (got === 0) throw new CorruptObject(`${pack.name} is cut short`);
      crc = crc32(piece.subarray(0, got), crc);
      const skip = Math.max(0, dataStart - at);
      if (skip < got) writer.put(piece.subarray(skip, got));
      at += got;
    }
    if (crc !== expected) throw new CorruptObject(`${pack.name} is damaged at ${start}`);
  }

  /**
   * What the new pack is complete for, from what the old ones were: a tip that another part points to is none any more,
   * and what another part points to is no boundary when it is within. Null when one part is not known.
   */
  private closure(loose: LooseLinks): Closure | null {
    const tips = new Set<Oid>();
    const pointedTo = new Set<Oid>();
    let exact = true;
    for (const pack of this.packs) {
      const closure = readClosure(this.repoDir, pack.name.replace(/^pack-/, ""));
      if (!closure) return null;
      exact &&= closure.exact;
      for (const oid of closure.tips) tips.add(oid);
      for (const oid of closure.boundary) pointedTo.add(oid);
    }
    for (const oid of loose.tips()) tips.add(oid);
    for (const oid of loose.pointedTo) pointedTo.add(oid);
    const boundary = [...pointedTo].filter((oid) => this.table.findOid(oid) < 0);
    if (boundary.length > MAX_BOUNDARY) return null;
    return { tips: [...tips].filter((oid) => !pointedTo.has(oid)), boundary, exact };
  }
}

/** What loose objects point to. */
class LooseLinks {
  readonly pointedTo = new Set<Oid>();
  private readonly noted: Oid[] = [];

  constructor(private readonly format: ObjectFormat) {}

  note(oid: Oid, { type, data }: GitObject): void {
    this.noted.push(oid);
    if (type === "commit") {
      const { tree, parents } = parseCommitLinks(data);
      this.pointedTo.add(tree);
      for (const parent of parents) this.pointedTo.add(parent);
    } else if (type === "tag") this.pointedTo.add(parseTagLink(data).object);
    else if (type === "tree") {
      eachTreeEntry(data, this.format, (mode, _start, _end, oidStart) => {
        if ((mode & 0o170000) !== MODE_GITLINK) this.pointedTo.add(oidAt(this.format, data, oidStart));
        return true;
      });
    }
  }

  /** Those nothing else points to. */
  tips(): Oid[] {
    return this.noted.filter((oid) => !this.pointedTo.has(oid));
  }
}
