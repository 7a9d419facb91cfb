import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import type { Oid } from "../objects/types.ts";
import { type BloomKey, HASHES_PER_PATH, mayContain } from "./bloom.ts";
import {
  BLOOM_HEADER_BYTES,
  chunkId,
  FANOUT_BYTES,
  FILE_VERSION,
  formatOfVersion,
  HEADER_BYTES,
  LOW_31_BITS,
  NO_PARENT,
  ROW_REST_BYTES,
  SIGNATURE,
  TABLE_ROW_BYTES,
  TOP_BIT,
} from "./format.ts";

interface Chunk {
  readonly start: number;
  readonly end: number;
}

/** The bytes are not a usable commit-graph; the message says why, in git's words where git has any. */
export class BadGraph extends CorruptObject {
  override name = "BadGraph";
}

/**
 * One commit-graph file in memory: a whole graph, or a layer of a chain. Rows are numbered within this file,
 * parents by their position in the whole chain. Everything is decoded on demand.
 */
export class GraphLayer {
  readonly count: number;
  /** Whether there are changed-path filters of a supported kind. */
  readonly hasFilters: boolean;
  /** Whether generations are corrected commit dates; topological levels otherwise. */
  readonly hasCorrectedDates: boolean;
  /** Checksums of the layers below, lowest first. */
  readonly bases: readonly string[];

  private readonly view: DataView;
  private readonly fanout: number;
  private readonly oids: number;
  private readonly rows: number;
  private readonly edges: Chunk | undefined;
  private readonly dates: Chunk | undefined;
  private readonly bigDates: Chunk | undefined;
  private readonly filterEnds: Chunk | undefined;
  private readonly filters: Chunk | undefined;
  private readonly oidBytes: number;
  private readonly rowBytes: number;

  private constructor(
    private readonly bytes: Buffer,
    readonly format: ObjectFormat,
    chunks: ReadonlyMap<number, Chunk>,
    baseCount: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.oidBytes = format.oidBytes;
    this.rowBytes = format.oidBytes + ROW_REST_BYTES;
    const need = (name: string, size?: number): Chunk => {
      const chunk = chunks.get(chunkId(name));
      if (!chunk) throw new BadGraph(`commit-graph is missing the ${name} chunk`);
      if (size !== undefined && chunk.end - chunk.start !== size)
        throw new BadGraph(`commit-graph ${name} chunk is the wrong size`);
      return chunk;
    };
    this.fanout = need("OIDF", FANOUT_BYTES).start;
    let previous = 0;
    for (let i = 0; i < 256; i++) {
      const total = this.view.getUint32(this.fanout + i * 4);
      if (total < previous) throw new BadGraph("commit-graph fanout values out of order");
      previous = total;
    }
    this.count = previous;
    this.oids = need("OIDL", this.count * this.oidBytes).start;
    this.rows = need("CDAT", this.count * this.rowBytes).start;
    this.edges = chunks.get(chunkId("EDGE"));
    this.hasCorrectedDates = chunks.has(chunkId("GDA2"));
    if (this.hasCorrectedDates) this.dates = need("GDA2", this.count * 4);
    this.bigDates = chunks.get(chunkId("GDO2"));
    const filters = chunks.get(chunkId("BDAT"));
    if (filters && chunks.has(chunkId("BIDX")) && filters.end - filters.start >= BLOOM_HEADER_BYTES) {
      // Bits per path may be any number, as lookups depend only on a filter's length.
      if (this.view.getUint32(filters.start) === 1 && this.view.getUint32(filters.start + 4) === HASHES_PER_PATH) {
        this.filters = filters;
        this.filterEnds = need("BIDX", this.count * 4);
      }
    }
    this.hasFilters = this.filters !== undefined;
    const base = baseCount === 0 ? undefined : need("BASE", baseCount * this.oidBytes);
    this.bases = Array.from({ length: baseCount }, (_, i) =>
      bytes.toString("hex", base!.start + i * this.oidBytes, base!.start + (i + 1) * this.oidBytes),
    );
  }

