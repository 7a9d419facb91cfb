import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { LEVEL_MAX, OID_BYTES } from "./format.ts";
import { type Links, readLinks } from "./links.ts";
import { peelToCommit } from "./peel.ts";
import type { CommitGraph } from "./reader.ts";

/** The rows a commit-graph is to have, in the order of their ids; kept ones come from the old graph. */
export class Rows {
  readonly count: number;
  /** All ids, 20 bytes each. */
  readonly oids: Buffer;
  /** The row's position in the old graph, or -1 - its index among the new commits. */
  readonly keptFrom: Int32Array;
  private readonly movedTo: Int32Array;
  private readonly newPlaces = new Map<Oid, number>();

  constructor(
    readonly old: CommitGraph | undefined,
    kept: readonly number[],
    private readonly fresh: readonly (readonly [Oid, Links])[],
  ) {
    this.count = kept.length + fresh.length;
    this.oids = Buffer.alloc(this.count * OID_BYTES);
    this.keptFrom = new Int32Array(this.count);
    this.movedTo = new Int32Array(old?.count ?? 0).fill(-1);
    const freshBytes = fresh.map(([oid]) => Buffer.from(oid, "hex"));
    let k = 0;
    let f = 0;
    for (let i = 0; i < this.count; i++) {
      const keptBytes = k < kept.length ? old!.oidBytesAt(kept[k]!) : undefined;
      const takeKept = keptBytes && (f >= fresh.length || Buffer.compare(keptBytes, freshBytes[f]!) < 0);
      this.oids.set(takeKept ? keptBytes : freshBytes[f]!, i * OID_BYTES);
      if (takeKept) {
        this.movedTo[kept[k]!] = i;
        this.keptFrom[i] = kept[k++]!;
      } else {
        this.newPlaces.set(fresh[f]![0], i);
        this.keptFrom[i] = -1 - f++;
      }
    }
  }

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

  /** Rows of the parents, in order. */
  parentsOf(row: number): number[] {
    const kept = this.keptFrom[row]!;
    if (kept >= 0) return this.old!.parentsAt(kept).map((position) => this.movedTo[position]!);
    return this.freshAt(kept).parents.map((oid) => this.rowOf(oid));
  }

  /** The first parent's tree; undefined for a root commit. */
  firstParentTree(row: number): Oid | undefined {
    const parent = this.parentsOf(row)[0];
    return parent === undefined ? undefined : this.treeOf(parent);
  }

  private rowOf(oid: Oid): number {
    const place = this.newPlaces.get(oid);
    if (place !== undefined) return place;
    const position = this.old?.positionOf(oid) ?? -1;
    const row = position < 0 ? -1 : this.movedTo[position]!;
    if (row < 0) throw new CorruptObject(`commit ${oid} is missing`);
    return row;
  }

  private freshAt(kept: number): Links {
    return this.fresh[-1 - kept]![1];
  }
}

/** Commits read leave garbage behind that the collector would let grow. */
const TIDY_AFTER = 20_000;

/**
 * Finds the rows: those of the old graph, and every commit reachable from the tips that it lacks.
 * @throws CorruptObject when a commit on the way is missing
 */
export function planRows(
  store: ObjectSource,
  old: CommitGraph | undefined,
  tips: readonly Oid[],
  onlyReachable: boolean,
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
  const kept = onlyReachable ? closure(old, reached) : Array.from({ length: old?.count ?? 0 }, (_, i) => i);
  return new Rows(
    old,
    kept,
    [...fresh].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
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
  const reuse = rows.old?.hasCorrectedDates ?? false;
  for (let i = 0; i < rows.count; i++) {
    const kept = rows.keptFrom[i]!;
    if (!reuse || kept < 0) continue;
    levels[i] = rows.old!.levelAt(kept);
    dates[i] = rows.old!.generationAt(kept);
  }
  const stack: number[] = [];
  for (let start = 0; start < rows.count; start++) {
    if (levels[start] === 0) stack.push(start);
    while (stack.length > 0) {
      const row = stack.at(-1)!;
      const parents = rows.parentsOf(row);
      const open = parents.find((parent) => levels[parent] === 0);
      if (open !== undefined) {
        // The stack is one path upwards.
        if (stack.length > rows.count) throw new CorruptObject("commits are their own ancestors");
        stack.push(open);
        continue;
      }
      stack.pop();
      let level = 1;
      // A root of the year 1970 gets 1, because 0 means "unknown".
      let date = Math.max(rows.timeOf(row), parents.length === 0 ? 1 : 0);
      for (const parent of parents) {
        level = Math.max(level, levels[parent]! + 1);
        date = Math.max(date, dates[parent]! + 1);
      }
      levels[row] = Math.min(level, LEVEL_MAX);
      dates[row] = date;
    }
  }
  return { levels, dates };
}
