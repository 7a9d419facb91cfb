import type { ObjectFormat } from "../objects/format.ts";
import type { Oid } from "../objects/types.ts";
import type { BloomKey } from "./bloom.ts";
import { openLayers } from "./chain.ts";
import { BadGraph, GraphLayer } from "./layer.ts";

/**
 * A repository's commit-graph, one file or a chain of them. Commits are identified by position: rows count through the
 * layers from the lowest up. A damaged graph is treated as missing.
 */
export class CommitGraph {
  readonly count: number;
  readonly format: ObjectFormat;
  /** Whether every layer has changed-path filters of a supported kind. */
  readonly hasFilters: boolean;
  /** Whether generations are corrected commit dates; topological levels if any layer lacks dates. */
  readonly hasCorrectedDates: boolean;
  /** Position of each layer's first row. */
  private readonly starts: readonly number[];
  private readonly lowest: GraphLayer;

  private constructor(readonly layers: readonly GraphLayer[]) {
    const starts: number[] = [];
    let count = 0;
    for (const layer of layers) {
      starts.push(count);
      count += layer.count;
    }
    this.lowest = layers[0]!;
    this.starts = starts;
    this.count = count;
    this.format = this.lowest.format;
    this.hasFilters = layers.every((layer) => layer.hasFilters);
    this.hasCorrectedDates = layers.every((layer) => layer.hasCorrectedDates);
  }

  /**
   * Opens the graph of the bare repository at `repoDir`; undefined when there is no usable one. Checksums are
   * verified (0.5 ms per MiB), except for chain layers found in `reusable`.
   */
  static open(repoDir: string, reusable?: readonly GraphLayer[]): CommitGraph | undefined {
    return CommitGraph.of(openLayers(repoDir, reusable).layers);
  }

  static of(layers: readonly GraphLayer[]): CommitGraph | undefined {
    return layers.length === 0 ? undefined : new CommitGraph(layers);
  }

  /** Parses a single-file graph; undefined when the bytes are not one. */
  static parse(bytes: Buffer): CommitGraph | undefined {
    try {
      const layer = GraphLayer.parse(bytes);
      return layer.bases.length > 0 ? undefined : new CommitGraph([layer]);
    } catch (error) {
      if (error instanceof BadGraph) return undefined;
      throw error;
    }
  }

  /** Position of the first row of the layer with this index; `count` for the index after the last. */
  startOf(layer: number): number {
    return this.starts[layer] ?? this.count;
  }

  /** The commit's position; -1 when it is not in the graph. */
  positionOf(oid: Oid): number {
    if (oid.length !== this.format.oidDigits) return -1;
    // Most commits are in the lowest layer, but most lookups are for commits in an upper one.
    for (let i = this.layers.length - 1; i >= 0; i--) {
      const row = this.layers[i]!.rowOf(oid);
      if (row >= 0) return this.starts[i]! + row;
    }
    return -1;
  }

  oidAt(position: number): Oid {
    const at = this.indexAt(position);
    return this.layers[at]!.oidAt(position - this.starts[at]!);
  }

  treeAt(position: number): Oid {
    const at = this.indexAt(position);
    return this.layers[at]!.treeAt(position - this.starts[at]!);
  }

  /** Position of the first parent; -1 for a root commit. */
  firstParentAt(position: number): number {
    const at = this.indexAt(position);
    return this.checked(this.layers[at]!.firstParentAt(position - this.starts[at]!));
  }

  /** Position of the only further parent; -1 when there is none, -2 when there are more (see `parentsAt`). */
  secondParentAt(position: number): number {
    const at = this.indexAt(position);
    return this.checked(this.layers[at]!.secondParentAt(position - this.starts[at]!));
  }

  /** Positions of all parents, in order. */
  parentsAt(position: number): number[] {
    const at = this.indexAt(position);
    const parents = this.layers[at]!.parentsAt(position - this.starts[at]!);
    for (const parent of parents) this.checked(parent);
    return parents;
  }

  /** Committer time in seconds since 1970. */
  timeAt(position: number): number {
    const at = this.indexAt(position);
    return this.layers[at]!.timeAt(position - this.starts[at]!);
  }

  levelAt(position: number): number {
    const at = this.indexAt(position);
    return this.layers[at]!.levelAt(position - this.starts[at]!);
  }

  /** Larger than that of every ancestor: the corrected commit date, or the level if a layer has no dates. */
  generationAt(position: number): number {
    const at = this.indexAt(position);
    const layer = this.layers[at]!;
    const row = position - this.starts[at]!;
    return this.hasCorrectedDates ? layer.generationAt(row) : layer.levelAt(row);
  }

  /** Returns false only if the commit definitely does not change the path relative to its first parent. */
  mayChange(position: number, key: BloomKey): boolean {
    const at = this.indexAt(position);
    return this.layers[at]!.mayChange(position - this.starts[at]!, key);
  }

  /** The stored filter; empty when none was computed. */
  filterAt(position: number): Uint8Array {
    const at = this.indexAt(position);
    return this.layers[at]!.filterAt(position - this.starts[at]!);
  }

  /** The bytes of the commit's id, not copied. */
  oidBytesAt(position: number): Uint8Array {
    const at = this.indexAt(position);
    return this.layers[at]!.oidBytesAt(position - this.starts[at]!);
  }

  /** The bytes of the tree's id, not copied. */
  treeBytesAt(position: number): Uint8Array {
    const at = this.indexAt(position);
    return this.layers[at]!.treeBytesAt(position - this.starts[at]!);
  }

  private indexAt(position: number): number {
    if (position < this.lowest.count) return 0;
    for (let i = this.layers.length - 1; i > 0; i--) if (position >= this.starts[i]!) return i;
    throw new BadGraph("a position outside the commit-graph");
  }

  private checked(position: number): number {
    if (position >= this.count) throw new BadGraph("a position outside the commit-graph");
    return position;
  }
}
