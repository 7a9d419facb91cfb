/** A commit of a graph and the lines beside it. Lanes are numbered from 0, from the left. */
export interface GraphRow {
  readonly oid: string;
  readonly lane: number;
  /** Lanes of lines that come from above and end at the commit; one of them may be its own. */
  readonly from: readonly number[];
  /** Lanes in which lines continue to its parents. */
  readonly to: readonly number[];
  /** Lanes of lines that pass by. */
  readonly past: readonly number[];
}

/** A commit, children before parents. */
export interface GraphCommit {
  readonly oid: string;
  readonly parents: readonly string[];
}

/** More lines than this are unreadable; further ones share the last lane. */
export const MAX_LANES = 40;

/** Assigns lanes to commits one after the other: a line is a commit that those above are waiting for. */
export class Lanes {
  /** The commit each lane is waiting for; undefined if free. */
  private readonly waiting: (string | undefined)[] = [];

  place({ oid, parents }: GraphCommit): GraphRow {
    const from = this.waiting.flatMap((wanted, lane) => (wanted === oid ? [lane] : []));
    const lane = from[0] ?? this.free();
    for (const ended of from) this.waiting[ended] = undefined;
    const past = this.waiting.flatMap((wanted, at) => (wanted === undefined ? [] : [at]));
    const to = parents.map((parent, at) => this.laneFor(parent, at === 0 ? lane : undefined));
    while (this.waiting.length > 0 && this.waiting.at(-1) === undefined) this.waiting.pop();
    return { oid, lane, from, to: [...new Set(to)], past };
  }

  /** The lane already waiting for that commit, otherwise the preferred or a free one. */
  private laneFor(oid: string, wanted: number | undefined): number {
    const there = this.waiting.indexOf(oid);
    if (there >= 0) return there;
    const lane = wanted !== undefined && this.waiting[wanted] === undefined ? wanted : this.free();
    this.waiting[lane] = oid;
    return lane;
  }

  private free(): number {
    const gap = this.waiting.indexOf(undefined);
    return Math.min(gap < 0 ? this.waiting.length : gap, MAX_LANES - 1);
  }
}
