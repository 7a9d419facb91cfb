import { fstatSync, readSync, writeSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { BadPack, UnsoundObject } from "../errors.ts";
import { type FsckId, type Problem, tooLargeProblem } from "../object-checks/fsck.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { eachTreeEntry, isTreeMode } from "../objects/tree.ts";
import type { GitObject, Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { encodeEntryHeader, encodePackHeader, kindOfType, typeOfKind } from "../packs/entry.ts";
import { writePackIndex } from "../packs/index-writer.ts";
import { Windows } from "../packs/windows.ts";
import { CollisionGuard } from "./collisions.ts";
import { DeltaResolver } from "./delta-resolver.ts";
import { Indexer, type Located } from "./indexer.ts";
import type { ReceiveLimits } from "./limits.ts";
import { type Checks, PRESENT, REFERENCED, type SpecialRole } from "./object-links.ts";
import { PackReceiver } from "./pack-receiver.ts";

export interface IndexingOptions {
  /** The pack's file, open for reading; also for writing unless `isStored`. */
  readonly fd: number;
  /** Whether the pack's bytes are in the file already, and so need not be written. */
  readonly isStored: boolean;
  readonly format: ObjectFormat;
  /** The repository's objects: an id it already holds must arrive with the same content. */
  readonly store?: ObjectStore;
  /** Whether bases that a thin pack omits are read from the store and appended. */
  readonly completeThin: boolean;
  /** The bytes come over a connection that may stay open: the end of the pack ends the input. */
  readonly endsItself?: boolean;
  readonly checks: Checks;
  /** Problems that do not get an object refused. */
  readonly accepted?: readonly FsckId[];
  readonly limits: ReceiveLimits;
  readonly onProgress?: (text: string) => void;
  /** Called once the pack has arrived, before objects of many megabytes are held in memory; may block. */
  readonly beforeLargeObjects?: () => void;
  readonly signal?: AbortSignal;
  /** Called with objects that a tree names `.gitmodules` and that are missing; without it such a pack is refused. */
  readonly onMissingModules?: (oid: Oid) => void;
  /** Called with the fsck problems of an object, whether or not it is refused for them. */
  readonly onProblems?: (oid: Oid, problems: readonly Problem[]) => void;
  /** Called every few milliseconds of work; may delay it. */
  readonly onWork?: () => void;
}

/** Limit for all configuration files in a push together; real ones are a few kilobytes each. */
const MAX_SPECIAL_BYTES = 128 * 1024 * 1024;
const PROGRESS_MS = 500;
const TIDY_BYTES = 16 * 1024 * 1024;

/** Turns a pack into the rows of its index: parses it as it arrives, resolves its deltas, checks its objects. */
export class PackIndexing {
  readonly indexer: Indexer;
  /** Undefined if there is nothing to collide with. */
  readonly guard: CollisionGuard | undefined;
  /** Bases that were appended to a thin pack. */
  readonly appended: Oid[] = [];
  private readonly windows = new Windows();
  private readonly file: { readonly fd: number; readonly serial: number; sizeBytes: number };
  private lastProgress = 0;
  private tidyAtBytes = TIDY_BYTES;

  constructor(private readonly options: IndexingOptions) {
    this.indexer = new Indexer(
      options.format,
      options.limits,
      options.checks,
      options.accepted ?? [],
      options.onProblems,
    );
    this.file = { fd: options.fd, serial: this.windows.nextSerial(), sizeBytes: 0 };
    const guard = options.store && new CollisionGuard(options.store);
    this.guard = guard?.isNeeded ? guard : undefined;
  }

  /** Size of the pack in bytes, once it has arrived and is complete. */
  get sizeBytes(): number {
    return this.file.sizeBytes;
  }

  /**
   * Returns the pack's checksum, which names it.
   * @throws BadPack CorruptObject
   */
  async run(pack: AsyncIterable<Uint8Array>, onReceived: () => void = () => {}): Promise<Buffer> {
    const { indexer, guard } = this;
    if (guard) indexer.onObject = (slot, kind, object) => guard.check(indexer.objectLinks.table, slot, kind, object);
    const checksum = await this.receive(pack);
    onReceived();
    this.file.sizeBytes = fstatSync(this.options.fd).size;
    const resolver = this.resolveDeltas();
    const completed = this.appended.length > 0 ? this.completeThinPack() : checksum;
    this.checkObjects(resolver);
    indexer.release();
    return completed;
  }

  close(): void {
    this.windows.close();
  }

  private async receive(pack: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const { indexer, options } = this;
    const receiver = new PackReceiver(
      options.format,
      options.isStored ? undefined : options.fd,
      indexer,
      options.limits,
    );
    indexer.receivedBytes = () => receiver.receivedBytes;
    try {
      for await (const chunk of pack) {
        options.signal?.throwIfAborted();
        receiver.feed(chunk);
        options.onWork?.();
        this.tidy(receiver.receivedBytes);
        this.progress(() => `Receiving objects: ${indexer.entries.count}, ${mebibytes(receiver.receivedBytes)} MiB\r`);
        if (options.endsItself && receiver.isComplete) break;
      }
      options.signal?.throwIfAborted();
      const checksum = receiver.finish();
      if (indexer.entries.count > 0)
        options.onProgress?.(
          `Receiving objects: ${indexer.entries.count}, ${mebibytes(receiver.receivedBytes)} MiB, done.\n`,
        );
      return Buffer.from(checksum);
    } finally {
      receiver.close();
    }
  }

  private resolveDeltas(): DeltaResolver {
    const { indexer, options } = this;
    const total = indexer.waiting.length;
    indexer.beforeLargeObjects = options.beforeLargeObjects ?? (() => {});
    const resolver: DeltaResolver = new DeltaResolver(indexer, this.windows, this.file, () => {
      options.onWork?.();
      this.progress(() => `Resolving deltas: ${resolver.resolved}/${total}\r`);
    });
    resolver.makeDeferred();
    if (total === 0) return resolver;
    resolver.resolveWithin();
    for (const oid of options.completeThin ? resolver.missingBases() : []) {
      const object = options.store?.read(oid);
      if (!object) continue;
      resolver.resolveAppended(this.append(object), object);
      this.appended.push(oid);
    }
    resolver.finish();
    Bun.gc(true);
    options.onProgress?.(`Resolving deltas: ${total}/${total}, done.\n`);
    return resolver;
  }

  /** Appends an object to the pack, overwriting the trailer. */
  private append(object: GitObject): number {
    const kind = kindOfType(object.type);
    const header = encodeEntryHeader(kind, object.data.length);
    const offset = this.file.sizeBytes - this.options.format.oidBytes;
    const deflated = deflateSync(object.data);
    const entry = this.indexer.entries.add(offset, kind);
    this.indexer.entries.crcs[entry] = crc32(deflated, crc32(header));
    // `Inflater` sees the end of a stream only if something follows it, so room is left for the trailer.
    let end = offset;
    for (const part of [header, deflated, new Uint8Array(this.options.format.oidBytes)]) {
      writeAt(this.options.fd, part, end);
      end += part.length;
    }
    this.file.sizeBytes += header.length + deflated.length;
    this.windows.forget(this.file);
    return entry;
  }

  /** Rewrites the count and checksum of a thin pack after its bases were appended. */
  private completeThinPack(): Buffer {
    writeAt(this.options.fd, encodePackHeader(this.indexer.entries.count), 0);
    const end = this.file.sizeBytes - this.options.format.oidBytes;
    const hasher = new Bun.CryptoHasher(this.options.format.name);
    const piece = new Uint8Array(1024 * 1024);
    for (let at = 0; at < end; ) {
      const got = readSync(this.options.fd, piece, 0, Math.min(piece.length, end - at), at);
      if (got === 0) throw new Error("the received pack changed on disk");
      hasher.update(piece.subarray(0, got));
      at += got;
    }
    const checksum = hasher.digest();
    writeAt(this.options.fd, checksum, end);
    return checksum;
  }

  /** Checks that types match the links, the depth of trees, and the files that git itself obeys. */
  private checkObjects(resolver: DeltaResolver): void {
    const { objectLinks, entries } = this.indexer;
    for (let entry = 0; entry < entries.count; entry++)
      objectLinks.checkExpectation(entries.slots[entry]!, entries.types[entry]!);
    objectLinks.depth.check(this.options.limits.treeDepth, (slot) =>
      this.subtreesOf(resolver.object(this.indexer.entryOfSlot(slot))),
    );
    if (this.options.checks !== "fsck") return;
    const budget = { left: MAX_SPECIAL_BYTES };
    // As in git, all of these are reported before the first one gets the pack refused.
    let unsound: UnsoundObject | undefined;
    for (const role of ["gitmodules", "gitattributes"] as const) {
      for (const slot of objectLinks.specials[role]) {
        try {
          this.checkSpecial(role, slot, resolver, budget);
        } catch (error) {
          if (!(error instanceof UnsoundObject)) throw error;
          unsound ??= error;
          if (!this.options.onProblems) throw unsound;
        }
      }
    }
    if (unsound) throw unsound;
  }

  /** Checks a blob that trees name `.gitmodules` or `.gitattributes`, in the pack or the repository. @throws BadPack */
  private checkSpecial(role: SpecialRole, slot: number, resolver: DeltaResolver, budget: { left: number }): void {
    const { objectLinks, entries } = this.indexer;
    const oid = objectLinks.table.oidOf(slot);
    const entry = this.indexer.entryOfSlot(slot);
    const inPack = (objectLinks.table.flags[slot]! & PRESENT) !== 0;
    const header = inPack ? undefined : this.options.store?.header(oid);
    const type = inPack ? typeOfKind(entries.types[entry]!) : header?.type;
    if (type === undefined && role === "gitmodules" && this.options.onMissingModules) {
      this.options.onMissingModules(oid);
    } else if (type !== "blob") {
      const message = type === undefined ? `unable to read .${role} blob` : `non-blob found at .${role}`;
      const id = type === undefined ? (`${role}Missing` as const) : (`${role}Blob` as const);
      objectLinks.refuse("blob", oid, [{ id, severity: "error", message }]);
    }
    if (type !== "blob") return;
    const sizeBytes = inPack ? resolver.objectSize(entry) : (header?.sizeBytes ?? 0);
    budget.left -= sizeBytes;
    if (budget.left < 0) throw new BadPack("the pack has too much in .gitmodules and .gitattributes");
    const tooLarge = tooLargeProblem(role, sizeBytes);
    if (tooLarge) objectLinks.refuse("blob", oid, [tooLarge]);
    else if (inPack) {
      const { bytes, start, length } = resolver.object(entry);
      objectLinks.inspectSpecial(role, bytes.subarray(start, start + length), oid);
    } else objectLinks.inspectSpecial(role, this.options.store?.read(oid)?.data ?? new Uint8Array(0), oid);
  }

  /**
   * Checks that everything the pack's objects point to exists in the pack or the store, with the expected type.
   * @throws BadPack worded as by `git index-pack --strict`
   */
  checkLinks(): void {
    const { objectLinks } = this.indexer;
    const { table } = objectLinks;
    for (let slot = 0; slot < table.size; slot++) {
      if ((table.flags[slot]! & (PRESENT | REFERENCED)) !== REFERENCED) continue;
      const oid = table.oidOf(slot);
      const header = this.options.store?.header(oid);
      if (!header) throw new BadPack(`did not receive expected object ${oid}`, oid);
      const expected = objectLinks.expectedType(slot);
      if (header.type !== expected)
        throw new BadPack(`object ${oid}: expected type ${expected}, found ${header.type}`, oid);
    }
  }

  private subtreesOf({ bytes, view, start, length }: Located): Uint32Array {
    const slots: number[] = [];
    eachTreeEntry(bytes.subarray(start, start + length), this.options.format, (mode, _start, _end, oidStart) => {
      if (isTreeMode(mode)) slots.push(this.indexer.objectLinks.table.find(view, start + oidStart));
      return true;
    });
    return Uint32Array.from(slots);
  }

  /** Writes the index to a new file. @throws the system's error when the file exists */
  writeIndex(path: string, checksum: Uint8Array): void {
    const { entries, objectLinks } = this.indexer;
    const rows = {
      count: entries.count,
      word: (row: number, index: number) => objectLinks.table.word(entries.slots[row]!, index),
      crc: (row: number) => entries.crcs[row]!,
      offset: (row: number) => entries.offsets[row]!,
    };
    writePackIndex(path, this.options.format, rows, checksum);
  }

  /** Used chunks wait to be collected; see `TIDY_AFTER` in indexer.ts. */
  private tidy(receivedBytes: number): void {
    if (receivedBytes < this.tidyAtBytes) return;
    this.tidyAtBytes = receivedBytes + TIDY_BYTES;
    Bun.gc(true);
  }

  private progress(text: () => string): void {
    const { onProgress } = this.options;
    if (!onProgress) return;
    const now = performance.now();
    if (now - this.lastProgress < PROGRESS_MS) return;
    this.lastProgress = now;
    onProgress(text());
  }
}

function writeAt(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

function mebibytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(2);
}
