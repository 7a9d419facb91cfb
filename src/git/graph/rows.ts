import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { LEVEL_MAX } from "./format.ts";
import { type Links, readLinks } from "./links.ts";
import { peelToCommit } from "./peel.ts";
import type { CommitGraph } from "./reader.ts";

/**
 * The rows a commit-graph file is to have, in the order of their ids: kept ones come from the old graph. The file lies
 * on the lowest `baseCount` commits of the old graph, whose positions stay; its own rows come after them.
 */
export class Rows {
  readonly count: number;
  /** All ids, one after the other. */
  readonly oids: Buffer;
  /** The row's position in the old graph, or -1 - its index among the new commits. */
  readonly keptFrom: Int32Array;
  /** For positions of the old graph from `baseCount` on, the new position. */
  private readonly movedTo: Int32Array;
  private readonly newPositions = new Map<Oid, number>();

  constructor(
    readonly format: ObjectFormat,
    readonly old: CommitGraph | undefined,
    /** Layers of the old graph that stay below. */
    readonly keptLayers: number,
    kept: readonly number[],
    private readonly fresh: readonly (readonly [Oid, Links])[],
  ) {
    this.count = kept.length + fresh.length;
    this.oids = Buffer.alloc(this.count * format.oidBytes);
    this.keptFrom = new Int32Array(this.count);
    this.movedTo = new Int32Array((old?.count ?? 0) - this.baseCount).fill(-1);
    const freshBytes = fresh.map(([oid]) => Buffer.from(oid, "hex"));
    let k = 0;
    let f = 0;
    for (let i = 0; i < this.count; i++) {
      const keptBytes = k < kept.length ? old!.oidBytesAt(kept[k]!) : undefined;
      const takeKept = keptBytes && (f >= fresh.length || Buffer.compare(keptBytes, freshBytes[f]!) < 0);
      this.oids.set(takeKept ? keptBytes : freshBytes[f]!, i * format.oidBytes);
      if (takeKept) {
        this.movedTo[kept[k]! - this.baseCount] = this.baseCount + i;
        this.keptFrom[i] = kept[k++]!;
      } else {
        this.newPositions.set(fresh[f]![0], this.baseCount + i);
        this.keptFrom[i] = -1 - f++;
      }
    }
  }

  /** Commits of the layers below. */
  get baseCount(): number {
    return this.keptLayers === 0 ? 0 : this.old!.startOf(this.keptLayers);
  }

  /** Commits that the old graph did not have. */
  get added(): number {
    return this.fresh.length;
  }

  timeOf(row: number): number {
    const kept = this.keptFrom[row]!;
    return kept >= 0 ? this.old!.timeAt(kept) : Math.max(0, this.freshAt(kept).committerTime);
  }

  treeOf(row: number): Oid {
    const kept = this.keptFrom[row]!;
    return kept >= 0 ? this.old!.treeAt(kept) : this.freshAt(kept).tree;
  }

  treeBytes(row: number, target: Buffer, at: number): void {
    const kept = this.keptFrom[row]!;
    if (kept >= 0) target.set(this.old!.treeBytesAt(kept), at);
    else target.write(this.freshAt(kept).tree, at, "hex");
  }

  /** Positions of the parents, in order. */
  parentsOf(row: number): number[] {
    const kept = this.keptFrom[row]!;
    if (kept >= 0) return this.old!.parentsAt(kept).map((position) => this.moved(position));
    return this.freshAt(kept).parents.map((oid) => this.positionOf(oid));
  }

  /** The first parent's tree; undefined for a root commit. */
  firstParentTree(row: number): Oid | undefined {
    const parent = this.parentsOf(row)[0];
    if (parent === undefined) return undefined;
    return parent < this.baseCount ? this.old!.treeAt(parent) : this.treeOf(parent - this.baseCount);
  }

  private moved(position: number): number {
    return position < this.baseCount ? position : this.movedTo[position - this.baseCount]!;
  }

  private positionOf(oid: Oid): number {
    const place = this.newPositions.get(oid);
    if (place !== undefined) return place;
    const position = this.old?.positionOf(oid) ?? -1;
    const moved = position < 0 ? -1 : this.moved(position);
    if (moved < 0) throw new CorruptObject(`commit ${oid} is missing`);
    return moved;
  }

  private freshAt(kept: number): Links {
    return this.fresh[-1 - kept]![1];
  }
}

/** Commits read leave garbage behind that the collector would let grow. */
const TIDY_AFTER = 20_000;

/**
 * What becomes of the old graph: "append" leaves its large layers as they are, "whole" takes all of it into one file,
 * "reachable" drops what no tip reaches on the way.
 */
export type GraphScope = "append" | "whole" | "reachable";

