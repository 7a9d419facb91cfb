import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { LEVEL_MAX } from "./format.ts";
import { readLinks } from "./links.ts";
import { NewCommits } from "./new-commits.ts";
import { peelToCommit } from "./peel.ts";
import type { CommitGraph } from "./reader.ts";

/**
 * The rows of a commit-graph file to write, in id order; some are retained from the old graph. The file builds on the
 * lowest `baseCount` commits of the old graph, whose positions do not change; its own rows come after them.
 */
export class Rows {
  readonly count: number;
  /** All ids, concatenated. */
  readonly oids: Buffer;
  /** By row: its position in the old graph, or (-1 - its index among the new commits). */
  readonly retainedFrom: Int32Array;
  /** The new positions of the old graph's positions from `baseCount` on. */
  private readonly movedTo: Int32Array;
  /** By slot of the new commits. */
  private readonly newPositions: Int32Array;
  private readonly slots: Uint32Array;
  /** By row: where its parents begin in `parents`; one more entry for the end. */
  private readonly parentStarts: Uint32Array;
  private readonly parents: Uint32Array;

  constructor(
    readonly format: ObjectFormat,
    readonly old: CommitGraph | undefined,
    /** Number of layers of the old graph that stay below. */
    readonly retainedLayers: number,
    retained: readonly number[],
    private readonly fresh: NewCommits,
  ) {
    this.slots = fresh.inOrder();
    this.count = retained.length + fresh.count;
    const { oidBytes } = format;
    this.oids = Buffer.alloc(this.count * oidBytes);
    this.retainedFrom = new Int32Array(this.count);
    this.movedTo = new Int32Array((old?.count ?? 0) - this.baseCount).fill(-1);
    this.newPositions = new Int32Array(fresh.slots).fill(-1);
    const next = new Uint8Array(oidBytes);
    const nextView = new DataView(next.buffer);
    let k = 0;
    let f = 0;
    for (let i = 0; i < this.count; i++) {
      const retainedBytes = k < retained.length ? old!.oidBytesAt(retained[k]!) : undefined;
      if (f < fresh.count) fresh.writeOid(this.slots[f]!, nextView, 0);
      const takeRetained = retainedBytes && (f >= fresh.count || Buffer.compare(retainedBytes, next) < 0);
      this.oids.set(takeRetained ? retainedBytes : next, i * oidBytes);
      if (takeRetained) {
        this.movedTo[retained[k]! - this.baseCount] = this.baseCount + i;
        this.retainedFrom[i] = retained[k++]!;
      } else {
        this.newPositions[this.slots[f]!] = this.baseCount + i;
        this.retainedFrom[i] = -1 - f++;
      }
    }
    this.parentStarts = new Uint32Array(this.count + 1);
    for (let i = 0; i < this.count; i++) this.parentStarts[i + 1] = this.parentStarts[i]! + this.countParents(i);
    this.parents = new Uint32Array(this.parentStarts[this.count]!);
    for (let i = 0; i < this.count; i++) this.fillParents(i);
  }

  /** Number of commits in the layers below. */
  get baseCount(): number {
    return this.retainedLayers === 0 ? 0 : this.old!.startOf(this.retainedLayers);
  }

  /** Number of commits the old graph did not have. */
  get added(): number {
    return this.fresh.count;
  }

  timeOf(row: number): number {
    const retained = this.retainedFrom[row]!;
    return retained >= 0 ? this.old!.timeAt(retained) : Math.max(0, this.fresh.timeOf(this.slotOf(retained)));
  }

  treeOf(row: number): Oid {
    const retained = this.retainedFrom[row]!;
    return retained >= 0 ? this.old!.treeAt(retained) : this.fresh.treeOf(this.slotOf(retained));
  }

  treeBytes(row: number, target: Buffer, at: number): void {
    const retained = this.retainedFrom[row]!;
    if (retained >= 0) target.set(this.old!.treeBytesAt(retained), at);
    else this.fresh.writeTree(this.slotOf(retained), target, at);
  }

  parentCount(row: number): number {
    return this.parentStarts[row + 1]! - this.parentStarts[row]!;
  }

  /** Position of the row's parent number `index`, from 0. */
  parentOf(row: number, index: number): number {
    return this.parents[this.parentStarts[row]! + index]!;
  }

  /** The first parent's tree; undefined for a root commit. */
  firstParentTree(row: number): Oid | undefined {
    if (this.parentCount(row) === 0) return undefined;
    const parent = this.parentOf(row, 0);
    return parent < this.baseCount ? this.old!.treeAt(parent) : this.treeOf(parent - this.baseCount);
  }

  private countParents(row: number): number {
    const retained = this.retainedFrom[row]!;
    return retained >= 0 ? this.old!.parentsAt(retained).length : this.fresh.parentCount(this.slotOf(retained));
  }

  private fillParents(row: number): void {
    const { old, fresh, parents, parentStarts } = this;
    const retained = this.retainedFrom[row]!;
    const start = parentStarts[row]!;
    const kept = retained >= 0 ? old!.parentsAt(retained) : undefined;
    const slot = kept ? 0 : this.slotOf(retained);
    for (let i = 0; start + i < parentStarts[row + 1]!; i++)
      parents[start + i] = kept ? this.moved(kept[i]!) : this.positionOf(fresh.parentOf(slot, i));
  }

