import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../objects/types.ts";
import { BITS_PER_PATH, type BloomKey, HASHES_PER_PATH, mayContain } from "./bloom.ts";
import {
  BLOOM_HEADER_BYTES,
  chunkId,
  FANOUT_BYTES,
  FILE_VERSION,
  GRAPH_PATH,
  HEADER_BYTES,
  LOW_31_BITS,
  NO_PARENT,
  OID_BYTES,
  ROW_BYTES,
  SHA1_VERSION,
  SIGNATURE,
  TABLE_ROW_BYTES,
  TOP_BIT,
} from "./format.ts";

interface Chunk {
  readonly start: number;
  readonly end: number;
}

/**
 * A commit-graph file in memory. Commits are named by their position in the file, and nothing is decoded before it is
 * asked for: opening costs one read. A file that is absent, split, or not as it should be is as good as none.
 */
export class CommitGraph {
  readonly count: number;
  /** Whether changed-path filters are there and of the kind we know. */
  readonly hasFilters: boolean;
  /** Whether generations are corrected commit dates; topological levels otherwise. */
  readonly hasCorrectedDates: boolean;

  private readonly view: DataView;
  private readonly fanout: number;
  private readonly oids: number;
  private readonly rows: number;
  private readonly edges: Chunk | undefined;
  private readonly dates: Chunk | undefined;
  private readonly bigDates: Chunk | undefined;
  private readonly filterEnds: Chunk | undefined;
  private readonly filters: Chunk | undefined;

  private constructor(
    private readonly bytes: Buffer,
    chunks: ReadonlyMap<number, Chunk>,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const need = (name: string, size?: number): Chunk => {
      const chunk = chunks.get(chunkId(name));
      if (!chunk) throw new RangeError(`no ${name} chunk`);
      if (size !== undefined && chunk.end - chunk.start !== size) throw new RangeError(`bad ${name} chunk`);
      return chunk;
    };
    this.fanout = need("OIDF", FANOUT_BYTES).start;
    let previous = 0;
    for (let i = 0; i < 256; i++) {
      const total = this.view.getUint32(this.fanout + i * 4);
      if (total < previous) throw new RangeError("fanout goes down");
      previous = total;
    }
    this.count = previous;
    this.oids = need("OIDL", this.count * OID_BYTES).start;
    this.rows = need("CDAT", this.count * ROW_BYTES).start;
    this.edges = chunks.get(chunkId("EDGE"));
    this.hasCorrectedDates = chunks.has(chunkId("GDA2"));
    if (this.hasCorrectedDates) this.dates = need("GDA2", this.count * 4);
    this.bigDates = chunks.get(chunkId("GDO2"));
    const filters = chunks.get(chunkId("BDAT"));
    if (filters && chunks.has(chunkId("BIDX")) && filters.end - filters.start >= BLOOM_HEADER_BYTES) {
      const known =
        this.view.getUint32(filters.start) === 1 &&
        this.view.getUint32(filters.start + 4) === HASHES_PER_PATH &&
        this.view.getUint32(filters.start + 8) === BITS_PER_PATH;
      if (known) {
        this.filters = filters;
        this.filterEnds = need("BIDX", this.count * 4);
      }
    }
    this.hasFilters = this.filters !== undefined;
  }