  get sizeBytes(): number {
    return this.bytes.length;
  }

  /**
   * Parses the bytes of a file and verifies its checksum.
   * @throws BadGraph
   */
  static parse(bytes: Buffer): GraphLayer {
    const layer = GraphLayer.parseUnchecked(bytes);
    if (layer.isChecksumRight()) return layer;
    throw new BadGraph("the commit-graph file has incorrect checksum and is likely corrupt");
  }

  /** Parses the bytes without verifying the checksum, for code that looks for damage. @throws BadGraph */
  static parseUnchecked(bytes: Buffer): GraphLayer {
    if (bytes.length < HEADER_BYTES + TABLE_ROW_BYTES) throw new BadGraph("commit-graph file is too small");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint32(0) !== SIGNATURE) throw new BadGraph("commit-graph signature does not match");
    if (view.getUint8(4) !== FILE_VERSION) throw new BadGraph("commit-graph version does not match");
    const format = formatOfVersion(view.getUint8(5));
    if (!format) throw new BadGraph("commit-graph hash version does not match");
    const chunkCount = view.getUint8(6);
    const limit = bytes.length - format.oidBytes;
    if (HEADER_BYTES + (chunkCount + 1) * TABLE_ROW_BYTES > limit)
      throw new BadGraph("commit-graph file is too small to hold its chunks");
    const chunks = new Map<number, Chunk>();
    const offsetAt = (row: number) => Number(view.getBigUint64(HEADER_BYTES + row * TABLE_ROW_BYTES + 4));
    for (let i = 0; i < chunkCount; i++) {
      const chunk = { start: offsetAt(i), end: offsetAt(i + 1) };
      if (chunk.start > chunk.end || chunk.end > limit) throw new BadGraph("improper chunk offset");
      chunks.set(view.getUint32(HEADER_BYTES + i * TABLE_ROW_BYTES), chunk);
    }
    return new GraphLayer(bytes, format, chunks, view.getUint8(7));
  }

  /** The checksum stored in the file, by which a chain layer is named. */
  get checksum(): string {
    return this.bytes.toString("hex", this.bytes.length - this.oidBytes);
  }

  isChecksumRight(): boolean {
    const body = this.bytes.subarray(0, this.bytes.length - this.oidBytes);
    return new Bun.CryptoHasher(this.format.name).update(body).digest("hex") === this.checksum;
  }

  /** Number of ids with a first byte of at most `first`. */
  fanoutAt(first: number): number {
    return this.view.getUint32(this.fanout + first * 4);
  }

  /** The commit's row; -1 when it is not in this layer. */
  rowOf(oid: Oid): number {
    const a = Number.parseInt(oid.slice(0, 8), 16);
    const b = Number.parseInt(oid.slice(8, 16), 16);
    const first = a >>> 24;
    let low = first === 0 ? 0 : this.fanoutAt(first - 1);
    let high = this.fanoutAt(first);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.oids + middle * this.oidBytes;
      const order = this.view.getUint32(at) - a || this.view.getUint32(at + 4) - b || this.compareTail(at + 8, oid);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  private compareTail(at: number, oid: Oid): number {
    for (let i = 16; i < oid.length; i += 8) {
      const order = this.view.getUint32(at + (i - 16) / 2) - Number.parseInt(oid.slice(i, i + 8), 16);
      if (order !== 0) return order;
    }
    return 0;
  }

  oidAt(row: number): Oid {
    const at = this.oids + this.checked(row) * this.oidBytes;
    return this.bytes.toString("hex", at, at + this.oidBytes);
  }

  treeAt(row: number): Oid {
    const at = this.rows + row * this.rowBytes;
    return this.bytes.toString("hex", at, at + this.oidBytes);
  }

  /** Position of the first parent; -1 for a root commit. */
  firstParentAt(row: number): number {
    const parent = this.view.getUint32(this.rows + row * this.rowBytes + this.oidBytes);
    return parent === NO_PARENT ? -1 : parent;
  }

  /** Position of the only further parent; -1 when there is none, -2 when there are more (see `parentsAt`). */
  secondParentAt(row: number): number {
    const parent = this.view.getUint32(this.rows + row * this.rowBytes + this.oidBytes + 4);
    if (parent === NO_PARENT) return -1;
    return parent >= TOP_BIT ? -2 : parent;
  }

  /** Positions of all parents, in order. @throws BadGraph when the list does not end */
  parentsAt(row: number): number[] {
    const first = this.firstParentAt(row);
    if (first < 0) return [];
    const second = this.secondParentAt(row);
    if (second === -1) return [first];
    if (second >= 0) return [first, second];
    const parents = [first];
    const edges = this.edges;
    if (!edges) throw new BadGraph("an octopus merge without edges in the commit-graph");
    const field = this.view.getUint32(this.rows + row * this.rowBytes + this.oidBytes + 4);
    for (let at = edges.start + (field & LOW_31_BITS) * 4; ; at += 4) {
      if (at + 4 > edges.end) throw new BadGraph("edges of the commit-graph do not end");
      const edge = this.view.getUint32(at);
      parents.push(edge & LOW_31_BITS);
      if (edge >= TOP_BIT) return parents;
    }
  }

  /** Committer time in seconds since 1970. */
  timeAt(row: number): number {
    const at = this.rows + row * this.rowBytes + this.oidBytes + 8;
    return (this.view.getUint32(at) & 3) * 2 ** 32 + this.view.getUint32(at + 4);
  }

  levelAt(row: number): number {
    return this.view.getUint32(this.rows + row * this.rowBytes + this.oidBytes + 8) >>> 2;
  }

  /** The corrected commit date, or the level if the file has no dates. @throws BadGraph when an overflow is missing */
  generationAt(row: number): number {
    const dates = this.dates;
    if (!dates) return this.levelAt(row);
    const offset = this.view.getUint32(dates.start + row * 4);
    if (offset < TOP_BIT) return this.timeAt(row) + offset;
    const at = (this.bigDates?.start ?? Number.MAX_SAFE_INTEGER) + (offset & LOW_31_BITS) * 8;
    if (at + 8 > (this.bigDates?.end ?? 0)) throw new BadGraph("a date overflow outside its chunk");
    return this.timeAt(row) + Number(this.view.getBigUint64(at));
  }

  /** Returns false only if the commit definitely does not change the path relative to its first parent. */
  mayChange(row: number, key: BloomKey): boolean {
    if (!this.filters || !this.filterEnds) return true;
    const base = this.filters.start + BLOOM_HEADER_BYTES;
    const start = row === 0 ? 0 : this.view.getUint32(this.filterEnds.start + (row - 1) * 4);
    const end = this.view.getUint32(this.filterEnds.start + row * 4);
    if (start > end || base + end > this.filters.end) return true;
    return mayContain(this.bytes, base + start, base + end, key);
  }

  /** The stored filter; empty when none was computed. */
  filterAt(row: number): Uint8Array {
    const none = this.bytes.subarray(0, 0);
    if (!this.filters || !this.filterEnds) return none;
    const base = this.filters.start + BLOOM_HEADER_BYTES;
    const start = row === 0 ? 0 : this.view.getUint32(this.filterEnds.start + (row - 1) * 4);
    const end = this.view.getUint32(this.filterEnds.start + row * 4);
    if (start > end || base + end > this.filters.end) return none;
    return this.bytes.subarray(base + start, base + end);
  }

  /** The bytes of the commit's id, not copied. */
  oidBytesAt(row: number): Uint8Array {
    const at = this.oids + this.checked(row) * this.oidBytes;
    return this.bytes.subarray(at, at + this.oidBytes);
  }

  /** The bytes of the tree's id, not copied. */
  treeBytesAt(row: number): Uint8Array {
    const at = this.rows + row * this.rowBytes;
    return this.bytes.subarray(at, at + this.oidBytes);
  }

  private checked(row: number): number {
    if (row >= this.count) throw new BadGraph("a position outside the commit-graph");
    return row;
  }
}