/** A layer that is at most this many times as large as what is added to it is written again with it, as git has it. */
const SIZE_MULTIPLE = 2;

/**
 * Finds the rows: every commit reachable from the tips that the old graph lacks, and those of its layers that are to be
 * written again.
 * @throws CorruptObject when a commit on the way is missing
 */
export function planRows(
  store: ObjectSource,
  old: CommitGraph | undefined,
  tips: readonly Oid[],
  scope: GraphScope,
): Rows {
  const fresh = new Map<Oid, Links>();
  const reached = new Set<number>();
  const waiting: Oid[] = [];
  for (const tip of tips) {
    const commit = old && old.positionOf(tip) >= 0 ? tip : peelToCommit(store, tip);
    if (commit) waiting.push(commit);
  }
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (fresh.has(oid)) continue;
    const position = old ? old.positionOf(oid) : -1;
    if (position >= 0) {
      reached.add(position);
      continue;
    }
    const links = readLinks(store, oid);
    if (!links) throw new CorruptObject(`commit ${oid} is missing`);
    fresh.set(oid, links);
    if (fresh.size % TIDY_AFTER === 0) Bun.gc(true);
    waiting.push(...links.parents);
  }
  const keptLayers = old && scope === "append" ? layersToKeep(old, fresh.size) : 0;
  const kept = scope === "reachable" ? closure(old, reached) : rowsFrom(old, keptLayers);
  return new Rows(
    store.format,
    old,
    keptLayers,
    old && old.layers.length - keptLayers > 1 ? inOrderOfIds(old, kept) : kept,
    [...fresh].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function layersToKeep(old: CommitGraph, added: number): number {
  // Generations and filters are to be of one kind throughout: what is not is written again.
  if (!old.hasCorrectedDates || !old.hasFilters) return 0;
  let rows = added;
  let kept = old.layers.length;
  while (kept > 0 && old.layers[kept - 1]!.count <= SIZE_MULTIPLE * rows) rows += old.layers[--kept]!.count;
  return kept;
}

function rowsFrom(old: CommitGraph | undefined, layer: number): number[] {
  if (!old) return [];
  const start = old.startOf(layer);
  return Array.from({ length: old.count - start }, (_, i) => start + i);
}

function inOrderOfIds(old: CommitGraph, positions: readonly number[]): number[] {
  return [...positions].sort((a, b) => Buffer.compare(old.oidBytesAt(a), old.oidBytesAt(b)));
}

function closure(old: CommitGraph | undefined, reached: Set<number>): number[] {
  if (!old) return [];
  const waiting = [...reached];
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    for (const parent of old.parentsAt(position)) {
      if (reached.has(parent)) continue;
      reached.add(parent);
      waiting.push(parent);
    }
  }
  return [...reached].sort((a, b) => a - b);
}

export interface Generations {
  /** Longest way to a root, which has 1. */
  readonly levels: Float64Array;
  /** Corrected commit dates: the commit's own, or one more than the largest of its parents. */
  readonly dates: Float64Array;
}

/** Levels and corrected commit dates of all rows; those of kept rows are taken over, since a commit's ancestors never change. */
export function generations(rows: Rows): Generations {
  const levels = new Float64Array(rows.count);
  const dates = new Float64Array(rows.count);
  const { baseCount, old } = rows;
  const reuse = old?.hasCorrectedDates ?? false;
  const levelOf = (position: number) => (position < baseCount ? old!.levelAt(position) : levels[position - baseCount]!);
  const dateOf = (position: number) =>
    position < baseCount ? old!.generationAt(position) : dates[position - baseCount]!;
  for (let i = 0; i < rows.count; i++) {
    const kept = rows.keptFrom[i]!;
    if (!reuse || kept < 0) continue;
    levels[i] = old!.levelAt(kept);
    dates[i] = old!.generationAt(kept);
  }
  const stack: number[] = [];
  for (let start = 0; start < rows.count; start++) {
    if (levels[start] === 0) stack.push(start);
    while (stack.length > 0) {
      const row = stack.at(-1)!;
      const parents = rows.parentsOf(row);
      const open = parents.find((parent) => levelOf(parent) === 0);
      if (open !== undefined) {
        // The stack is one path upwards.
        if (stack.length > rows.count) throw new CorruptObject("commits are their own ancestors");
        stack.push(open - baseCount);
        continue;
      }
      stack.pop();
      let level = 1;
      // A root of the year 1970 gets 1, because 0 means "unknown".
      let date = Math.max(rows.timeOf(row), parents.length === 0 ? 1 : 0);
      for (const parent of parents) {
        level = Math.max(level, levelOf(parent) + 1);
        date = Math.max(date, dateOf(parent) + 1);
      }
      levels[row] = Math.min(level, LEVEL_MAX);
      dates[row] = date;
    }
  }
  return { levels, dates };
}
