import { join } from "node:path";
import { CorruptObject, CostlyObject, ObjectTooLarge } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { hashObject } from "../objects/hash.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { GitObject, ObjectHeader, Oid } from "../objects/types.ts";
import { ByteCache, type ObjectCache } from "../packs/byte-cache.ts";
import type { PackFile, PackReading } from "../packs/pack-file.ts";
import { streamOfPieces } from "../packs/pieces.ts";
import { ReadingSpent, ReadMeter } from "../packs/read-meter.ts";
import { HELD_BYTES, unfoldedDelta } from "../packs/unfolded-delta.ts";
import { Windows } from "../packs/windows.ts";
import { objectFormatOf } from "./folder-format.ts";
import { LooseObjects } from "./loose.ts";
import { OpenPacks, type PackPlace } from "./open-packs.ts";

export interface StoreOptions {
  /** `read` throws for larger objects. */
  readonly maxObjectBytes?: number;
  /**
   * Limit on the bytes inflated and applied by one `read`; beyond it, `CostlyObject`. For threads that others wait for.
   * `metered` work has its own limit instead.
   */
  readonly maxReadBytes?: number;
  /** Supplies objects that were read elsewhere because they were too costly here. */
  readonly provided?: (oid: Oid) => GitObject | undefined;
  /** Bytes of recently read objects and delta bases to cache. */
  readonly cacheBytes?: number;
  /** A cache to use instead of a private one; cleared when the store is closed. */
  readonly cache?: ObjectCache;
  /** Hash every object read and compare it with its id. Sizes and zlib checksums are always checked. */
  readonly verify?: boolean;
  /** Directory for unnamed files in which streamed large deltas are unfolded; without it they are built in memory. */
  readonly spoolDir?: string;
  /** Further directories with packs, such as a quarantine. Read once, when the store opens. */
  readonly extraPackDirs?: readonly string[];
  /** Object directories of other repositories to read from as well. */
  readonly alternates?: readonly string[];
  /** The object format; by default the one in the repository's config. */
  readonly format?: ObjectFormat;
  /** Maps ids to the objects to read in their place (git-replace). */
  readonly replacements?: ReadonlyMap<Oid, Oid>;
}

/** git's own limit on chained replacements. */
const MAX_REPLACED = 5;

const MAX_DELTA_BYTES = 128 * 1024 * 1024;

/**
 * The objects of one bare repository, loose and packed. Packs that appear or vanish are noticed when
 * an object is not found. As in git, the empty tree is readable even if not stored; `has` reports what is stored.
 * `objects/info/alternates` is left to the caller (see `alternatesOf`).
 */
export class ObjectStore implements ObjectSource {
  readonly format: ObjectFormat;
  private readonly inPacks: OpenPacks;
  /** The repository's own loose objects, and those of its alternates. */
  private readonly loose: readonly LooseObjects[];
  private readonly reading: PackReading;
  private closed = false;

  private constructor(
    private readonly repoDir: string,
    private readonly options: StoreOptions,
  ) {
    this.format = options.format ?? objectFormatOf(repoDir);
    const directories = [join(repoDir, "objects"), ...(options.alternates ?? [])];
    this.loose = directories.map((directory) => new LooseObjects(directory, this.format));
    this.reading = {
      format: this.format,
      windows: new Windows(),
      cache: options.cache ?? new ByteCache(options.cacheBytes ?? 16 * 1024 * 1024),
      maxObjectBytes: options.maxObjectBytes ?? 128 * 1024 * 1024,
      meter: undefined,
      waste: undefined,
    };
    const borrowed = (options.alternates ?? []).map((directory) => join(directory, "pack"));
    const further = [...(options.extraPackDirs ?? []), ...borrowed];
    this.inPacks = new OpenPacks(join(repoDir, "objects", "pack"), this.reading, further);
  }

  /**
   * Opens the bare repository in directory `repoDir`. Costs a few file opens per pack.
   * @throws MissingRepository
   */
  static open(repoDir: string, options: StoreOptions = {}): ObjectStore {
    return new ObjectStore(repoDir, options);
  }

  /** Whether any objects are replaced. */
  get replaces(): boolean {
    return (this.options.replacements?.size ?? 0) > 0;
  }

  has(oid: Oid): boolean {
    return (
      this.inPacks.locate(oid) !== undefined ||
      this.loose.some((directory) => directory.has(oid)) ||
      (this.inPacks.rescan() && this.inPacks.locate(oid) !== undefined)
    );
  }

