import type { Commits } from "../../graph/commits.ts";
import type { Oid } from "../../objects/types.ts";
import { PriorityQueue } from "../../priority-queue.ts";

/** The commits client and server have in common so far, and whether they suffice to send a pack. */
export class Common {
  /** Ids that both have, in the order the client sent them. */
  readonly oids: Oid[] = [];
  private readonly commitsInCommon = new Set<number>();
  private readonly pending: Set<number>;
  private changed = false;
  private oldestTime = Number.POSITIVE_INFINITY;
  private readonly seen = new Set<Oid>();

  /**
   * @param wants the wanted commits
   * @param find the commit an id names, or peels to if it is a tag; null for any other object; undefined if missing
   */
  constructor(
    private readonly commits: Commits,
    wants: readonly number[],
    private readonly find: (oid: Oid) => number | null | undefined,
  ) {
    this.pending = new Set(wants);
  }

  /** The commits in common. */
  get haves(): readonly number[] {
    return [...this.commitsInCommon];
  }

  /** Adds a client's have; returns whether the server has it too. */
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
   * Whether every want reaches a common commit, so that further negotiation would gain nothing. Walks no further back
   * than the oldest common commit.
   */
  isEnough(): boolean {
    if (this.commitsInCommon.size === 0) return false;
    if (!this.changed) return this.pending.size === 0;
    this.changed = false;
    const dead = new Set<number>();
    for (const want of this.pending) if (this.leadsToCommon(want, dead)) this.pending.delete(want);
    return this.pending.size === 0;
  }

  /** `dead` holds commits known to reach nothing in common; a failed search adds what it visited. */
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
