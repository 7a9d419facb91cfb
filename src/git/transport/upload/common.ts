import type { Commits } from "../../graph/commits.ts";
import type { Oid } from "../../objects/types.ts";
import { PriorityQueue } from "../../priority-queue.ts";

/** What client and server are found to have in common, and whether it is enough to send a pack. */
export class Common {
  /** Ids that both have, in the order in which the client named them. */
  readonly oids: Oid[] = [];
  private readonly commitsInCommon = new Set<number>();
  private readonly pending: Set<number>;
  private changed = false;
  private oldestTime = Number.POSITIVE_INFINITY;
  private readonly seen = new Set<Oid>();

  /**
   * @param wants the wanted commits
   * @param find the commit that an id is or, being a tag, points to; null for another object; undefined for none
   */
  constructor(
    private readonly commits: Commits,
    wants: readonly number[],
    private readonly find: (oid: Oid) => number | null | undefined,
  ) {
    this.pending = new Set(wants);
  }

  /** The commits among what is common. */
  get haves(): readonly number[] {
    return [...this.commitsInCommon];
  }

  /** Whether the server has what the client says it has. */
  add(oid: Oid): boolean {
    const found = this.find(oid);
    if (found === undefined) return false;
    if (!this.seen.has(oid)) {
      this.seen.add(oid);
      this.oids.push(oid);
    }
    if (found !== null && !this.commitsInCommon.has(found)) {
      this.commitsInCommon.add(found);
      this.oldestTime = Math.min(this.oldestTime, this.commits.timeOf(found));
      this.changed = true;
    }
    return true;
  }

  /**
   * Whether every wanted commit leads to one in common: more negotiation would find nothing better.
   * Looks no further back than the oldest commit in common.
   */
  isEnough(): boolean {
    if (this.commitsInCommon.size === 0) return false;
    if (!this.changed) return this.pending.size === 0;
    this.changed = false;
    const dead = new Set<number>();
    for (const want of this.pending) if (this.leadsToCommon(want, dead)) this.pending.delete(want);
    return this.pending.size === 0;
  }

  /** `dead` are commits known to lead to nothing in common; what a search in vain has seen is added to them. */
  private leadsToCommon(want: number, dead: Set<number>): boolean {
    const { commits } = this;
    const queue = new PriorityQueue<number>();
    const seen = new Set([want]);
    queue.push(want, commits.timeOf(want));
    for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
      if (this.commitsInCommon.has(commit)) return true;
      if (commits.timeOf(commit) < this.oldestTime) continue;
      for (const parent of commits.parentsOf(commit)) {
        if (seen.has(parent) || dead.has(parent)) continue;
        seen.add(parent);
        queue.push(parent, commits.timeOf(parent));
      }
    }
    for (const commit of seen) dead.add(commit);
    return false;
  }
}
