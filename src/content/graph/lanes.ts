/** A commit of a graph and the lines beside it. Lanes are counted from 0, from the left. */
export interface GraphRow {
  readonly oid: string;
  readonly lane: number;
  /** Lanes of lines that come from above and end at the commit; one of them may be its own. */
  readonly from: readonly number[];
  /** Lanes that lines to its parents go on in. */
  readonly to: readonly number[];
  /** Lanes of lines that pass by. */
  readonly past: readonly number[];
}

/** A commit, children before parents. */
export interface GraphCommit {
  readonly oid: string;
  readonly parents: readonly string[];
}

/** Beside so many lines nobody sees anything; further ones share the last lane. */
export const MAX_LANES = 40;

/** Lays commits out in lanes, one after the other: each line is what the commits above wait for. */
export class Lanes {
  /** The commit that each lane leads to; undefined: free. */
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

  /** Where a line to that commit runs already, else the wanted lane or a free one. */
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
