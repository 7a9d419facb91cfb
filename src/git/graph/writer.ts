import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { BITS_PER_PATH, HASHES_PER_PATH } from "./bloom.ts";
import { changedPathFilter } from "./changed-paths.ts";
import {
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
  TIME_LIMIT,
  TOP_BIT,
} from "./format.ts";
import { CommitGraph } from "./reader.ts";
import { type Generations, generations, planRows, type Rows } from "./rows.ts";

export interface GraphWriteOptions {
  /** Leave out commits that none of the tips reaches: for use after a prune. Otherwise every row there is stays. */
  readonly onlyReachable?: boolean;
  readonly signal?: AbortSignal;
  readonly crashPoint?: (name: string) => void;
}

export interface GraphWritten {
  /** Commits the graph now has. */
  readonly commits: number;
  /** Commits it did not have before. */
  readonly added: number;
  /** False when the file was already right and was left alone. */
  readonly written: boolean;
}

const YIELD_AFTER_MS = 50;
/** Trees of some thousand commits are a hundred megabytes of garbage, which the collector would let grow to several. */
const TIDY_AFTER = 2_000;

/**
 * Brings the commit-graph of the bare repository at `repoDir` up to date: rows and filters that are there stay, commits
 * reachable from `tips` are added with theirs. The file is replaced atomically and durably.
 * @param tips ids of commits or of tags of commits; tips of other kinds are passed over
 * @throws CorruptObject when an object on the way is missing; DOMException AbortError when the signal is aborted
 */
export async function writeCommitGraph(
  repoDir: string,
  store: ObjectSource,
  tips: readonly Oid[],
  options: GraphWriteOptions = {},
): Promise<GraphWritten> {
  const old = CommitGraph.open(repoDir);
  const rows = planRows(store, old, tips, options.onlyReachable ?? false);
  const whole = old?.hasFilters && old.hasCorrectedDates;
  if (whole && rows.added === 0 && rows.count === old.count) {
    return { commits: old.count, added: 0, written: false };
  }
  const filters: Uint8Array[] = new Array(rows.count);
  let lastYield = performance.now();
  let computed = 0;
  for (const i of newestFirst(rows)) {
    const kept = rows.keptFrom[i]!;
    const stored = kept >= 0 ? old!.filterAt(kept) : undefined;
    if (stored?.length) filters[i] = stored;
    else {
      filters[i] = changedPathFilter(store, rows.firstParentTree(i), rows.treeOf(i));
      if (++computed % TIDY_AFTER === 0) Bun.gc(true);
    }
    if (performance.now() - lastYield > YIELD_AFTER_MS) {
      // Lets the thread see that nobody waits any more.
      await Bun.sleep(0);
      options.signal?.throwIfAborted();
      lastYield = performance.now();
    }
  }
  save(join(repoDir, GRAPH_PATH), encode(rows, generations(rows), filters), options.crashPoint);
  return { commits: rows.count, added: rows.added, written: true };
}

/** Packs store trees newest first, each as a delta of the one before: read in that order they are all in the cache. */
function newestFirst(rows: Rows): Uint32Array {
  const times = Float64Array.from({ length: rows.count }, (_, i) => rows.timeOf(i));
  return Uint32Array.from(times.keys()).sort((a, b) => times[b]! - times[a]!);
}

function encode(rows: Rows, generation: Generations, filters: readonly Uint8Array[]): Uint8Array[] {
  const edges: number[] = [];
  const bigDates: number[] = [];
  const data = Buffer.alloc(rows.count * ROW_BYTES);
  const dates = Buffer.alloc(rows.count * 4);
  for (let i = 0; i < rows.count; i++) {
    const at = i * ROW_BYTES;
    rows.treeBytes(i, data, at);
    const parents = rows.parentsOf(i);
    data.writeUInt32BE(parents[0] ?? NO_PARENT, at + 20);
    data.writeUInt32BE(parents.length > 2 ? TOP_BIT + edges.length : (parents[1] ?? NO_PARENT), at + 24);
    if (parents.length > 2) {
      for (let p = 1; p < parents.length - 1; p++) edges.push(parents[p]!);
      edges.push(TOP_BIT + parents.at(-1)!);
    }
    const time = rows.timeOf(i) % TIME_LIMIT;
    data.writeUInt32BE(generation.levels[i]! * 4 + Math.floor(time / 2 ** 32), at + 28);
    data.writeUInt32BE(time % 2 ** 32, at + 32);
    const offset = generation.dates[i]! - time;
    if (offset <= LOW_31_BITS) dates.writeUInt32BE(offset, i * 4);
    else {
      dates.writeUInt32BE(TOP_BIT + bigDates.length, i * 4);
      bigDates.push(offset);
    }
  }
  const overflow = Buffer.alloc(bigDates.length * 8);
  bigDates.forEach((offset, i) => {
    overflow.writeBigUInt64BE(BigInt(offset), i * 8);
  });
  const chunks: [string, Uint8Array[]][] = [
    ["OIDF", [fanout(rows)]],
    ["OIDL", [rows.oids]],
    ["CDAT", [data]],
    ["GDA2", [dates]],
  ];
  if (bigDates.length > 0) chunks.push(["GDO2", [overflow]]);
  if (edges.length > 0) chunks.push(["EDGE", [uint32s(edges)]]);
  const ends: number[] = [];
  let end = 0;
  for (const filter of filters) {
    end += filter.length;
    ends.push(end);
  }
  chunks.push(["BIDX", [uint32s(ends)]]);
  chunks.push(["BDAT", [uint32s([1, HASHES_PER_PATH, BITS_PER_PATH]), ...filters]]);
  return [...header(chunks), ...chunks.flatMap(([, pieces]) => pieces)];
}

function header(chunks: readonly [string, Uint8Array[]][]): Uint8Array[] {
  const head = Buffer.alloc(HEADER_BYTES + (chunks.length + 1) * TABLE_ROW_BYTES);
  head.writeUInt32BE(SIGNATURE, 0);
  head[4] = FILE_VERSION;
  head[5] = SHA1_VERSION;
  head[6] = chunks.length;
  let offset = head.length;
  let at = HEADER_BYTES;
  for (const [name, pieces] of chunks) {
    head.writeUInt32BE(chunkId(name), at);
    head.writeBigUInt64BE(BigInt(offset), at + 4);
    offset += pieces.reduce((sum, piece) => sum + piece.length, 0);
    at += TABLE_ROW_BYTES;
  }
  head.writeBigUInt64BE(BigInt(offset), at + 4);
  return [head];
}

function fanout(rows: Rows): Uint8Array {
  const table = Buffer.alloc(FANOUT_BYTES);
  let next = 0;
  for (let first = 0; first < 256; first++) {
    while (next < rows.count && rows.oids[next * OID_BYTES]! <= first) next++;
    table.writeUInt32BE(next, first * 4);
  }
  return table;
}

function uint32s(values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4);
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i]!, i * 4);
  return bytes;
}

/** Writes beside the target, fsyncs, renames, and fsyncs the folder: a reader sees the old file or the new one. */
function save(path: string, pieces: readonly Uint8Array[], crashPoint?: (name: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const file = openSync(temporary, "wx", 0o444);
  try {
    const hash = createHash("sha1");
    const whole = Buffer.concat(pieces);
    hash.update(whole);
    writeFully(file, whole);
    writeFully(file, hash.digest());
    fsyncSync(file);
    closeSync(file);
    crashPoint?.("graph: flushed");
    renameSync(temporary, path);
    crashPoint?.("graph: renamed");
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
