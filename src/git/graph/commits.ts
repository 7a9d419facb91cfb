import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { BloomKey } from "./bloom.ts";
import { readLinks } from "./links.ts";
import { CommitGraph } from "./reader.ts";

interface Outside {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly time: number;
  readonly parentOids: readonly Oid[];
  parents: readonly number[] | undefined;
  generation: number;
}

/**
 * Maximum number of commits outside the graph to compute generations for: reading them takes a tenth of
 * a second, and a graph that lacks more is about to be written.
 */
const MAX_MEASURED = 10_000;
const UNMEASURED = -1;

/**
 * The commits of a repository by position, so that a walk flags and compares small integers instead of ids.
 * A commit in the commit-graph has its position there; others are read from the store on first use and numbered from
 * `graph.count` on.
 *
 * The graph is closed under "parent of": no commit outside it is an ancestor of one inside.
 */
export class Commits {
  private readonly graph: CommitGraph | undefined;
  private readonly graphCount: number;
  private readonly outside: Outside[] = [];
  private readonly positions = new Map<Oid, number>();
  private tooMany = false;

  /**
   * @param graph ignored if it has another object format
   * @param shallow commits to treat as having no parents; a graph does not know about them, so it is ignored too
   */
  constructor(
    readonly store: ObjectSource,
    graph?: CommitGraph,
    private readonly shallow?: ReadonlySet<Oid>,
  ) {
    this.graph = graph?.format === store.format && !shallow?.size ? graph : undefined;
    this.graphCount = this.graph?.count ?? 0;
  }

  /** Opens the commits of the bare repository at `repoDir`, whose objects `store` reads. */
  static open(repoDir: string, store: ObjectSource): Commits {
    return new Commits(store, CommitGraph.open(repoDir));
  }

  /** One more than the highest position assigned so far. */
  get size(): number {
    return this.graphCount + this.outside.length;
  }

  /** @throws CorruptObject when there is no such commit */
  positionOf(oid: Oid): number {
    const position = this.find(oid);
    if (position === undefined) throw new CorruptObject(`commit ${oid} is missing`);
    return position;
  }

  /**
   * Returns undefined when there is no such object.
   * @throws CorruptObject when the object is not a commit
   */
  find(oid: Oid): number | undefined {
    const row = this.graph ? this.graph.positionOf(oid) : -1;
    // A row may outlive its commit: prune runs before the graph is updated.
    if (row >= 0) return this.store.has(oid) ? row : undefined;
    const cached = this.positions.get(oid);
    if (cached !== undefined) return cached;
    const links = readLinks(this.store, oid);
    if (!links) return undefined;
    const position = this.size;
    this.outside.push({
      oid,
      tree: links.tree,
      time: links.committerTime,
      parentOids: this.shallow?.has(oid) ? [] : links.parents,
      parents: undefined,
      generation: UNMEASURED,
    });
    this.positions.set(oid, position);
    return position;
  }

  oidOf(position: number): Oid {
    return position < this.graphCount ? this.graph!.oidAt(position) : this.outsideAt(position).oid;
  }

  treeOf(position: number): Oid {
    return position < this.graphCount ? this.graph!.treeAt(position) : this.outsideAt(position).tree;
  }

  /** Committer time in seconds since 1970. */
  timeOf(position: number): number {
    return position < this.graphCount ? this.graph!.timeAt(position) : this.outsideAt(position).time;
  }

  /** Larger than that of every ancestor; Infinity if unknown, which happens when many commits are outside the graph. */
  generationOf(position: number): number {
    if (position < this.graphCount) return this.graph!.generationAt(position);
    const commit = this.outsideAt(position);
    if (commit.generation === UNMEASURED && !this.tooMany) this.measure(position);
    return this.tooMany ? Number.POSITIVE_INFINITY : commit.generation;
  }

  /** Computes generations for the commit and its ancestors outside the graph, as the graph will store them. */
  private measure(start: number): void {
    const byLevel = this.graph !== undefined && !this.graph.hasCorrectedDates;
    const path = [start];
    while (path.length > 0) {
      if (this.outside.length > MAX_MEASURED) {
        this.tooMany = true;
        return;
      }
      const position = path.at(-1)!;
      const parents = this.parentsOf(position);
      const open = parents.find((p) => p >= this.graphCount && this.outsideAt(p).generation === UNMEASURED);
      if (open !== undefined) {
        path.push(open);
        continue;
      }
      path.pop();
      const commit = this.outsideAt(position);
      commit.generation = byLevel ? 1 : Math.max(commit.time, 1);
      for (const parent of parents) commit.generation = Math.max(commit.generation, this.generationOf(parent) + 1);
    }
  }

  /** Position of the first parent; -1 for a root commit. */
  firstParentOf(position: number): number {
    return position < this.graphCount ? this.graph!.firstParentAt(position) : (this.parentsOf(position)[0] ?? -1);
  }

  /** Position of the only further parent; -1 when there is none, -2 when there are more. */
  secondParentOf(position: number): number {
    if (position < this.graphCount) return this.graph!.secondParentAt(position);
    const parents = this.parentsOf(position);
    return parents.length > 2 ? -2 : (parents[1] ?? -1);
  }

  parentsOf(position: number): readonly number[] {
    if (position < this.graphCount) return this.graph!.parentsAt(position);
    const commit = this.outsideAt(position);
    commit.parents ??= commit.parentOids.map((oid) => this.positionOf(oid));
    return commit.parents;
  }

  /** Whether there is a commit-graph: some of git's walks differ with one. */
  get hasGraph(): boolean {
    return this.graph !== undefined;
  }

  /** Returns false only if the commit definitely does not change the path relative to its first parent. */
  mayChange(position: number, key: BloomKey): boolean {
    return position >= this.graphCount || this.graph!.mayChange(position, key);
  }

  private outsideAt(position: number): Outside {
    const commit = this.outside[position - this.graphCount];
    if (!commit) throw new RangeError(`no commit has the position ${position}`);
    return commit;
  }
}