  private moved(position: number): number {
    return position < this.baseCount ? position : this.movedTo[position - this.baseCount]!;
  }

  private positionOf(slot: number): number {
    const place = this.newPositions[slot]!;
    if (place >= 0) return place;
    const oid = this.fresh.oidOf(slot);
    const position = this.old?.positionOf(oid) ?? -1;
    const moved = position < 0 ? -1 : this.moved(position);
    if (moved < 0) throw new CorruptObject(`commit ${oid} is missing`);
    return moved;
  }

  private slotOf(retained: number): number {
    return this.slots[-1 - retained]!;
  }
}

/** Reading commits leaves garbage, which the collector would let grow. */
const TIDY_AFTER = 5_000;

/**
 * How to treat the old graph: "append" leaves its large layers as they are, "whole" merges everything into one file,
 * and "reachable" also drops commits no tip reaches.
 */
export type GraphScope = "append" | "whole" | "reachable";

/** A layer at most this many times as large as the rows added on top of it is merged with them, as in git. */
const SIZE_MULTIPLE = 2;

/**
 * Finds the rows to write: every commit reachable from the tips that the old graph lacks, and those of its layers that
 * are to be rewritten.
 * @throws CorruptObject when a commit on the way is missing
 */
export function planRows(
  store: ObjectSource,
  old: CommitGraph | undefined,
  tips: readonly Oid[],
  scope: GraphScope,
): Rows {
  const fresh = new NewCommits(store.format);
  const reached = new Set<number>();
  const waiting: number[] = [];
  const meet = (slot: number) => {
    if (fresh.has(slot)) return;
    const position = old ? old.positionOf(fresh.oidOf(slot)) : -1;
    if (position >= 0) reached.add(position);
    else waiting.push(slot);
  };
  for (const tip of tips) {
    const commit = old && old.positionOf(tip) >= 0 ? tip : peelToCommit(store, tip);
    if (commit) meet(fresh.slotOf(commit));
  }
  for (let slot = waiting.pop(); slot !== undefined; slot = waiting.pop()) {
    if (fresh.has(slot)) continue;
    const oid = fresh.oidOf(slot);
    const links = readLinks(store, oid);
    if (!links) throw new CorruptObject(`commit ${oid} is missing`);
    for (const parent of fresh.add(slot, links)) meet(parent);
    if (fresh.count % TIDY_AFTER === 0) Bun.gc(true);
  }
  const retainedLayers = old && scope === "append" ? layersToKeep(old, fresh.count) : 0;
  const retained = scope === "reachable" ? closure(old, reached) : rowsFrom(old, retainedLayers);
  return new Rows(
    store.format,
    old,
    retainedLayers,
    old && old.layers.length - retainedLayers > 1 ? inOrderOfIds(old, retained) : retained,
    fresh,
  );
}

function layersToKeep(old: CommitGraph, added: number): number {
  // Generations and filters must be of one kind throughout; a graph of another kind is rewritten.
  if (!old.hasCorrectedDates || !old.hasFilters) return 0;
  let rows = added;
  let retained = old.layers.length;
  while (retained > 0 && old.layers[retained - 1]!.count <= SIZE_MULTIPLE * rows) rows += old.layers[--retained]!.count;
  return retained;
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
  /** Topological levels: length of the longest path to a root, which has level 1. */
  readonly levels: Float64Array;
  /** Corrected commit dates: the commit's own, or one more than the largest of its parents. */
  readonly dates: Float64Array;
}

/** Levels and corrected commit dates of all rows. Retained rows keep theirs: a commit's ancestors never change. */
export function generations(rows: Rows): Generations {
  const levels = new Float64Array(rows.count);
  const dates = new Float64Array(rows.count);
  const { baseCount, old } = rows;
  const reuse = old?.hasCorrectedDates ?? false;
  const levelOf = (position: number) => (position < baseCount ? old!.levelAt(position) : levels[position - baseCount]!);
  const dateOf = (position: number) =>
    position < baseCount ? old!.generationAt(position) : dates[position - baseCount]!;
  for (let i = 0; i < rows.count; i++) {
    const retained = rows.retainedFrom[i]!;
    if (!reuse || retained < 0) continue;
    levels[i] = old!.levelAt(retained);
    dates[i] = old!.generationAt(retained);
  }
  const stack: number[] = [];
  for (let start = 0; start < rows.count; start++) {
    if (levels[start] === 0) stack.push(start);
    while (stack.length > 0) {
      const row = stack.at(-1)!;
      const parents = rows.parentCount(row);
      let next = 0;
      while (next < parents && levelOf(rows.parentOf(row, next)) !== 0) next++;
      if (next < parents) {
        // The stack is a single path through ancestors.
        if (stack.length > rows.count) throw new CorruptObject("commits are their own ancestors");
        stack.push(rows.parentOf(row, next) - baseCount);
        continue;
      }
      stack.pop();
      let level = 1;
      // A root commit dated 0 gets 1, because 0 means "unknown".
      let date = Math.max(rows.timeOf(row), parents === 0 ? 1 : 0);
      for (let i = 0; i < parents; i++) {
        const parent = rows.parentOf(row, i);
        level = Math.max(level, levelOf(parent) + 1);
        date = Math.max(date, dateOf(parent) + 1);
      }
      levels[row] = Math.min(level, LEVEL_MAX);
      dates[row] = date;
    }
  }
  return { levels, dates };
}