  header(named: Oid): ObjectHeader | undefined {
    const oid = this.standIn(named);
    const found = this.firstGood(
      oid,
      (pack, offset) => pack.objectHeader(offset),
      (loose) => loose.header(oid),
    );
    return found ?? (oid === this.format.emptyTree ? { type: "tree", sizeBytes: 0 } : undefined);
  }

  read(named: Oid): GitObject | undefined {
    return this.object(named, false);
  }

  readLent(named: Oid): GitObject | undefined {
    return this.object(named, true);
  }

  private object(named: Oid, lent: boolean): GitObject | undefined {
    const oid = this.standIn(named);
    const found =
      this.options.provided?.(oid) ??
      this.measured(oid, () =>
        this.firstGood(
          oid,
          (pack, offset) => this.checked(oid, pack.object(offset, oid, this.reading.maxObjectBytes, lent)),
          (loose) => {
            const object = loose.read(oid, this.reading.maxObjectBytes, this.reading.meter);
            return object && this.checked(oid, object);
          },
        ),
      );
    return found ?? (oid === this.format.emptyTree ? { type: "tree", data: new Uint8Array(0) } : undefined);
  }

  stream(named: Oid): ReadableStream<Uint8Array> | undefined {
    const oid = this.standIn(named);
    return this.measured(oid, () =>
      this.firstGood<ReadableStream<Uint8Array>>(
        oid,
        (pack, offset) => {
          const entry = pack.entryAt(offset);
          const header = pack.objectHeader(offset);
          if (!entry.base) return this.checkedStream(oid, header, pack.stream(entry));
          const { spoolDir } = this.options;
          if (spoolDir === undefined || header.sizeBytes <= HELD_BYTES)
            return oneChunk(this.checked(oid, pack.object(offset, oid, this.maxDeltaBytes)).data);
          const pieces = unfoldedDelta(pack, offset, { oid, maxBytes: this.maxDeltaBytes, spoolDir });
          return this.checkedStream(oid, header, streamOfPieces(pieces));
        },
        (loose) => {
          const stream = loose.stream(oid);
          const header = stream && loose.header(oid);
          return header && this.checkedStream(oid, header, stream);
        },
      ),
    );
  }

  /**
   * Runs work that may inflate and apply at most `bytes` bytes in all its reads; nested metered work counts towards it.
   * @throws ReadingSpent
   */
  metered<T>(bytes: number, work: () => T): T {
    const { reading } = this;
    if (reading.meter) return work();
    reading.meter = new ReadMeter(bytes);
    try {
      return work();
    } finally {
      reading.meter = undefined;
    }
  }

  /** From now on, limits the bytes wasted on objects that are absurdly costly for their size. */
  limitWaste(bytes: number): void {
    this.reading.waste = new ReadMeter(bytes);
  }

  /** Size limit for an object stored as a delta, however it is read: as large as a push may contain. */
  private get maxDeltaBytes(): number {
    return Math.max(this.reading.maxObjectBytes, MAX_DELTA_BYTES);
  }

  private measured<T>(oid: Oid, read: () => T): T {
    const { maxReadBytes } = this.options;
    if (maxReadBytes === undefined || this.reading.meter) return read();
    try {
      return this.metered(maxReadBytes, read);
    } catch (error) {
      throw error instanceof ReadingSpent ? new CostlyObject(this.repoDir, oid) : error;
    }
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    if (!/^[0-9a-f]{4,}$/.test(prefix) || prefix.length > this.format.oidDigits) return [];
    this.inPacks.rescan();
    const found = new Set(this.loose.flatMap((directory) => directory.findByPrefix(prefix)));
    for (const pack of this.inPacks) for (const oid of pack.index.findByPrefix(prefix, limit)) found.add(oid);
    return [...found].sort().slice(0, limit);
  }

  /** The open packs, most recently useful first. They stay open until the store closes or they vanish. */
  packs(): readonly PackFile[] {
    this.inPacks.rescan();
    return [...this.inPacks];
  }

  /** Locates the object in a pack, for copying stored bytes. */
  locate(oid: Oid): PackPlace | undefined {
    return this.inPacks.locate(oid);
  }