  /** The graph of the bare repository at `repoDir`, or undefined when there is none that can be used. */
  static open(repoDir: string): CommitGraph | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(repoDir, GRAPH_PATH));
    } catch {
      return undefined;
    }
    return CommitGraph.parse(bytes);
  }

  /** The same from the file's bytes. The checksum at the end is not verified: it is `fsck`'s business. */
  static parse(bytes: Buffer): CommitGraph | undefined {
    try {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (view.getUint32(0) !== SIGNATURE || view.getUint8(4) !== FILE_VERSION) return undefined;
      if (view.getUint8(5) !== SHA1_VERSION || view.getUint8(7) !== 0) return undefined;
      const chunks = new Map<number, Chunk>();
      const chunkCount = view.getUint8(6);
      const limit = bytes.length - OID_BYTES;
      const offsetAt = (row: number) => Number(view.getBigUint64(HEADER_BYTES + row * TABLE_ROW_BYTES + 4));
      for (let i = 0; i < chunkCount; i++) {
        const chunk = { start: offsetAt(i), end: offsetAt(i + 1) };
        if (chunk.start > chunk.end || chunk.end > limit) return undefined;
        chunks.set(view.getUint32(HEADER_BYTES + i * TABLE_ROW_BYTES), chunk);
      }
      return new CommitGraph(bytes, chunks);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The commit's position, -1 when the graph does not know it. */
  positionOf(oid: Oid): number {
    const a = Number.parseInt(oid.slice(0, 8), 16);
    const b = Number.parseInt(oid.slice(8, 16), 16);
    const first = a >>> 24;
    let low = first === 0 ? 0 : this.view.getUint32(this.fanout + (first - 1) * 4);
    let high = this.view.getUint32(this.fanout + first * 4);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.oids + middle * OID_BYTES;
      const order = this.view.getUint32(at) - a || this.view.getUint32(at + 4) - b || this.compareTail(at + 8, oid);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  private compareTail(at: number, oid: Oid): number {
    for (let i = 16; i < 40; i += 8) {
      const order = this.view.getUint32(at + (i - 16) / 2) - Number.parseInt(oid.slice(i, i + 8), 16);
      if (order !== 0) return order;
    }
    return 0;
  }

  oidAt(position: number): Oid {
    const at = this.oids + this.checked(position) * OID_BYTES;
    return this.bytes.toString("hex", at, at + OID_BYTES);
  }

  treeAt(position: number): Oid {
    const at = this.rowAt(position);
    return this.bytes.toString("hex", at, at + OID_BYTES);
  }

  /** Position of the first parent, -1 for a root commit. */
  firstParentAt(position: number): number {
    const parent = this.view.getUint32(this.rowAt(position) + OID_BYTES);
    return parent === NO_PARENT ? -1 : this.checked(parent);
  }

  /** Position of the only further parent, -1 without one, -2 when there are more (see `parentsAt`). */
  secondParentAt(position: number): number {
    const parent = this.view.getUint32(this.rowAt(position) + OID_BYTES + 4);
    if (parent === NO_PARENT) return -1;
    return parent >= TOP_BIT ? -2 : this.checked(parent);
  }

  /** Positions of all parents, in order. */
  parentsAt(position: number): number[] {
    const first = this.firstParentAt(position);
    if (first < 0) return [];
    const second = this.secondParentAt(position);
    if (second === -1) return [first];
    if (second >= 0) return [first, second];
    const parents = [first];
    const edges = this.edges;
    if (!edges) throw new RangeError("an octopus merge without edges in the commit-graph");
    let at = edges.start + (this.view.getUint32(this.rowAt(position) + OID_BYTES + 4) & LOW_31_BITS) * 4;
    for (;;) {
      if (at + 4 > edges.end) throw new RangeError("edges of the commit-graph do not end");
      const edge = this.view.getUint32(at);
      parents.push(this.checked(edge & LOW_31_BITS));
      if (edge >= TOP_BIT) return parents;
      at += 4;
    }
  }

  /** Committer time in seconds since 1970. */
  timeAt(position: number): number {
    const at = this.rowAt(position) + OID_BYTES + 8;
    return (this.view.getUint32(at) & 3) * 2 ** 32 + this.view.getUint32(at + 4);
  }

  levelAt(position: number): number {
    return this.view.getUint32(this.rowAt(position) + OID_BYTES + 8) >>> 2;
  }

  /** A number that is larger than that of every ancestor: the corrected commit date, or the level where the file has no dates. */
  generationAt(position: number): number {
    const dates = this.dates;
    if (!dates) return this.levelAt(position);
    const offset = this.view.getUint32(dates.start + position * 4);
    if (offset < TOP_BIT) return this.timeAt(position) + offset;
    const at = (this.bigDates?.start ?? Number.MAX_SAFE_INTEGER) + (offset & LOW_31_BITS) * 8;
    if (at + 8 > (this.bigDates?.end ?? 0)) throw new RangeError("a date overflow outside its chunk");
    return this.timeAt(position) + Number(this.view.getBigUint64(at));
  }

  /** False when the commit at `position` certainly does not change the path against its first parent. */
  mayChange(position: number, key: BloomKey): boolean {
    if (!this.filters || !this.filterEnds) return true;
    const base = this.filters.start + BLOOM_HEADER_BYTES;
    const start = position === 0 ? 0 : this.view.getUint32(this.filterEnds.start + (position - 1) * 4);
    const end = this.view.getUint32(this.filterEnds.start + position * 4);
    if (start > end || base + end > this.filters.end) return true;
    return mayContain(this.bytes, base + start, base + end, key);
  }

  /** The stored filter; empty when none was computed. */
  filterAt(position: number): Uint8Array {
    if (!this.filters || !this.filterEnds) return this.bytes.subarray(0, 0);
    const base = this.filters.start + BLOOM_HEADER_BYTES;
    const start = position === 0 ? 0 : this.view.getUint32(this.filterEnds.start + (position - 1) * 4);
    const end = this.view.getUint32(this.filterEnds.start + position * 4);
    if (start > end || base + end > this.filters.end) return this.bytes.subarray(0, 0);
    return this.bytes.subarray(base + start, base + end);
  }

  /** The 20 bytes of the commit's id, not copied. */
  oidBytesAt(position: number): Uint8Array {
    const at = this.oids + this.checked(position) * OID_BYTES;
    return this.bytes.subarray(at, at + OID_BYTES);
  }

  /** The 20 bytes of the tree's id, not copied. */
  treeBytesAt(position: number): Uint8Array {
    const at = this.rowAt(position);
    return this.bytes.subarray(at, at + OID_BYTES);
  }

  private rowAt(position: number): number {
    return this.rows + position * ROW_BYTES;
  }

  private checked(position: number): number {
    if (position >= this.count) throw new RangeError("a position outside the commit-graph");
    return position;
  }
}
