import { closeSync, fstatSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { BadPack } from "../errors.ts";
import { tooLargeProblem } from "../objects/fsck.ts";
import { ObjectStore } from "../objects/store.ts";
import { eachTreeEntry, isFolder } from "../objects/tree.ts";
import type { GitObject, Oid } from "../objects/types.ts";
import { encodeEntryHeader, encodePackHeader, kindOfType, typeOfKind } from "../packs/entry.ts";
import { writePackIndex } from "../packs/index-writer.ts";
import { Windows } from "../packs/windows.ts";
import { type Closure, MAX_BOUNDARY } from "./closure.ts";
import { assertSameContent, CollisionGuard } from "./collisions.ts";
import { Connectivity, type Needed } from "./connectivity.ts";
import { DeltaResolver } from "./delta-resolver.ts";
import { asBadPack, Indexer, type Located } from "./indexer.ts";
import { APPENDED, BESIDE, PRESENT, REFERENCED, type SpecialRole } from "./ledger.ts";
import { DEFAULT_LIMITS, type ReceiveLimits } from "./limits.ts";
import { PackReceiver } from "./pack-receiver.ts";
import { type CrashPoint, discard, newQuarantine, type Quarantined } from "./quarantine.ts";

export interface IngestOptions {
  /** The bare repository. */
  readonly repoDir: string;
  /** A folder from `newQuarantine`, for a caller that must be able to remove it whatever happens here. */
  readonly quarantineDir?: string;
  /** The pack as it comes from the client; null for a push that brings none. */
  readonly pack: AsyncIterable<Uint8Array> | null;
  readonly limits?: Partial<ReceiveLimits>;
  /** What the refs are to point to: all of it must be whole. */
  readonly newTips: readonly Oid[];
  /** The tips of all present refs, hidden ones too: what they reach is known to be whole. */
  readonly connectedTo: readonly Oid[];
  /**
   * Answers which of some stored commits are reachable from `connectedTo`, when a graph knows it faster than a walk
   * does. It may miss some: those are then walked to.
   */
  readonly findReachable?: (commits: readonly Oid[]) => ReadonlySet<Oid>;
  /** Refuse what `git fsck --strict` calls an error. */
  readonly strict: boolean;
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
  readonly crashPoint?: CrashPoint;
}

/**
 * Receives a pack into a quarantine folder of the repository and proves it sound: format, checksums, every object's
 * own rules, no id with two contents, everything the new tips reach present. Nothing of it is visible to readers
 * before `admit`. Runs in a worker: it blocks between chunks.
 * @throws BadPack with a message for the client; the quarantine is gone then
 * @throws DOMException AbortError when `signal` is aborted
 */
export async function ingestPack(options: IngestOptions): Promise<Quarantined> {
  const quarantineDir = options.quarantineDir ?? newQuarantine(options.repoDir);
  const store = ObjectStore.open(options.repoDir);
  try {
    options.crashPoint?.("ingest: quarantine made");
    if (!options.pack) return nothingReceived(options, store, quarantineDir);
    return await new Ingest(options, options.pack, store, quarantineDir).run();
  } catch (error) {
    discard({ quarantineDir });
    throw asBadPack(error);
  } finally {
    store.close();
  }
}

function nothingReceived(options: IngestOptions, store: ObjectStore, quarantineDir: string): Quarantined {
  new Connectivity(store, options.connectedTo, options.findReachable).prove(options.newTips.map((oid) => ({ oid })));
  return {
    repoDir: options.repoDir,
    quarantineDir,
    packId: null,
    objects: 0,
    bytes: 0,
    inflatedBytes: 0,
    closure: null,
    appendedBases: [],
  };
}

/** All files a push wants read as configuration; real ones are a few kilobytes each. */
const MAX_SPECIAL_BYTES = 128 * 1024 * 1024;
const PROGRESS_MS = 500;
const TIDY_BYTES = 16 * 1024 * 1024;

class Ingest {
  private readonly indexer: Indexer;
  private readonly windows = new Windows();
  private readonly path: string;
  private readonly fd: number;
  private readonly file: { readonly fd: number; readonly serial: number; sizeBytes: number };
  private readonly appended: Oid[] = [];
  private lastProgress = 0;
  private tidyAtBytes = TIDY_BYTES;

  constructor(
    private readonly options: IngestOptions,
    private readonly pack: AsyncIterable<Uint8Array>,
    private readonly store: ObjectStore,
    private readonly quarantineDir: string,
  ) {
    this.indexer = new Indexer(store.format, this.limits(), options.strict);
    this.path = join(quarantineDir, "incoming.pack");
    this.fd = openSync(this.path, "wx+", 0o600);
    this.file = { fd: this.fd, serial: this.windows.nextSerial(), sizeBytes: 0 };
  }

  async run(): Promise<Quarantined> {
    const { indexer, store, options } = this;
    try {
      const guard = new CollisionGuard(store);
      if (guard.isNeeded)
        indexer.onObject = (slot, kind, object) => guard.check(indexer.ledger.table, slot, kind, object);
      let checksum = await this.receive();
      options.crashPoint?.("ingest: pack received");
      this.file.sizeBytes = fstatSync(this.fd).size;
      const resolver = this.resolveDeltas();
      if (this.appended.length > 0) checksum = this.completeThinPack();
      this.checkObjects(resolver);
      if (indexer.entries.count === 0) return nothingReceived(options, store, this.quarantineDir);
      const packId = checksum.toString("hex");
      this.writeIndex(packId, checksum);
      options.crashPoint?.("ingest: index written");
      await this.checkStreamed(guard);
      const closure = this.checkConnectivity();
      options.crashPoint?.("ingest: connectivity checked");
      return {
        repoDir: options.repoDir,
        quarantineDir: this.quarantineDir,
        packId,
        objects: indexer.entries.count,
        bytes: this.file.sizeBytes,
        inflatedBytes: indexer.inflatedBytes,
        closure,
        appendedBases: this.appended,
      };
    } finally {
      closeSync(this.fd);
      this.windows.close();
    }
  }

  private limits(): ReceiveLimits {
    return { ...DEFAULT_LIMITS, ...this.options.limits };
  }

  private async receive(): Promise<Buffer> {
    const { indexer, options } = this;
    const receiver = new PackReceiver(this.store.format, this.fd, indexer, this.limits());
    indexer.receivedBytes = () => receiver.receivedBytes;
    try {
      for await (const chunk of this.pack) {
        options.signal?.throwIfAborted();
        receiver.feed(chunk);
        this.tidy(receiver.receivedBytes);
        this.progress(() => `Receiving objects: ${indexer.entries.count}, ${mebibytes(receiver.receivedBytes)} MiB\r`);
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
    const resolver: DeltaResolver = new DeltaResolver(indexer, this.windows, this.file, () =>
      this.progress(() => `Resolving deltas: ${resolver.resolved}/${total}\r`),
    );
    if (total === 0) return resolver;
    resolver.resolveWithin();
    const bases: { oid: Oid; entry: number; object: GitObject }[] = [];
    for (const oid of resolver.missingBases()) {
      const object = this.store.read(oid);
      if (object) bases.push({ oid, object, entry: this.append(object) });
    }
    for (const { oid, entry, object } of bases) {
      resolver.resolveAppended(entry, object);
      this.appended.push(oid);
    }
    resolver.finish();
    options.onProgress?.(`Resolving deltas: ${total}/${total}, done.\n`);
    return resolver;
  }

  /** Puts an object behind the others, where the trailer was. */
  private append(object: GitObject): number {
    const kind = kindOfType(object.type);
    const header = encodeEntryHeader(kind, object.data.length);
    const offset = this.file.sizeBytes - this.store.format.oidBytes;
    const stored = Buffer.concat([header, deflateSync(object.data)]);
    const entry = this.indexer.entries.add(offset, kind);
    this.indexer.entries.crcs[entry] = crc32(stored);
    writeAt(this.fd, stored, offset);
    this.file.sizeBytes += stored.length;
    this.windows.forget(this.file);
    return entry;
  }

  /** A thin pack that has been given its bases: its count and checksum are written anew. */
  private completeThinPack(): Buffer {
    writeAt(this.fd, encodePackHeader(this.indexer.entries.count), 0);
    const end = this.file.sizeBytes - this.store.format.oidBytes;
    const hasher = new Bun.CryptoHasher(this.store.format.name);
    const piece = new Uint8Array(1024 * 1024);
    for (let at = 0; at < end; ) {
      const got = readSync(this.fd, piece, 0, Math.min(piece.length, end - at), at);
      if (got === 0) throw new Error("the received pack changed on disk");
      hasher.update(piece.subarray(0, got));
      at += got;
    }
    const checksum = hasher.digest();
    writeAt(this.fd, checksum, end);
    return checksum;
  }

  /** Types as they are pointed to, and the files of the pack that git itself obeys. */
  private checkObjects(resolver: DeltaResolver): void {
    const { ledger, entries } = this.indexer;
    for (let entry = 0; entry < entries.count; entry++)
      ledger.checkExpectation(entries.slots[entry]!, entries.types[entry]!);
    ledger.depth.check(
      this.limits().treeDepth,
      (slot) => (ledger.table.flags[slot]! & (PRESENT | APPENDED)) === PRESENT,
      (slot) => this.subtreesOf(resolver.object(this.indexer.entryOfSlot(slot))),
    );
    if (!this.options.strict) return;
    const budget = { left: MAX_SPECIAL_BYTES };
    for (const role of ["gitmodules", "gitattributes"] as const)
      for (const slot of ledger.specials[role]) this.checkSpecial(role, slot, resolver, budget);
  }

  /** Checks what a tree names `.gitmodules` or `.gitattributes`, in the pack or in the repository. @throws BadPack */
  private checkSpecial(role: SpecialRole, slot: number, resolver: DeltaResolver, budget: { left: number }): void {
    const { ledger, entries } = this.indexer;
    const oid = ledger.table.oidOf(slot);
    const entry = this.indexer.entryOfSlot(slot);
    const inPack = (ledger.table.flags[slot]! & PRESENT) !== 0;
    const header = inPack ? undefined : this.store.header(oid);
    const type = inPack ? typeOfKind(entries.types[entry]!) : header?.type;
    if (type !== "blob") {
      const message = type === undefined ? `unable to read .${role} blob` : `non-blob found at .${role}`;
      const id = type === undefined ? (`${role}Missing` as const) : (`${role}Blob` as const);
      ledger.refuse("blob", oid, [{ id, severity: "error", message }]);
      return;
    }
    const sizeBytes = inPack ? resolver.objectSize(entry) : (header?.sizeBytes ?? 0);
    budget.left -= sizeBytes;
    if (budget.left < 0) throw new BadPack("the pack has too much in .gitmodules and .gitattributes");
    const tooLarge = tooLargeProblem(role, sizeBytes);
    if (tooLarge) ledger.refuse("blob", oid, [tooLarge]);
    else if (inPack) {
      const { bytes, start, length } = resolver.object(entry);
      ledger.inspectSpecial(role, bytes.subarray(start, start + length), oid);
    } else ledger.inspectSpecial(role, this.store.read(oid)?.data ?? new Uint8Array(0), oid);
  }

  private subtreesOf({ bytes, view, start, length }: Located): Uint32Array {
    const slots: number[] = [];
    eachTreeEntry(bytes.subarray(start, start + length), this.store.format, (mode, _start, _end, oidStart) => {
      if (isFolder(mode)) slots.push(this.indexer.ledger.table.find(view, start + oidStart));
      return true;
    });
    return Uint32Array.from(slots);
  }

  private writeIndex(packId: string, checksum: Uint8Array): void {
    const { entries, ledger } = this.indexer;
    const stem = join(this.quarantineDir, `pack-${packId}`);
    renameSync(this.path, `${stem}.pack`);
    writePackIndex(
      `${stem}.idx`,
      this.store.format,
      {
        count: entries.count,
        word: (row, index) => ledger.table.word(entries.slots[row]!, index),
        crc: (row) => entries.crcs[row]!,
        offset: (row) => entries.offsets[row]!,
      },
      checksum,
    );
  }

  /** Streamed blobs whose id the repository has already are compared now that both can be read. */
  private async checkStreamed(guard: CollisionGuard): Promise<void> {
    const { indexer } = this;
    const known = indexer.streamed
      .map((entry) => indexer.ledger.table.oidOf(indexer.entries.slots[entry]!))
      .filter((oid) => guard.isStored(oid));
    if (known.length === 0) return;
    const received = ObjectStore.open(this.quarantineDir, {
      extraPackDirs: [this.quarantineDir],
      format: this.store.format,
    });
    try {
      for (const oid of known) await assertSameContent(oid, received, this.store);
    } finally {
      received.close();
    }
  }

  private checkConnectivity(): Closure | null {
    const { options, store } = this;
    const { ledger } = this.indexer;
    const { table } = ledger;
    const tips = new Set(options.newTips);
    const roots: Oid[] = [];
    const needed: Needed[] = [];
    const boundary: Oid[] = [];
    const unproven = new Set<Oid>();
    for (let slot = 0; slot < table.size; slot++) {
      const flags = table.flags[slot]!;
      const own = (flags & PRESENT) !== 0 && (flags & APPENDED) === 0;
      if (own && !(flags & REFERENCED)) roots.push(table.oidOf(slot));
      if (!own && flags & REFERENCED) {
        const oid = table.oidOf(slot);
        needed.push({ oid, type: ledger.expectedType(slot) });
      }
      if (flags & (REFERENCED | BESIDE) && !(flags & PRESENT)) boundary.push(table.oidOf(slot));
      if (flags & APPENDED && !(flags & REFERENCED)) unproven.add(table.oidOf(slot));
    }
    for (const oid of tips) {
      const slot = table.findOid(oid);
      if (slot < 0 || !(table.flags[slot]! & PRESENT) || table.flags[slot]! & APPENDED) needed.push({ oid });
    }
    const rootsAreTips = roots.every((oid) => tips.has(oid));
    let seen: Set<Oid>;
    try {
      seen = new Connectivity(store, options.connectedTo, options.findReachable).prove(needed, unproven);
    } catch (error) {
      // What is missing may be missed only by objects of the pack that no tip reaches: then walk from the tips.
      if (rootsAreTips || !(error instanceof BadPack)) throw error;
      this.walkFromTips();
      return null;
    }
    if (boundary.length > MAX_BOUNDARY) return null;
    const exact = rootsAreTips && seen.size === unproven.size;
    return { tips: rootsAreTips ? roots : [...tips], boundary, exact };
  }

  private walkFromTips(): void {
    const both = ObjectStore.open(this.options.repoDir, { extraPackDirs: [this.quarantineDir] });
    try {
      new Connectivity(both, this.options.connectedTo, this.options.findReachable).prove(
        this.options.newTips.map((oid) => ({ oid })),
      );
    } finally {
      both.close();
    }
  }

  /** Chunks that were used up wait to be collected; see `TIDY_AFTER` in indexer.ts. */
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