  /** The size of an object on disk and its delta base; undefined when the object does not exist. */
  stored(oid: Oid): { readonly diskBytes: number; readonly deltaBase: Oid | undefined } | undefined {
    const place = this.inPacks.locate(oid);
    if (place) {
      const { pack, offset } = place;
      const { base } = pack.entryAt(offset);
      const deltaBase = base && ("oid" in base ? base.oid : pack.oidAt(base.offset));
      return { diskBytes: pack.entryEnd(offset) - offset, deltaBase };
    }
    for (const directory of this.loose) {
      const diskBytes = directory.diskBytes(oid);
      if (diskBytes !== undefined) return { diskBytes, deltaBase: undefined };
    }
    return undefined;
  }

  /** Every id in the store, unordered; an object stored twice is listed twice. */
  *allOids(): Generator<Oid> {
    this.inPacks.rescan();
    for (const pack of [...this.inPacks])
      for (let row = 0; row < pack.index.objectCount; row++) yield pack.index.oidOf(row);
    yield* this.looseOids();
  }

  looseOids(): Oid[] {
    return this.loose.flatMap((directory) => directory.list());
  }

  /**
   * Closes packs that were removed and opens new ones. A miss also opens new packs and stops searching removed ones,
   * but leaves their files open for callers still copying from them. Call this between two pieces of work.
   */
  refresh(): void {
    this.inPacks.rescan();
    this.inPacks.releaseVanished();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.inPacks.close();
    this.reading.cache.clear();
    this.reading.windows.close();
    for (const directory of this.loose) directory.close();
  }

  private standIn(oid: Oid): Oid {
    const { replacements } = this.options;
    if (!replacements?.size) return oid;
    let found = oid;
    for (let depth = 0; ; depth++) {
      const next = replacements.get(found);
      if (next === undefined) return found;
      if (depth === MAX_REPLACED) throw new CorruptObject(`replace depth too high for object ${oid}`);
      found = next;
    }
  }

  /**
   * Tries each copy of the object in turn and returns the first good one.
   * @throws the first copy's error when no copy is good
   */
  private firstGood<T>(
    oid: Oid,
    fromPack: (pack: PackFile, offset: number) => T,
    fromLoose: (directory: LooseObjects) => T | undefined,
  ): T | undefined {
    let failure: unknown;
    const attempt = (get: () => T | undefined): T | undefined => {
      try {
        return get();
      } catch (error) {
        // A damaged header may claim any size, and another copy may still be readable.
        if (!(error instanceof CorruptObject || error instanceof ObjectTooLarge)) throw error;
        failure ??= error;
        return undefined;
      }
    };
    for (let round = 0; round < 2; round++) {
      const first = this.inPacks.locate(oid);
      if (first) {
        const found = attempt(() => fromPack(first.pack, first.offset));
        if (found !== undefined) return found;
        for (const pack of [...this.inPacks]) {
          const offset = pack === first.pack ? -1 : pack.index.find(oid);
          const other = offset < 0 ? undefined : attempt(() => fromPack(pack, offset));
          if (other !== undefined) return other;
        }
      }
      for (const directory of this.loose) {
        const loose = attempt(() => fromLoose(directory));
        if (loose !== undefined) return loose;
      }
      if (!this.inPacks.rescan()) break;
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }

  /** Passes the pieces through, the last one only if together they hash to the object's id. */
  private checkedStream(
    oid: Oid,
    header: ObjectHeader,
    stream: ReadableStream<Uint8Array>,
  ): ReadableStream<Uint8Array> {
    if (!this.options.verify) return stream;
    const hasher = new Bun.CryptoHasher(this.format.name).update(`${header.type} ${header.sizeBytes}\0`);
    const reader = stream.getReader();
    let held: Uint8Array | undefined;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          for (let step = await reader.read(); !step.done; step = await reader.read()) {
            const piece = held;
            hasher.update(step.value);
            held = step.value;
            if (piece) return controller.enqueue(piece);
          }
          if (hasher.digest("hex") !== oid) return controller.error(new CorruptObject(`object ${oid} has another id`));
          if (held) controller.enqueue(held);
          controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  private checked(oid: Oid, object: GitObject): GitObject {
    if (this.options.verify && hashObject(this.format, object.type, object.data) !== oid)
      throw new CorruptObject(`object ${oid} is stored with other content`);
    return object;
  }
}

function oneChunk(data: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      // A copy: the reader owns the chunks of a stream, and `data` may be shared with the cache.
      if (data.length > 0) controller.enqueue(data.slice());
      controller.close();
    },
  });
}
