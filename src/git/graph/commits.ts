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
 * As many commits outside the graph are measured before their generations are given up: reading them takes a tenth of
 * a second, and a graph that lacks more is about to be written.
 */
const MAX_MEASURED = 10_000;
const UNMEASURED = -1;

/**
 * The commits of a repository by position, so that a walk flags and compares small integers instead of ids.
 * A commit of the commit-graph has its position there; others are read from the store when they are met and follow from
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
   * @param graph one of another object format is left aside
   * @param shallow commits that are to have no parents here; a graph knows nothing of them, so it is left aside too
   */
  constructor(
    readonly store: ObjectSource,
    graph?: CommitGraph,
    private readonly shallow?: ReadonlySet<Oid>,
  ) {
    this.graph = graph?.format === store.format && !shallow?.size ? graph : undefined;
    this.graphCount = this.graph?.count ?? 0;
  }

  /** The commits of the bare repository at `repoDir`, whose objects `store` reads. */
  static open(repoDir: string, store: ObjectSource): Commits {
    return new Commits(store, CommitGraph.open(repoDir));
  }

  /** Positions given so far are below this. */
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
   * Undefined when there is no such object.
   * @throws CorruptObject when the object is no commit
   */
  find(oid: Oid): number | undefined {
    const row = this.graph ? this.graph.positionOf(oid) : -1;
    // A row may outlive its commit: a prune comes before the graph follows.
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

  /** Larger than that of every ancestor; Infinity where that is unknown, for commits outside the graph when they are many. */
  generationOf(position: number): number {
    if (position < this.graphCount) return this.graph!.generationAt(position);
    const commit = this.outsideAt(position);
    if (commit.generation === UNMEASURED && !this.tooMany) this.measure(position);
    return this.tooMany ? Number.POSITIVE_INFINITY : commit.generation;
  }

  /** Gives the commit and its ancestors outside the graph their generations, as the graph will have them. */
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

  /** -1 for a root commit. */
  firstParentOf(position: number): number {
    return position < this.graphCount ? this.graph!.firstParentAt(position) : (this.parentsOf(position)[0] ?? -1);
  }

  /** -1 without one, -2 when there are more. */
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

  /** Whether there is a commit-graph: git walks some ways differently with one. */
  get hasGraph(): boolean {
    return this.graph !== undefined;
  }

  /** False when the commit certainly does not change the path against its first parent. */
  mayChange(position: number, key: BloomKey): boolean {
    return position >= this.graphCount || this.graph!.mayChange(position, key);
  }

  private outsideAt(position: number): Outside {
    const commit = this.outside[position - this.graphCount];
    if (!commit) throw new RangeError(`no commit has the position ${position}`);
    return commit;
  }
}
